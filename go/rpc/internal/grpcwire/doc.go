// Package grpcwire reads and writes what gRPC puts on HTTP/2: messages behind their lengths, timeouts, statuses, metadata, content types
// and compression. It takes bytes and gives values; package h2 has the connections.
//
// https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md describes all of it.
package grpcwire
