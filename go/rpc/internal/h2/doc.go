// Package h2 is HTTP/2 for gRPC (RFC 9113): connections with many streams, for both sides. Package grpcwire has what gRPC puts on them.
//
// One goroutine reads a connection. It hands messages out where they lie in the link's buffer if a stream has a [Receiver], and puts them
// in the stream's inbox else; it never waits for anything but bytes. Everybody sends on the goroutine that has something to send: a header,
// a message and a trailer are one frame of the link, appended with its lock, so that calls of many goroutines go out in one write. HPACK's
// state changes in the order in which blocks are appended, so they are encoded there too.
//
// Frames are read from the link's buffer by this package and not by golang.org/x/net/http2.Framer, which would copy each payload into a
// buffer of its own, and would bring package net/http into every program. HPACK is decoded by x/net's package; see encoder for why it is
// not encoded by it.
//
// Flow control: what comes on a connection is given back at once, so that a stream which is not read does not stop others; a stream gives
// back what its user has read. Windows are large by default and do not follow the bandwidth: memory is taken by bytes that have come, not
// by windows, and all bytes that lie here are bounded by Options.HeldBytes besides. A sender that has no window waits on its own goroutine.
//
// Every wait ends with its context, its connection or the peer's progress. limits.go has all that a peer may ask for.
package h2
