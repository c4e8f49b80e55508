package thriftwire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"

	"hone/go/rpc/internal/link"
	"hone/go/thrift"
)

// Message is a message that has come.
type Message struct {
	Form   Form
	Header Header
	// Bytes is the message without anything around it: its header and body in the protocol of its form.
	Bytes []byte
	// IsKept says that Bytes stay valid when the next message is read.
	IsKept bool
	// TooLong is the length of a message that is longer than allowed. Then Bytes is the start of the message, and the rest is skipped.
	// It is 0 for a message that is complete.
	TooLong int
}

// Reader reads messages from a link.
type Reader struct {
	Link *link.Link
	// Form is the form of the connection. Behind a TTHeader, messages may have other forms.
	Form Form
	// MessageBytes is the longest message in bytes, with its headers.
	MessageBytes int
	Protocols    *Protocols
	// SkipsLong makes Next return the start of a message that is too long, and skip the rest, instead of failing. Messages without a
	// length before them are not skipped.
	SkipsLong bool
	// tooLong is the length of a message that is too long and whose start has been read. unskipped is the number of its bytes that
	// have not come yet.
	tooLong, unskipped int
	// own is the memory of a message that has come in part: there bytes have come, and ownBytes will have come in the end. A deadline
	// may end Next within such a message, and the next call goes on with it.
	own             []byte
	there, ownBytes int
	isInOwn         bool
}

// mostSkipped is the longest message that is skipped: bytes that claim to be longer are no message.
const mostSkipped = 256 << 20

// mostShared is the longest message that is read into the link's buffer, which the next message overwrites.
const mostShared = 64 << 10

// Next reads a message. It is valid until the next call.
//
// # Errors
//
// io.EOF where the connection ends between two messages; a [thrift.TooLongError]; a [HeaderError]; a [thrift.HeaderError] of a
// message whose end cannot be found.
func (r *Reader) Next(m *Message) error {
	if r.Form.Carrier == Buffered {
		return r.nextBuffered(m)
	}
	if err := r.skip(); err != nil {
		return err
	}
	frame, isKept, err := r.frame()
	if err != nil {
		return err
	}
	m.Form, m.Bytes, m.IsKept, m.TooLong = r.Form, frame, isKept, r.tooLong
	r.tooLong = 0
	if r.Form.Carrier.HasHeader() {
		return m.behindHeader()
	}
	return nil
}

// frame reads a length of 4 bytes and the bytes behind it.
func (r *Reader) frame() (frame []byte, isKept bool, err error) {
	if r.isInOwn {
		frame, err = r.readOwn()
		return frame, true, err
	}
	there, err := r.Link.Peek(lengthBytes)
	if err != nil {
		return nil, false, err
	}
	length := int64(binary.BigEndian.Uint32(there))
	if r.SkipsLong && length > int64(r.MessageBytes) {
		if err := otherWire(there); err != nil {
			return nil, false, err
		}
	}
	if length > int64(r.MessageBytes) && r.SkipsLong && length <= mostSkipped {
		return r.beginOfLong(int(length))
	}
	if length > int64(r.MessageBytes) {
		return nil, false, &thrift.TooLongError{Bytes: int(min(length, math.MaxInt)), Limit: r.MessageBytes}
	}
	if length > mostShared || r.Protocols.Lend() {
		r.Link.Skip(lengthBytes)
		r.isInOwn, r.ownBytes = true, int(length)
		frame, err = r.readOwn()
		return frame, true, err
	}
	if there, err = r.Link.Peek(lengthBytes + int(length)); err != nil {
		return nil, false, err
	}
	r.Link.Skip(lengthBytes + int(length))
	return there[lengthBytes : lengthBytes+int(length)], false, nil
}

// These are the errors for servers that speak another protocol.
var (
	ErrTLS   = errors.New("the server answers in TLS: connect with TLS")
	ErrHTTP1 = errors.New("the server answers in HTTP/1: give the address of a server of Thrift")
)

// otherWire returns the error of an answer that begins like those of other protocols.
func otherWire(begin []byte) error {
	switch {
	case bytes.HasPrefix(begin, []byte{0x15, 3}):
		return ErrTLS
	case bytes.HasPrefix(begin, []byte("HTTP")):
		return ErrHTTP1
	}
	return nil
}

// beginOfLong reads the start of a message that will be skipped: enough for its headers.
func (r *Reader) beginOfLong(length int) ([]byte, bool, error) {
	begin := min(length, mostShared)
	there, err := r.Link.Peek(lengthBytes + begin)
	if err != nil {
		return nil, false, err
	}
	r.Link.Skip(lengthBytes + begin)
	r.tooLong, r.unskipped = length, length-begin
	return there[lengthBytes : lengthBytes+begin], false, nil
}

