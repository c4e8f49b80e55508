// Package ttstream holds what waits to be received from streams of Thrift that share a connection: TTHeader streaming, as Kitex's package
// ttstream speaks it.
//
// # The wire
//
// A stream is frames with one sequence number, which the client chooses: each is a TTHeader with the flag Streaming and a payload. Facts of the
// header tell the kind of a frame and the function. The client opens a stream by a header frame, with its metadata and the service's name;
// data frames have a struct of the Binary protocol each, with nothing around it; a trailer frame of the client says that no more requests
// come. The server's header frame comes before its first response, and its trailer frame ends the stream: with an exception as the payload,
// with an error of the service's own in its facts, or in order. A reset frame of either side gives the stream up. Frames of numbers that are
// not known are no mistake: they were on their way when the stream ended.
//
// # Back-pressure
//
// The wire has no windows: nobody can ask a peer to send less over one stream, and a reader that waits for one stream would stop the others of
// its connection. So what has come and is not received yet is bounded by [StreamBytes] for each stream and by [ConnectionBytes] for all of a
// connection, and a stream that would hold more is reset with an error that says so: both sides learn it, and other streams go on. A sender
// waits where its peer reads nothing at all, as for every wire, since the connection itself is full then. Services that send much to slow
// readers wait for answers from time to time, or use gRPC, which has windows.
package ttstream
