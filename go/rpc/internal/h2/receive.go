package h2

import (
	"fmt"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/link"
)

// readData reads DATA. Its head is already there. It reads a short frame as a whole, and a long one as it comes.
func (c *conn) readData(h head) error {
	if h.stream == 0 {
		return protocolError("DATA is for no stream")
	}
	if err := c.countArrived(h.length); err != nil {
		return err
	}
	s := c.find(h.stream)
	switch {
	case s == nil && c.side.isIdle(h.stream):
		return protocolError("DATA is for a stream that has not begun")
	case s != nil && s.isRemoteEnd:
		if err := c.refuse(h.stream, StreamClosed, "DATA comes after the end of its stream"); err != nil {
			return err
		}
		s = nil
	case s != nil && s.window.Add(-int64(h.length)) < 0:
		if err := c.refuse(h.stream, FlowControlError, "more DATA comes than the stream's window allows"); err != nil {
			return err
		}
		s = nil
	}
	if headBytes+h.length > wholeFrame {
		return c.readLongData(h, s)
	}
	b, err := c.whole(headBytes + h.length)
	if err != nil {
		return err
	}
	c.link.Skip(headBytes + h.length)
	payload, err := unpad(h, b[headBytes:headBytes+h.length])
	if err != nil {
		return err
	}
	if err := c.returnPadding(s, h.length-len(payload)); err != nil {
		return err
	}
	return c.take(s, payload, h.has(flagEndStream))
}

// readLongData reads DATA as it comes.
func (c *conn) readLongData(h head, s *Stream) error {
	c.link.Skip(headBytes)
	left, padding := h.length, 0
	if h.has(flagPadded) {
		b, err := c.link.Peek(1)
		if err != nil {
			return err
		}
		if padding = int(b[0]); padding >= left {
			return protocolError("padding is longer than its frame")
		}
		c.link.Skip(1)
		left -= 1 + padding
		if err := c.returnPadding(s, 1+padding); err != nil {
			return err
		}
	}
	for {
		part, err := c.part(left)
		if err != nil {
			return err
		}
		left -= len(part)
		if err := c.take(s, part, left == 0 && h.has(flagEndStream)); err != nil {
			return err
		}
		if left == 0 {
			break
		}
	}
	for padding > 0 {
		part, err := c.part(padding)
		if err != nil {
			return err
		}
		padding -= len(part)
	}
	return nil
}

// returnPadding gives the bytes of the window that padding has used back to the peer.
func (c *conn) returnPadding(s *Stream, bytes int) error {
	if s == nil || bytes == 0 {
		return nil
	}
	s.window.Add(int64(bytes))
	c.own.bytes = appendWindowUpdate(c.own.bytes[:0], s.id, bytes)
	return c.collect(&c.own)
}

// part returns as many as have come of so many bytes, and moves on; it waits if none have come.
func (c *conn) part(most int) ([]byte, error) {
	if most == 0 {
		return nil, nil
	}
	b, err := c.link.Peek(1)
	if err != nil {
		return nil, err
	}
	part := b[:min(len(b), most)]
	c.link.Skip(len(part))
	return part, nil
}

// countArrived counts bytes against the connection's window, and gives them back: if a stream is not read, only that stream should
// stop.
func (c *conn) countArrived(bytes int) error {
	if c.receiveWindow -= bytes; c.receiveWindow < 0 {
		return &connectionError{FlowControlError, "more DATA comes than the connection's window allows"}
	}
	if c.unreturned += bytes; c.unreturned < c.options.ConnectionWindow/2 {
		return nil
	}
	c.own.bytes = appendWindowUpdate(c.own.bytes[:0], 0, c.unreturned)
	c.receiveWindow += c.unreturned
	c.unreturned = 0
	return c.collect(&c.own)
}

// take gives bytes of messages to a stream; s is nil if the stream is gone.
func (c *conn) take(s *Stream, payload []byte, isEnd bool) error {
	switch {
	case s == nil:
		return c.countLateData(len(payload))
	case len(payload) == 0 && !isEnd:
		return c.countIdle()
	}
	c.idleFrames.add(idleFramesPerData)
	if s.isDeaf {
		return nil
	}
	if !s.mayHaveData {
		return c.refuse(s.id, ProtocolError, "DATA comes before HEADERS")
	}
	if isEnd {
		// An answer to the last message then does not have to stop the peer any more.
		c.mu.Lock()
		s.isRemoteEnd = true
		c.mu.Unlock()
	}
	var err error
	if s.receiver != nil {
		err = s.deliver(payload, isEnd)
	} else {
		err = s.store(payload)
	}
	if err == nil && isEnd {
		return c.side.dataEnded(s)
	}
	return err
}

