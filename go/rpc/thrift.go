package rpc

import (
	"context"
	"errors"
	"net"

	"hone/go/rpc/internal/thriftwire"
	"hone/go/thrift"
)

// thriftProtocol is the [protocol] of Thrift's wires, which differ in the form of their messages.
type thriftProtocol struct{ form thriftwire.Form }

func (thriftProtocol) system() string { return "thrift" }

func (p thriftProtocol) carriesMetadata() bool { return p.form.Carrier.HasHeader() }

func (p thriftProtocol) hasStreams() bool { return p.form.Carrier.HasHeader() && !p.form.IsCompact }

func (p thriftProtocol) refuses(kind callKind) string {
	switch {
	case kind == protobufMethod:
		return "methods of protobuf are called over gRPC; set Wire to GRPC"
	case kind == thriftStreaming && !p.hasStreams():
		return "streams of Thrift go over TTHeader alone; set Wire to TTHeader"
	}
	return ""
}

// checkOutgoing implements [protocol]: a TTHeader carries any bytes, and the other forms carry no metadata.
func (thriftProtocol) checkOutgoing(context.Context) error { return nil }

func (thriftProtocol) nextProtos() []string { return nil }

func (p thriftProtocol) connect(_ context.Context, client *Client, conn net.Conn, told hooks) (connection, error) {
	return newThriftConn(client, p.form, conn, told), nil
}

// probeMethod is a function that no service has: every server answers that it does not know it, or ends the connection.
const probeMethod = "hone.probe"

var errProbed = errors.New("the probe has ended")

// answersProbe implements [prober]. Servers of other packages close a connection after an unknown function.
func (p thriftProtocol) answersProbe(ctx context.Context, client *Client, conn net.Conn) bool {
	made := newThriftConn(client, p.form, conn, hooks{})
	defer made.link.Close(errProbed)
	call := made.newCall(&request{client: client, method: probeMethod}, new(thrift.Nothing), new(thrift.Nothing))
	made.call(ctx, call)
	return ctx.Err() == nil
}

// separatesStreams implements [protocol]: servers of Kitex determine by a connection's first frame whether it has streams or calls.
func (thriftProtocol) separatesStreams() bool { return true }

func (thriftProtocol) recognise(first []byte) func(*serverConn) error {
	form, isThrift := thriftwire.Sniff(first)
	if !isThrift {
		return nil
	}
	return func(c *serverConn) error { return c.serveThrift(form) }
}

// wireOf returns the wire of messages of a form.
func wireOf(form thriftwire.Form) Wire {
	for wire, of := range wires {
		if of.protocol == protocol(thriftProtocol{form}) {
			return Wire(wire)
		}
	}
	return TTHeaderFramed
}
