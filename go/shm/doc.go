// Package shm has connections through memory that two processes of one machine share.
//
// A connection begins as one over a Unix socket. A client of this package ([Dialer]) first asks for a segment of shared memory. A
// server of this package ([Server]) gives the client a segment, and both sides then write into it and read from it. The socket then
// only wakes a side that sleeps, and tells that a side has ended. A client that does not ask gets an ordinary connection, and so
// does a client whose server does not know shared memory or refuses it. Both sorts of connections are a [net.Conn], and carry
// whatever goes over a stream.
//
// The other side is not trusted with more than its own connection: it may write anything into the segment at any time.
// docs/internals/shm.md describes the segment, for other languages too.
//
// Only Linux has shared memory; elsewhere all connections are ordinary ones.
package shm
