// Package shm has connections through memory that two processes of one machine share.
//
// A connection begins as one over a Unix socket. A client of this package asks for a segment of shared memory first ([Dialer]); a server of this package
// ([Server]) gives it one, and both then write into it and read from it: the socket is left to wake a side that sleeps, and to tell that a side has ended. Who does
// not ask gets an ordinary connection, and so does a client whose server does not know shared memory or refuses it. So both are [net.Conn], and whatever goes over a
// stream goes over them.
//
// The other side is not trusted with more than its own connection: it may write anything into the segment at any time.
// docs/internals/shm.md describes the segment, for other languages too.
//
// Only Linux has the memory; elsewhere all connections are ordinary ones.
package shm
