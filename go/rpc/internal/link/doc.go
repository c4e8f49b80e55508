// Package link moves bytes over a connection that many calls share.
//
// A [Link] gathers: frames are appended to one buffer. The first goroutine that appends to an empty buffer yields once, and then
// writes, in one system call, what others have appended meanwhile. The link reads as much as has come at once, into a buffer that
// it holds only while there is something in it, so that a connection that waits costs no buffer. No goroutine of a caller ever
// waits for a peer that does not read: a new goroutine writes what cannot be written at once, and ends when it is done.
//
// docs/decisions/0049-goroutines-that-gather.md compares this with the alternatives, measured.
package link
