package codec

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"sync"

	"hone/go/thrift"
)

// Compact is the Compact protocol
// (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md), for clients and servers of generated
// code by thrift.Wire{Protocol: codec.Compact{}}, and for structs by [Compact.Marshal] and [Compact.Unmarshal].
//
// Messages of both protocols name the types of their values, so one protocol can be turned into the other without knowing the
// struct. A message is turned into one of the Binary protocol, which generated code or the runtime codec reads, and back. So there
// is only one codec that has to be right, and all rules of the Binary protocol hold for the Compact protocol too: the order of
// fields, unknown fields, which are kept in a form that both protocols can write, wrong types, required fields, depth, and the
// texts of errors, with offsets in the Compact message. It costs a pass over the message and memory for the message in the other
// form, at most eight times as large. That memory is used again where it is not large.
//
// A message has the limits of a message of the Binary protocol that is twice as long, since its numbers take less room.
type Compact struct {
	Options thrift.Options
}

// These are the first bytes of a message: an id, and a byte with the message's type above the version.
const (
	compactID      = 0x82
	compactVersion = 1
	versionBits    = 5
)

// mostKept is the largest buffer that is kept for the next message.
const mostKept = 256 << 10

// buffers are buffers for messages in the Binary protocol.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

func putBuffer(buffer *[]byte, used []byte) {
	if cap(used) <= mostKept {
		*buffer = used[:0]
		buffers.Put(buffer)
	}
}

// AppendMessage implements [thrift.Protocol]. It panics if the body does not write a valid struct.
func (Compact) AppendMessage(to []byte, header thrift.Header, body thrift.Writer) []byte {
	if len(header.Method) > math.MaxInt32 {
		panic(thrift.ErrLength)
	}
	to = append(to, compactID, byte(header.Type)<<versionBits|compactVersion)
	to = appendVarint(to, uint64(uint32(header.Sequence)))
	to = appendVarint(to, uint64(len(header.Method)))
	to = append(to, header.Method...)
	return appendCompact(to, body)
}

// appendCompact writes a struct behind these bytes.
func appendCompact(to []byte, body thrift.Writer) []byte {
	buffer := buffers.Get().(*[]byte)
	binary := thrift.Append((*buffer)[:0], body)
	c := compressor{in: binary, out: to}
	c.fields()
	putBuffer(buffer, binary)
	return c.out
}

// ReadHeader implements [thrift.Protocol].
func (Compact) ReadHeader(message []byte) (thrift.Header, int, error) {
	c := expander{in: message}
	header := c.header()
	if c.fault != 0 {
		return header, 0, &thrift.HeaderError{Fault: c.fault}
	}
	return header, c.off, nil
}

// header reads a message's header.
func (c *expander) header() thrift.Header {
	id, second := c.byte(), c.byte()
	if c.fault == 0 && (id != compactID || second&(1<<versionBits-1) != compactVersion) {
		c.fail(thrift.WrongVersion, 0)
	}
	sequence := int32(c.varint32())
	name := c.take(c.length())
	if c.fault != 0 {
		return thrift.Header{}
	}
	return thrift.Header{Method: string(name), Type: thrift.MessageType(second >> versionBits), Sequence: sequence}
}

// ReadBody implements [thrift.Protocol].
//
// # Errors
//
// A [thrift.ProtocolError]. The struct then holds the values before the fault, or nothing of the message.
func (p Compact) ReadBody(body []byte, into thrift.Reader) error {
	return p.read(body, reflect.TypeOf(into), func(options thrift.Options, binary []byte) error {
		return thrift.UnmarshalWith(options, binary, into)
	})
}

// Marshal writes a struct as a message of the Compact protocol, without a header. A generated struct is written by its own methods.
//
// # Errors
//
// The same as those of the function [Marshal].
func (p Compact) Marshal(v any) ([]byte, error) { return p.Append(nil, v) }

// Append writes a struct behind these bytes.
//
// # Errors
//
// The same as those of the function [Marshal].
func (Compact) Append(to []byte, v any) (message []byte, err error) {
	message = to
	defer thrift.RecoverLength(&err)
	if body, ok := v.(thrift.Writer); ok {
		return appendCompact(to, body), nil
	}
	s, from, err := given(v)
	if err != nil {
		return to, err
	}
	return appendCompact(to, writer{s, from}), nil
}

// Unmarshal reads a message of the Compact protocol, without a header, into a struct. A generated struct is read by its own
// methods.
//
// # Errors
//
// A [TypeError], or the same errors as those of [Compact.ReadBody].
func (p Compact) Unmarshal(b []byte, v any) error {
	if into, ok := v.(thrift.Reader); ok {
		return p.ReadBody(b, into)
	}
	return p.read(b, reflect.TypeOf(v), func(options thrift.Options, binary []byte) error {
		return UnmarshalWith(options, binary, v)
	})
}

// read turns a message into the Binary protocol, and calls the given function to read it.
func (p Compact) read(body []byte, of reflect.Type, read func(options thrift.Options, binary []byte) error) error {
	// Borrowed strings share the memory of the buffer, so it is not used again.
	isBorrowed := p.Options.Texts == thrift.Borrowed
	var buffer *[]byte
	c := expander{in: body}
	if !isBorrowed {
		buffer = buffers.Get().(*[]byte)
		c.out = (*buffer)[:cap(*buffer)]
	}
	if usual := 2*len(body) + headBytes; usual > len(c.out) {
		c.out = make([]byte, usual)
	}
	err := p.readExpanded(&c, body, of, read)
	if !isBorrowed {
		putBuffer(buffer, c.out)
	}
	return err
}

// readExpanded turns a message into the Binary protocol with this expander, and calls the given function to read it.
func (p Compact) readExpanded(c *expander, body []byte, of reflect.Type, read func(options thrift.Options, binary []byte) error) error {
	options, limits := p.Options, p.Options.LimitsInForce()
	c.fields(limits.Nesting())
	if c.fault != 0 {
		slices.Reverse(c.path)
		return thrift.NewProtocolError(of, c.fault, c.path)
	}
	options.Limits = thrift.Limits{Slack: limits.Bytes(2 * len(body)), Depth: limits.Depth}
	err := read(options, c.out[:c.at])
	var fault *thrift.ProtocolError
	switch {
	case errors.As(err, &fault):
		return fault.Moved(of, p.offsetOf(fault.Fault.Offset(), body))
	case err == nil && c.off != len(body):
		return thrift.NewProtocolError(of, thrift.NewFault(thrift.Trailing, c.off), nil)
	}
	return err
}

// offsetOf returns the offset in the Compact message of the value that has this offset in the Binary protocol.
func (p Compact) offsetOf(binary int, body []byte) int {
	c := expander{in: body, measures: true, target: binary, found: -1}
	c.fields(p.Options.LimitsInForce().Nesting())
	return max(c.found, 0)
}
