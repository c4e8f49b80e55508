package thriftwire

import (
	"encoding/binary"

	"hone/go/codec"
	"hone/go/thrift"
)

// Carrier is what stands around a message.
type Carrier uint8

// All carriers.
const (
	// Buffered is nothing: a message ends where its bytes say.
	Buffered Carrier = iota
	// Framed is a length of 4 bytes before the message.
	Framed
	// TTHeader is a length and a header before it.
	TTHeader
	// TTHeaderFramed is a length and a header before it, and a second length after these.
	TTHeaderFramed
)

// HasHeader is whether messages have a TTHeader.
func (c Carrier) HasHeader() bool { return c >= TTHeader }

// Form is how messages of a connection are written.
type Form struct {
	Carrier Carrier
	// IsCompact is whether it is the Compact protocol, and not Binary.
	IsCompact bool
}

// Protocols reads and writes messages of both protocols.
type Protocols struct {
	// whole are Binary and Compact; names are the same for headers alone, whose names share the message's memory.
	whole, names [2]thrift.Protocol
	lend         bool
}

// NewProtocols reads with these options.
func NewProtocols(options thrift.Options) *Protocols {
	names := options
	names.Texts = thrift.Borrowed
	return &Protocols{
		whole: [2]thrift.Protocol{thrift.Binary{Options: options}, codec.Compact{Options: options}},
		names: [2]thrift.Protocol{thrift.Binary{Options: names}, codec.Compact{Options: names}},
		lend:  options.Texts == thrift.Borrowed,
	}
}

// Lend is whether what is read shares the memory of the message.
func (p *Protocols) Lend() bool { return p.lend }

// Of gives the protocol of a form.
func (p *Protocols) Of(form Form) thrift.Protocol { return p.whole[form.index()] }

func (f Form) index() int {
	if f.IsCompact {
		return 1
	}
	return 0
}

// ReadHeader reads the header of a message and gives the offset of its body. The method's name shares the message's memory.
func (p *Protocols) ReadHeader(form Form, message []byte) (thrift.Header, int, error) {
	return p.names[form.index()].ReadHeader(message)
}

// SniffBytes is how many bytes Sniff wants at most, and FewestBytes how many it wants at least: a whole message may have less than
// SniffBytes in the Compact protocol, and is told by these.
const (
	SniffBytes  = 8
	FewestBytes = 2
)

// binaryID and compactID begin messages of a protocol with a version.
const (
	binaryID  = 0x8001
	compactID = 0x82
)

// mostNameBytes is how long a method's name may be where a message without a version begins with its length.
const mostNameBytes = 64 << 10

// Sniff tells the form of a connection by its first bytes; false for one that is not Thrift's, or that has to be told by more bytes than
// FewestBytes.
func Sniff(first []byte) (Form, bool) {
	if form, ok := sniffMessage(first); ok || len(first) < SniffBytes {
		return form, ok
	}
	second := binary.BigEndian.Uint16(first[lengthBytes:])
	switch {
	case second == magic:
		// Whether a length comes after the header, and the protocol, are each message's own.
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

// sniffMessage tells the protocol of a message that stands alone and has a version.
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
