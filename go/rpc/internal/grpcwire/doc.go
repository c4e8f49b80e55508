// Package grpcwire reads and writes the parts that gRPC adds to HTTP/2: messages behind their lengths, timeouts, statuses,
// metadata, content types and compression. It takes bytes and returns values; package h2 has the connections.
//
// https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md describes all of these.
package grpcwire