// skip skips the rest of a message that is too long.
func (r *Reader) skip() error {
	for r.unskipped > 0 {
		there, err := r.Link.Peek(1)
		if err != nil {
			return err
		}
		part := min(len(there), r.unskipped)
		r.Link.Skip(part)
		r.unskipped -= part
	}
	return nil
}

// readOwn reads into the message's own memory. It makes room as bytes come, not for as many as the length claims.
func (r *Reader) readOwn() ([]byte, error) {
	for r.there < r.ownBytes {
		if r.there == len(r.own) {
			r.own = append(r.own, make([]byte, min(r.ownBytes-r.there, max(mostShared, r.there)))...)
		}
		n, err := r.Link.ReadFull(r.own[r.there:])
		if r.there += n; err != nil {
			return nil, err
		}
	}
	message := r.own
	r.own, r.there, r.isInOwn = nil, 0, false
	return message, nil
}

// behindHeader takes a TTHeader off a message, and a second length behind it.
func (m *Message) behindHeader() error {
	header, off, err := parseHeader(m.Bytes)
	if err != nil {
		return err
	}
	m.Header, m.Bytes = header, m.Bytes[off:]
	if header.Flags&Streaming != 0 {
		// The kind of the frame decides what the payload is.
		return nil
	}
	// The header also names the protocol, but that is not reliable: some programs write Binary's number for any protocol.
	form, isAlone := sniffMessage(m.Bytes)
	if isAlone {
		m.Form = Form{TTHeader, form.IsCompact}
		return nil
	}
	if len(m.Bytes) < SniffBytes {
		return errShort
	}
	length := binary.BigEndian.Uint32(m.Bytes)
	if m.Bytes = m.Bytes[lengthBytes:]; int64(length) != int64(len(m.Bytes)) && m.TooLong == 0 {
		return &HeaderError{"the payload is neither a message of Thrift's Binary or Compact protocol nor a frame of one"}
	}
	form, _ = sniffMessage(m.Bytes)
	m.Form = Form{TTHeaderFramed, form.IsCompact}
	return nil
}

// nextBuffered reads a message up to the end that its bytes show.
func (r *Reader) nextBuffered(m *Message) error {
	extent, there := r.Protocols.Of(r.Form).NewExtent(), 0
	for {
		begin, err := r.Link.Peek(there + 1)
		if err != nil {
			return err
		}
		there = len(begin)
		length, err := extent.Length(begin)
		if err != nil {
			if other := otherWire(begin); other != nil {
				err = other
			}
			return err
		}
		if max(length, there) > r.MessageBytes && (length > r.MessageBytes || length == 0) {
			if other := otherWire(begin); other != nil {
				return other
			}
			return &thrift.TooLongError{Bytes: max(length, there), Limit: r.MessageBytes}
		}
		if length == 0 {
			continue
		}
		m.Form, m.Bytes, m.IsKept = r.Form, begin[:length], false
		if r.Protocols.Lend() {
			m.Bytes, m.IsKept = append([]byte(nil), m.Bytes...), true
		}
		r.Link.Skip(length)
		return nil
	}
}

// Outgoing is a message that is to be sent. It is a [link.Frame].
type Outgoing struct {
	Form      Form
	Protocols *Protocols
	// MessageBytes is the longest message in bytes, with its headers.
	MessageBytes int
	Header       thrift.Header
	Body         thrift.Writer
	// Flags, Numbered and Named are written into a TTHeader.
	Flags    uint16
	Numbered []Numbered
	Named    []Named
}

// These are the numbers of the protocols in a TTHeader.
const (
	headerBinary  = 0x00
	headerCompact = 0x02
)

// AppendFrame implements [link.Frame].
//
// # Errors
//
// A [thrift.TooLongError]; [ErrLongFact].
func (o *Outgoing) AppendFrame(to []byte) ([]byte, error) {
	start := len(to)
	var err error
	switch o.Form.Carrier {
	case Framed:
		to = append(to, 0, 0, 0, 0)
	case TTHeader, TTHeaderFramed:
		protocol := byte(headerBinary)
		if o.Form.IsCompact {
			protocol = headerCompact
		}
		if to, err = appendHeader(to, o.Flags, o.Header.Sequence, protocol, o.Numbered, o.Named); err != nil {
			return to, err
		}
		if o.Form.Carrier == TTHeaderFramed {
			to = append(to, 0, 0, 0, 0)
		}
	}
	body := len(to)
	to = o.Protocols.Of(o.Form).AppendMessage(to, o.Header, o.Body)
	if len(to)-start > o.MessageBytes {
		return to[:start], &thrift.TooLongError{Bytes: len(to) - start, Limit: o.MessageBytes}
	}
	if o.Form.Carrier != Buffered {
		binary.BigEndian.PutUint32(to[start:], uint32(len(to)-start-lengthBytes))
	}
	if o.Form.Carrier == TTHeaderFramed {
		binary.BigEndian.PutUint32(to[body-lengthBytes:], uint32(len(to)-body))
	}
	return to, nil
}
