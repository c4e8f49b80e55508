// Package ttstream holds the messages that wait to be received from streams of Thrift that share a connection. The streams use
// TTHeader streaming, as Kitex's package ttstream does.
//
// # The wire
//
// A stream is frames with the same sequence number, which the client chooses. Each frame is a TTHeader with the flag Streaming, and
// a payload. Facts of the header give the kind of a frame and the function. The client opens a stream with a header frame, which
// has its metadata and the service's name. Each data frame has a struct of the Binary protocol, with nothing around it. A trailer
// frame of the client says that no more requests come. The server's header frame comes before its first response, and its trailer
// frame ends the stream: with an exception as the payload, with an error of the service's own in its facts, or in order. A reset
// frame of either side gives the stream up. Frames with numbers that are not known are no mistake: they were on their way when the
// stream ended.
//
// # Back-pressure
//
// The wire has no windows: nobody can ask a peer to send less over one stream, and a reader that waits for one stream would stop
// the others of its connection. So the messages that have come and are not received yet are bounded, by [StreamBytes] for each
// stream and by [ConnectionBytes] for all streams of a connection. A stream that would hold more is reset with an error that says
// so: both sides learn of it, and other streams go on. A sender waits if its peer reads nothing at all, as on every wire, since the
// connection itself is full then. Services that send much to slow readers should wait for answers from time to time, or use gRPC,
// which has windows.
package ttstream
