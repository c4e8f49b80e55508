package thrift

import (
	"fmt"

	"hone/go/raw"
)

// MessageType is the sort of a message.
type MessageType int8

// All types of messages.
const (
	Call      MessageType = 1
	Reply     MessageType = 2
	Exception MessageType = 3
	Oneway    MessageType = 4
)

// Header is the start of a message.
type Header struct {
	Method   string
	Type     MessageType
	Sequence int32
}

// Protocol says how messages are written.
type Protocol interface {
	// AppendMessage writes a message behind these bytes. It panics as [Marshal] does.
	AppendMessage(to []byte, header Header, body Writer) []byte
	// ReadHeader reads the header that a message begins with, and gives the offset of its body.
	ReadHeader(message []byte) (Header, int, error)
	// ReadBody reads a body.
	ReadBody(body []byte, into Reader) error
	// NewExtent makes an [Extent], which finds the end of the next message.
	NewExtent() *Extent
}

// Binary is the Binary protocol.
type Binary struct {
	Options Options
}

// lends reports whether strings share the memory of the message. Types that embed a Binary have this method too.
func (p Binary) lends() bool { return p.Options.Texts == Borrowed }

// versionMask and version1 tell a message with a version, as all programs write them today, from an older message, which begins
// with the length of the function's name.
const (
	versionMask = 0xffff0000
	version1    = 0x80010000
)

// maxNameBytes is the longest name of a function. A message that begins with a longer one belongs to another protocol, most often
// HTTP.
const maxNameBytes = 64 << 10

// AppendMessage implements [Protocol].
func (Binary) AppendMessage(to []byte, header Header, body Writer) []byte {
	if len(header.Method) > mostLength {
		panic(ErrLength)
	}
	start, size := len(to), 12+len(header.Method)
	to = append(to, make([]byte, size)...)
	off := PutI32Element(to, start, int32(uint32(version1)|uint32(header.Type)))
	off = PutTextElement(to, off, header.Method)
	PutI32Element(to, off, header.Sequence)
	return Append(to, body)
}

// ReadHeader implements [Protocol].
func (p Binary) ReadHeader(message []byte) (Header, int, error) {
	var d Decoder
	options := p.Options
	if options.Texts == Together {
		// There are no other strings beside the name.
		options.Texts = Apart
	}
	d.begin(message, &options)
	header, off := d.header()
	if d.fault != 0 {
		return header, 0, &HeaderError{d.fault}
	}
	return header, off, nil
}

// header reads a message's header, with a version or without.
func (d *Decoder) header() (Header, int) {
	if len(d.message) < 4 {
		d.fail(Truncated, 0)
		return Header{}, 0
	}
	first := raw.Uint32(d.message, 0)
	if first <= maxNameBytes && first > 0 {
		name, off := d.TextElement(0)
		kind, off := d.I8Element(off)
		sequence, off := d.I32Element(off)
		return Header{name, MessageType(kind), sequence}, off
	}
	if first&versionMask != version1 {
		d.fail(WrongVersion, 0)
		return Header{}, 0
	}
	name, off := d.TextElement(4)
	sequence, off := d.I32Element(off)
	return Header{name, MessageType(first & 0xff), sequence}, off
}

// ReadBody implements [Protocol].
func (p Binary) ReadBody(body []byte, into Reader) error {
	return UnmarshalWith(p.Options, body, into)
}

// HeaderError is the error of a message whose header or end cannot be read.
type HeaderError struct {
	Fault Fault
}

// Error says what is wrong.
func (e *HeaderError) Error() string {
	return fmt.Sprintf("read message error: %v (at byte %d)", e.Fault.Cause(), e.Fault.Offset())
}

// Unwrap returns the cause, and io.ErrUnexpectedEOF beside it where the message ends too early.
func (e *HeaderError) Unwrap() []error { return e.Fault.causes() }

// TypeId gives the kind of Apache Thrift's TProtocolException.
func (e *HeaderError) TypeId() int { return e.Fault.TypeId() }
