// Package link moves bytes over a connection that many calls share.
//
// A [Link] gathers: frames are appended to one buffer, and the first goroutine that appends to an empty one yields once and then writes
// what others have appended meanwhile, in one system call. It reads as much as has come at once, into a buffer that it holds only while
// there is something in it, so that a connection that waits costs no buffer. No goroutine of a caller ever waits for a peer that does
// not read: what cannot be written at once is written by a goroutine made for it, which ends when it is done.
//
// docs/decisions/0049-goroutines-that-gather.md has what this was chosen over, measured.
package link
