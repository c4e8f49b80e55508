package rpc

import (
	"fmt"
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

var wireTexts = [...]string{"ttheader", "ttheader-framed", "ttheader-compact", "framed", "framed-compact", "buffered", "buffered-compact", "grpc"}

// String returns the name, as ParseWire reads it.
func (w Wire) String() string { return wireTexts[w] }

// ParseWire reads the name of a wire.
func ParseWire(name string) (Wire, error) {
	for i, text := range wireTexts {
		if text == name {
			return Wire(i), nil
		}
	}
	return 0, fmt.Errorf("wire %q is not known; take one of %s", name, strings.Join(wireTexts[:], ", "))
}

var thriftForms = [...]thriftwire.Form{
	TTHeader:        {Carrier: thriftwire.TTHeader},
	TTHeaderFramed:  {Carrier: thriftwire.TTHeaderFramed},
	TTHeaderCompact: {Carrier: thriftwire.TTHeader, IsCompact: true},
	Framed:          {Carrier: thriftwire.Framed},
	FramedCompact:   {Carrier: thriftwire.Framed, IsCompact: true},
	Buffered:        {Carrier: thriftwire.Buffered},
	BufferedCompact: {Carrier: thriftwire.Buffered, IsCompact: true},
}

// wireOf returns the wire of messages of a form.
func wireOf(form thriftwire.Form) Wire {
	for wire, of := range thriftForms {
		if of == form {
			return Wire(wire)
		}
	}
	return TTHeaderFramed
}