// deliver gives messages to the receiver: directly from the payload if they are complete there.
func (s *Stream) deliver(payload []byte, isEnd bool) error {
	if err := s.returnWindow(len(payload), isEnd); err != nil {
		return err
	}
	for len(payload) > 0 {
		message, isCompressed, rest, err := s.nextMessage(payload)
		if err != nil {
			return s.conn.failReceiving(s, err)
		}
		if message == nil {
			return s.countPartial(len(payload))
		}
		s.hand(message, isCompressed, isEnd && len(rest) == 0)
		payload = rest
		if s.partial != nil {
			s.uncountPartial()
			link.Return(s.partial)
			s.partial = nil
		}
	}
	return nil
}

// nextMessage returns the message that a payload begins with or completes, and the bytes after it. The message is nil, and the
// payload is kept, if the payload is too short.
func (s *Stream) nextMessage(payload []byte) (message []byte, isCompressed bool, rest []byte, err *Error) {
	if len(s.partial) == 0 && len(payload) >= grpcwire.PrefixBytes {
		bytes, isCompressed, err := s.conn.readPrefix(payload)
		if end := grpcwire.PrefixBytes + bytes; err != nil || end <= len(payload) {
			return payload[grpcwire.PrefixBytes:end:end], isCompressed, payload[end:], err
		}
	}
	for need := grpcwire.PrefixBytes; ; {
		if len(s.partial) >= grpcwire.PrefixBytes {
			bytes, flag, err := s.conn.readPrefix(s.partial)
			if err != nil {
				return nil, false, nil, err
			}
			need, isCompressed = grpcwire.PrefixBytes+bytes, flag
			if len(s.partial) == need {
				return s.partial[grpcwire.PrefixBytes:], isCompressed, payload, nil
			}
		}
		if len(payload) == 0 {
			return nil, false, nil, nil
		}
		part := payload[:min(len(payload), need-len(s.partial))]
		s.partial = appendWithin(s.partial, part, need)
		payload = payload[len(part):]
	}
}

// readPrefix reads the prefix of a message. It returns the length 0 if there is an error.
func (c *conn) readPrefix(prefix []byte) (int, bool, *Error) {
	bytes, isCompressed, err := grpcwire.ReadPrefix(prefix)
	if err != nil {
		return 0, false, &Error{Code: grpcwire.Internal, What: err.Error()}
	}
	if int64(bytes) > int64(c.options.MessageBytes) {
		return 0, false, &Error{Code: grpcwire.ResourceExhausted, What: fmt.Sprintf(
			"a message of %d bytes comes, and %d are allowed: raise the limit of this side, or send less", bytes, c.options.MessageBytes)}
	}
	return int(bytes), isCompressed, nil
}

// appendWithin appends to a buffer that grows as bytes come, up to as many as are needed. Buffers that are not small belong to the
// pool.
func appendWithin(buffer, part []byte, need int) []byte {
	if room := len(buffer) + len(part); room > cap(buffer) {
		var larger []byte
		want := min(need, 2*room)
		if want > smallBuffer {
			larger = link.Borrow(want)
		}
		if cap(larger) < room {
			larger = make([]byte, 0, want)
		}
		larger = append(larger, buffer...)
		link.Return(buffer)
		buffer = larger
	}
	return append(buffer, part...)
}

// failReceiving ends receiving on a stream because of a fault of a message. A server's handler can still answer.
func (c *conn) failReceiving(s *Stream, why *Error) error {
	s.isDeaf = true
	if c.side.canAnswer() {
		s.endReceiving(why)
		return nil
	}
	return c.refuseStream(s, Cancel, why)
}

// returnWindow gives bytes back to the peer as a receiver takes them.
func (s *Stream) returnWindow(bytes int, isEnd bool) error {
	c := s.conn
	if s.unreturned += bytes; isEnd || s.unreturned < c.options.StreamWindow/2 {
		return nil
	}
	c.own.bytes = appendWindowUpdate(c.own.bytes[:0], s.id, s.unreturned)
	s.window.Add(int64(s.unreturned))
	s.unreturned = 0
	return c.collect(&c.own)
}

// countPartial counts bytes that wait here because their message is not complete.
func (s *Stream) countPartial(bytes int) error {
	s.mu.Lock()
	isWithin := s.count(bytes)
	s.mu.Unlock()
	if isWithin {
		return nil
	}
	return s.conn.refuseStream(s, EnhanceYourCalm, errHeld)
}

func (s *Stream) uncountPartial() {
	s.mu.Lock()
	s.conn.held.Add(-int64(s.inbox.uncount()))
	s.mu.Unlock()
}

var errHeld = &Error{Code: grpcwire.ResourceExhausted, What: "too many bytes of messages lie on the connection before they are read: " +
	"send less at once, or over more connections"}

// count counts bytes that wait here, and reports whether as many may wait. The stream's mu is held.
func (s *Stream) count(bytes int) bool {
	if s.isOver {
		return true
	}
	s.inbox.counted += bytes
	return s.conn.held.Add(int64(bytes)) <= int64(s.conn.options.HeldBytes)
}
