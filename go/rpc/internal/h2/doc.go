// Package h2 is HTTP/2 for gRPC (RFC 9113): connections with many streams, for both sides. Package grpcwire has the parts that gRPC
// adds to them.
//
// One goroutine reads a connection. If a stream has a [Receiver], the reader hands messages to it directly from the link's buffer;
// otherwise it puts them into the stream's inbox. It never waits for anything but bytes. Everybody sends on the goroutine that has
// something to send: a header, a message and a trailer are one frame of the link, appended with its lock, so that calls of many
// goroutines go out in one write. HPACK's state changes in the order in which blocks are appended, so blocks are encoded with that
// lock too.
//
// This package reads frames from the link's buffer itself. golang.org/x/net/http2.Framer would copy each payload into a buffer of
// its own, and would bring package net/http into every program. HPACK is decoded by x/net's package; the comment of encoder says
// why it is not encoded by it.
//
// Flow control: bytes that come on a connection are given back to its window at once, so that a stream that is not read does not
// stop other streams. A stream gives back the bytes that its user has read. Windows are large by default and do not follow the
// bandwidth: bytes that have come take memory, not windows, and Options.HeldBytes also bounds all bytes that wait here to be read.
// A sender that has no window waits on its own goroutine.
//
// Every wait ends with its context, its connection or the peer's progress. limits.go has all limits on what a peer may ask for.
package h2
