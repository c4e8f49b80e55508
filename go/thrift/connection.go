package thrift

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Wire says how messages follow each other on a connection.
type Wire struct {
	// Protocol is the protocol of the messages: [Binary] if it is nil.
	Protocol Protocol
	// Framed puts the length of each message before the message, in 4 bytes, as TFramedTransport does.
	Framed bool
	// MessageBytes is the longest message in bytes, in both directions; 0 means 16 MiB. A frame has 2 GiB - 1 at most, whatever
	// MessageBytes says.
	MessageBytes int
}

const defaultMessageBytes = 16 << 20

func (w Wire) protocol() Protocol {
	if w.Protocol == nil {
		return Binary{}
	}
	return w.Protocol
}

// messageBytes returns the longest message in bytes. The length before a frame is an i32.
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
	// message is the message that was read last. pending are the bytes behind it, which belong to the next message.
	message, pending []byte
	buffer           []byte
}

func newConnection(stream io.ReadWriter, wire Wire) *connection {
	return &connection{wire: wire, incoming: bufio.NewReader(stream), outgoing: stream}
}

// read gives the next message, which is valid until read is called again. It gives io.EOF where the connection ends between two
// messages.
func (c *connection) read() ([]byte, error) {
	if c.wire.Framed {
		return c.readFrame()
	}
	return c.readUnframed()
}

// begins waits for the next message. When begins fails, no byte of that message has come. The message before it is no longer valid.
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
	// Memory is allocated as bytes come, not for as many as the length claims.
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

// readUnframed reads until a message is complete.
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

// emptyMessage is memory for the next message: the memory of the last message, unless strings of that may still be in use, or the
// memory is too large to be kept for a connection that may be idle.
func (c *connection) emptyMessage() []byte {
	lender, ok := c.wire.protocol().(interface{ lends() bool })
	if ok && lender.lends() || cap(c.message) > keptBytes {
		return nil
	}
	return c.message[:0]
}

// release lets go of the last message. It keeps no more memory than an idle connection may have.
func (c *connection) release() {
	c.message = c.emptyMessage()
	if cap(c.buffer) > keptBytes {
		c.buffer = nil
	}
}

// keptBytes is the most memory that a connection keeps while it waits, in each direction.
const keptBytes = 64 << 10

// readMore reads the bytes that have come, and waits for at least one.
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

// unexpected makes io.ErrUnexpectedEOF of io.EOF: the connection ended in the middle of a message.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// write sends a message. It sends nothing if the message is too long, or a value in it is.
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

// TooLongError is the error of a message that is longer than [Wire] allows, or claims to be.
type TooLongError struct {
	// Bytes is the length of the message; at least that many, where its whole length is not known.
	Bytes int
	// Limit is the longest length that a message may have.
	Limit int
}

// Error says the length and the limit.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("a message of %d bytes or more is longer than the %d that it may have", e.Bytes, e.Limit)
}

// wasNotSent reports whether an error says that nothing of a message was sent, since the message cannot be sent.
func wasNotSent(err error) bool {
	var tooLong *TooLongError
	return errors.As(err, &tooLong) || errors.Is(err, ErrLength)
}

// TypeId gives the kind of Apache Thrift's TProtocolException.
func (e *TooLongError) TypeId() int { return SizeLimit }
