package rpc

import (
	"bytes"
	"context"
	"net"
)

// grpcProtocol is the [protocol] of gRPC over HTTP/2.
type grpcProtocol struct{}

func (grpcProtocol) system() string { return "grpc" }

func (grpcProtocol) carriesMetadata() bool { return true }

func (grpcProtocol) hasStreams() bool { return true }

func (grpcProtocol) refuses(kind callKind) string {
	switch kind {
	case thriftStreaming:
		return "streams of Thrift go over TTHeader alone; set Wire to TTHeader"
	case thriftFunction:
		return "functions of Thrift are not called over gRPC; set Wire to one of Thrift's"
	}
	return ""
}

func (grpcProtocol) checkOutgoing(ctx context.Context) error {
	return checkOutgoing(outgoingOf(ctx).single)
}

func (grpcProtocol) nextProtos() []string { return []string{"h2"} }

// connect implements [protocol]. A connection counts as made when the server's settings have come: a server may accept a connection and never
// serve it.
func (grpcProtocol) connect(ctx context.Context, client *Client, conn net.Conn, told hooks) (connection, error) {
	made := newGRPCConn(client, conn, told)
	if err := made.awaitSettings(ctx); err != nil {
		made.h2.Abort(err)
		return nil, err
	}
	return made, nil
}

func (grpcProtocol) separatesStreams() bool { return false }

// http2Preface is the beginning of the bytes that a client of HTTP/2 sends first.
const http2Preface = "PRI * HT"

func (grpcProtocol) recognise(first []byte) func(*serverConn) error {
	if !bytes.HasPrefix(first, []byte(http2Preface)) {
		return nil
	}
	return (*serverConn).serveGRPC
}
