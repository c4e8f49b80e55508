package thriftwire

import (
	"encoding/binary"

	"hone/go/codec"
	"hone/go/thrift"
)

// Carrier says what is written around a message.
type Carrier uint8

// All carriers.
const (
	// Buffered means that there is nothing around a message: it ends where its bytes say.
	Buffered Carrier = iota
	// Framed means a length of 4 bytes before the message.
	Framed
	// TTHeader means a length and a header before the message.
	TTHeader
	// TTHeaderFramed means a length and a header before the message, and a second length after these.
	TTHeaderFramed
)

// HasHeader reports whether messages have a TTHeader.
func (c Carrier) HasHeader() bool { return c >= TTHeader }

// Form says how messages of a connection are written.
type Form struct {
	Carrier Carrier
	// IsCompact says that the protocol is Compact, and not Binary.
	IsCompact bool
}

// Protocols reads and writes messages of both protocols.
type Protocols struct {
	// whole are Binary and Compact. names are the same protocols for reading headers only: the names in them share the message's
	// memory.
	whole, names [2]thrift.Protocol
	lend         bool
}

// NewProtocols makes Protocols that read with these options.
func NewProtocols(options thrift.Options) *Protocols {
	names := options
	names.Texts = thrift.Borrowed
	return &Protocols{
		whole: [2]thrift.Protocol{thrift.Binary{Options: options}, codec.Compact{Options: options}},
		names: [2]thrift.Protocol{thrift.Binary{Options: names}, codec.Compact{Options: names}},
		lend:  options.Texts == thrift.Borrowed,
	}
}

// Lend reports whether values that are read share the memory of the message.
func (p *Protocols) Lend() bool { return p.lend }

// Of returns the protocol of a form.
func (p *Protocols) Of(form Form) thrift.Protocol { return p.whole[form.index()] }

func (f Form) index() int {
	if f.IsCompact {
		return 1
	}
	return 0
}

// ReadHeader reads the header of a message and returns the offset of its body. The method's name shares the message's memory.
func (p *Protocols) ReadHeader(form Form, message []byte) (thrift.Header, int, error) {
	return p.names[form.index()].ReadHeader(message)
}

// SniffBytes is the number of bytes that Sniff needs at most, and FewestBytes the number that it needs at least: a whole message
// may have fewer than SniffBytes in the Compact protocol, and is recognised by the first FewestBytes.
const (
	SniffBytes  = 8
	FewestBytes = 2
)

// binaryID and compactID are the first bytes of messages of a protocol with a version.
const (
	binaryID  = 0x8001
	compactID = 0x82
)

// mostNameBytes is the longest name of a method, where a message without a version begins with the length of that name.
const mostNameBytes = 64 << 10

// Sniff returns the form of a connection by its first bytes. It returns false for a connection that is not Thrift's, and where it
// would need more bytes than it is given.
func Sniff(first []byte) (Form, bool) {
	if form, ok := sniffMessage(first); ok || len(first) < SniffBytes {
		return form, ok
	}
	second := binary.BigEndian.Uint16(first[lengthBytes:])
	switch {
	case second == magic:
		// Each message says for itself whether a length comes after the header, and which protocol it has.
		return Form{Carrier: TTHeader}, true
	case second == binaryID:
		return Form{Carrier: Framed}, true
	case first[lengthBytes] == compactID && first[lengthBytes+1]&0x1f == 1:
		return Form{Carrier: Framed, IsCompact: true}, true
	}
	// Without a version, a message begins with the length of its method's name.
	length, name := binary.BigEndian.Uint32(first), binary.BigEndian.Uint32(first[lengthBytes:])
	if name > 0 && name <= mostNameBytes && name < length {
		return Form{Carrier: Framed}, true
	}
	return Form{}, length > 0 && length <= mostNameBytes && isNameByte(first[lengthBytes])
}

// sniffMessage returns the protocol of a message that has a version and nothing around it.
func sniffMessage(first []byte) (Form, bool) {
	switch {
	case len(first) < FewestBytes:
		return Form{}, false
	case binary.BigEndian.Uint16(first) == binaryID:
		return Form{}, true
	case first[0] == compactID && first[1]&0x1f == 1:
		return Form{IsCompact: true}, true
	}
	return Form{}, false
}

func isNameByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
