package rpc

import (
	"context"
	"fmt"
	"net"
	"strings"

	"hone/go/rpc/internal/thriftwire"
)

// Wire is the protocol in which a client writes calls. A server recognises it by the first bytes of a connection.
type Wire uint8

// All wires.
const (
	// TTHeader is Thrift's Binary protocol behind a header that carries deadlines and metadata, as Kitex speaks it.
	TTHeader Wire = iota
	// TTHeaderFramed has a second length after the header.
	TTHeaderFramed
	// TTHeaderCompact is TTHeader with the Compact protocol.
	TTHeaderCompact
	// Framed is Thrift's Binary protocol behind a length, as TFramedTransport writes it. It carries neither deadlines nor metadata.
	Framed
	// FramedCompact is Framed with the Compact protocol.
	FramedCompact
	// Buffered is Thrift's Binary protocol alone.
	Buffered
	// BufferedCompact is Thrift's Compact protocol alone.
	BufferedCompact
	// GRPC is gRPC over HTTP/2, for services of protobuf.
	GRPC
)

// wires holds, for each wire, its name and what clients and servers do by it.
var wires = [...]struct {
	name string
	protocol
}{
	TTHeader:        {"ttheader", thriftProtocol{thriftwire.Form{Carrier: thriftwire.TTHeader}}},
	TTHeaderFramed:  {"ttheader-framed", thriftProtocol{thriftwire.Form{Carrier: thriftwire.TTHeaderFramed}}},
	TTHeaderCompact: {"ttheader-compact", thriftProtocol{thriftwire.Form{Carrier: thriftwire.TTHeader, IsCompact: true}}},
	Framed:          {"framed", thriftProtocol{thriftwire.Form{Carrier: thriftwire.Framed}}},
	FramedCompact:   {"framed-compact", thriftProtocol{thriftwire.Form{Carrier: thriftwire.Framed, IsCompact: true}}},
	Buffered:        {"buffered", thriftProtocol{thriftwire.Form{Carrier: thriftwire.Buffered}}},
	BufferedCompact: {"buffered-compact", thriftProtocol{thriftwire.Form{Carrier: thriftwire.Buffered, IsCompact: true}}},
	GRPC:            {"grpc", grpcProtocol{}},
}

// spoken holds the protocols that a server recognises, in the order in which it looks for them.
var spoken = [...]protocol{thriftProtocol{}, grpcProtocol{}}

// protocol is all that differs between wires of Thrift and of gRPC, on both sides: thriftProtocol and grpcProtocol implement it. Nothing else asks
// which wire a client has.
type protocol interface {
	// system returns the name of the RPC system, as OpenTelemetry's conventions have it.
	system() string
	// carriesMetadata reports whether metadata and deadlines go with calls, and many calls share a connection without waiting for each other.
	carriesMetadata() bool
	// hasStreams reports whether the wire carries calls with several requests or responses.
	hasStreams() bool
	// refuses returns why calls of a kind cannot be sent, and what to do; "" if they can.
	refuses(kind callKind) string
	// checkOutgoing returns an error if the wire cannot carry the context's metadata for a call.
	checkOutgoing(ctx context.Context) error
	// nextProtos returns the names of the protocol in TLS's negotiation (ALPN); nil if it has none.
	nextProtos() []string
	// connect makes a connection for calls over a connection to a server.
	connect(ctx context.Context, client *Client, conn net.Conn, told hooks) (connection, error)
	// separatesStreams reports whether streams need connections of their own.
	separatesStreams() bool
	// recognise returns the function that answers the calls of a client that begins with these bytes. It returns nil if they are of another protocol,
	// or too few: it is asked with thriftwire.FewestBytes first, then with thriftwire.SniffBytes.
	recognise(first []byte) func(*serverConn) error
}

// prober is a [protocol] whose servers say nothing before they are called. An instance that fell silent is probed before calls go to it again; where
// servers speak first, connect waits for that.
type prober interface {
	// answersProbe reports whether the server answers a call over the connection before the context ends, and closes the connection.
	answersProbe(ctx context.Context, client *Client, conn net.Conn) bool
}

// callKind is the kind of thing that is called.
type callKind uint8

const (
	// thriftFunction is a call of a function of Thrift.
	thriftFunction callKind = iota
	// thriftStreaming is a function of Thrift with a stream.
	thriftStreaming
	// protobufMethod is a method of protobuf, with a stream or without.
	protobufMethod
)

// checkKind returns an error if the client's wire does not carry calls of a kind.
func (c *Client) checkKind(kind callKind) *Error {
	if why := wires[c.Wire].refuses(kind); why != "" {
		return &Error{Code: InvalidArgument, Stage: Sending, Message: why}
	}
	return nil
}

// String returns the name, as ParseWire reads it.
func (w Wire) String() string { return wires[w].name }

// System returns the name of the wire's RPC system in OpenTelemetry's conventions (rpc.system.name): thrift or grpc.
func (w Wire) System() string { return wires[w].system() }

// CarriesMetadata reports whether metadata and deadlines go with calls over the wire. Over these wires, calls that share a connection do not wait for each
// other either.
func (w Wire) CarriesMetadata() bool { return wires[w].carriesMetadata() }

// HasStreams reports whether the wire carries calls with several requests or responses.
func (w Wire) HasStreams() bool { return wires[w].hasStreams() }

// Wires returns all wires.
func Wires() []Wire {
	all := make([]Wire, len(wires))
	for i := range all {
		all[i] = Wire(i)
	}
	return all
}

// ParseWire reads the name of a wire.
func ParseWire(name string) (Wire, error) {
	var names []string
	for i, wire := range wires {
		if wire.name == name {
			return Wire(i), nil
		}
		names = append(names, wire.name)
	}
	return 0, fmt.Errorf("wire %q is not known; take one of %s", name, strings.Join(names, ", "))
}
