package thrift

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Wire is how messages follow each other on a connection.
type Wire struct {
	// Protocol is [Binary] if nothing is said.
	Protocol Protocol
	// Framed puts the length of each message before it, 4 bytes, as TFramedTransport does.
	Framed bool
	// MessageBytes is how long a message may be, in both directions; 0 is 16 MiB. A frame has 2 GiB - 1 at most, whatever stands here.
	MessageBytes int
}

const defaultMessageBytes = 16 << 20

func (w Wire) protocol() Protocol {
	if w.Protocol == nil {
		return Binary{}
	}
	return w.Protocol
}

// messageBytes is how long a message may be. The length before a frame is an i32.
func (w Wire) messageBytes() int {
	switch {
	case w.MessageBytes == 0:
		return defaultMessageBytes
	case w.Framed:
		return min(w.MessageBytes, mostLength)
	}
	return w.MessageBytes
}

// connection reads and writes messages.
type connection struct {
	wire     Wire
	incoming *bufio.Reader
	outgoing io.Writer
	// message is what was read last. pending is behind it, and belongs to the next one.
	message, pending []byte
	buffer           []byte
}

func newConnection(stream io.ReadWriter, wire Wire) *connection {
	return &connection{wire: wire, incoming: bufio.NewReader(stream), outgoing: stream}
}

// read gives the next message, which is valid until the one after it is read; io.EOF where the connection ends between two.
func (c *connection) read() ([]byte, error) {
	if c.wire.Framed {
		return c.readFrame()
	}
	return c.readUnframed()
}

// begins waits for the next message, of which nothing has come when this fails. The one before it is no longer valid.
func (c *connection) begins() error {
	c.release()
	if len(c.pending) > 0 {
		return nil
	}
	_, err := c.incoming.Peek(1)
	return err
}

func (c *connection) readFrame() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(c.incoming, head[:]); err != nil {
		return nil, err
	}
	length := binary.BigEndian.Uint32(head[:])
	if int64(length) > int64(c.wire.messageBytes()) {
		return nil, &TooLongError{Bytes: int(min(int64(length), math.MaxInt)), Limit: c.wire.messageBytes()}
	}
	c.message = c.emptyMessage()
	// Room is made as bytes come, not as they are claimed.
	for len(c.message) < int(length) {
		part := min(int(length)-len(c.message), max(64<<10, len(c.message)))
		start := len(c.message)
		c.message = append(c.message, make([]byte, part)...)
		if _, err := io.ReadFull(c.incoming, c.message[start:]); err != nil {
			return nil, unexpected(err)
		}
	}
	return c.message, nil
}

// readUnframed reads until a message is there as a whole.
func (c *connection) readUnframed() ([]byte, error) {
	c.message = append(c.emptyMessage(), c.pending...)
	c.pending = nil
	extent := c.wire.protocol().NewExtent()
	for {
		if len(c.message) > 0 {
			n, err := extent.Length(c.message)
			if err != nil {
				return nil, err
			}
			if n > c.wire.messageBytes() {
				return nil, &TooLongError{Bytes: n, Limit: c.wire.messageBytes()}
			}
			if n > 0 {
				c.pending = append([]byte(nil), c.message[n:]...)
				return c.message[:n], nil
			}
		}
		if len(c.message) > c.wire.messageBytes() {
			return nil, &TooLongError{Bytes: len(c.message), Limit: c.wire.messageBytes()}
		}
		if err := c.readMore(); err != nil {
			return nil, err
		}
	}
}

// emptyMessage is memory for the next message: that of the last one, unless strings of it may be in use, or it is so large that
// it should not be kept for a connection which may be idle.
func (c *connection) emptyMessage() []byte {
	lender, ok := c.wire.protocol().(interface{ lends() bool })
	if ok && lender.lends() || cap(c.message) > keptBytes {
		return nil
	}
	return c.message[:0]
}

// release lets go of the last message, and keeps no more memory than a connection may that is idle.
func (c *connection) release() {
	c.message = c.emptyMessage()
	if cap(c.buffer) > keptBytes {
		c.buffer = nil
	}
}

// keptBytes is how much memory a connection keeps while it waits, in each direction.
const keptBytes = 64 << 10

// readMore reads what is there, and waits for at least one byte.
func (c *connection) readMore() error {
	if _, err := c.incoming.Peek(1); err != nil {
		if len(c.message) > 0 {
			return unexpected(err)
		}
		return err
	}
	part, err := c.incoming.Peek(c.incoming.Buffered())
	if err != nil {
		return err
	}
	c.message = append(c.message, part...)
	_, err = c.incoming.Discard(len(part))
	return err
}

// unexpected is an end in the middle of something.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// write sends a message; nothing of it if it is too long, or a value in it is.
func (c *connection) write(header Header, body Writer) (err error) {
	defer RecoverLength(&err)
	c.buffer = c.buffer[:0]
	if c.wire.Framed {
		c.buffer = append(c.buffer, 0, 0, 0, 0)
	}
	c.buffer = c.wire.protocol().AppendMessage(c.buffer, header, body)
	length := len(c.buffer)
	if c.wire.Framed {
		length -= 4
		binary.BigEndian.PutUint32(c.buffer, uint32(length))
	}
	if length > c.wire.messageBytes() {
		return &TooLongError{Bytes: length, Limit: c.wire.messageBytes()}
	}
	_, err = c.outgoing.Write(c.buffer)
	return err
}

// TooLongError is a message that is longer than [Wire] allows, or claims to be.
type TooLongError struct {
	// Bytes is its length, as far as it is known.
	Bytes int
	// Limit is how long it may be.
	Limit int
}

// Error says both.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("a message of %d bytes or more is longer than the %d that it may have", e.Bytes, e.Limit)
}

// wasNotSent is whether an error says that nothing was sent of a message, since it cannot be.
func wasNotSent(err error) bool {
	var tooLong *TooLongError
	return errors.As(err, &tooLong) || errors.Is(err, ErrLength)
}

// TypeId is the kind of Apache Thrift's TProtocolException.
func (e *TooLongError) TypeId() int { return SizeLimit }
