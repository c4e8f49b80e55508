package h2

import (
	"encoding/binary"
	"sync/atomic"

	"hone/go/rpc/internal/grpcwire"
)

// readFrames reads frames and acts on them until something fails.
func (c *conn) readFrames() error {
	for {
		b, err := c.link.Peek(headBytes)
		if err != nil {
			return err
		}
		h := parseHead(b)
		if err := c.checkOrder(h); err != nil {
			return err
		}
		if h.kind == frameData {
			err = c.readData(h)
		} else {
			if b, err = c.whole(headBytes + h.length); err != nil {
				return err
			}
			c.link.Skip(headBytes + h.length)
			err = c.act(h, b[headBytes:headBytes+h.length])
		}
		if err != nil {
			return err
		}
	}
}

// checkOrder says what is wrong with a frame before its payload is looked at.
func (c *conn) checkOrder(h head) error {
	switch {
	case h.length > frameBytes:
		return &connectionError{FrameSizeError, "a frame is longer than 16384 bytes"}
	case c.reading.stream != 0 && (h.kind != frameContinuation || h.stream != c.reading.stream):
		return protocolError("another frame comes in the middle of a header")
	case c.reading.stream == 0 && h.kind == frameContinuation:
		return protocolError("CONTINUATION comes without HEADERS before it")
	case !c.hasSettings.Load() && h.kind != frameSettings:
		return protocolError("the first frame is not SETTINGS")
	}
	return nil
}

// act acts on a frame other than DATA.
func (c *conn) act(h head, payload []byte) error {
	switch h.kind {
	case frameHeaders:
		return c.readHeaders(h, payload)
	case frameContinuation:
		return c.readContinuation(h, payload)
	case frameReset:
		return c.readReset(h, payload)
	case frameSettings:
		return c.readSettings(h, payload)
	case framePing:
		return c.readPing(h, payload)
	case frameGoAway:
		return c.readGoAway(h, payload)
	case frameWindowUpdate:
		return c.readWindowUpdate(h, payload)
	case framePushPromise:
		return protocolError("the peer pushes, which was not allowed")
	case framePriority:
		if h.stream == 0 {
			return protocolError("PRIORITY is for no stream")
		}
		if h.length != priorityBytes {
			return c.refuse(h.stream, FrameSizeError, "PRIORITY is not 5 bytes long")
		}
	}
	return c.countIdle()
}

// countIdle counts a frame that brings no call forward. Only a limited number of these may come.
func (c *conn) countIdle() error {
	if sent := c.sent.Load(); sent != c.seen {
		c.idleFrames.add(int64(sent-c.seen) * idleFramesPerData)
		c.seen = sent
	}
	if c.idleFrames.use(1, c.options.Clock) {
		return nil
	}
	return &connectionError{EnhanceYourCalm, "too many frames bring no call forward"}
}

// late counts the frames that a peer may still send on streams that this side has ended, before the peer knows of the end. Such frames are
// nobody's fault.
type late struct {
	// bytes is the number of bytes of DATA, and heads is the number of other frames.
	bytes, heads atomic.Int64
}

// use takes n off a number, and reports whether there was as much.
func use(of *atomic.Int64, n int64) bool {
	if of.Add(-n) >= 0 {
		return true
	}
	of.Add(n)
	return false
}

// countLateData counts DATA of a stream that is gone.
func (c *conn) countLateData(bytes int) error {
	if bytes > 0 && use(&c.late.bytes, int64(bytes)) {
		return nil
	}
	return c.countIdle()
}

// countLateHead counts another frame of a stream that is gone.
func (c *conn) countLateHead() error {
	if use(&c.late.heads, 1) {
		return nil
	}
	return c.countIdle()
}

// expectLate allows what a peer may still send on a stream that this side ends: in all no more than may be on its way. mu is held.
func (c *conn) expectLate(s *Stream) {
	if s.id == 0 || s.isRemoteEnd {
		return
	}
	if c.late.bytes.Load() < int64(c.options.ConnectionWindow) {
		c.late.bytes.Add(max(s.window.Load(), 0))
	}
	if c.late.heads.Load() < lateHeads {
		c.late.heads.Add(lateHeadsPerStream)
	}
}

// refuse resets a stream because of a fault of the peer.
func (c *conn) refuse(id uint32, code ErrorCode, what string) error {
	s := c.find(id)
	if s == nil && c.side.isIdle(id) {
		return &connectionError{code, what}
	}
	if s != nil {
		return c.refuseStream(s, code, &Error{Code: grpcwire.Internal, What: "the peer does not keep to HTTP/2: " + what})
	}
	return c.reset(id, code)
}

// refuseStream ends a stream with an error, and resets it.
func (c *conn) refuseStream(s *Stream, code ErrorCode, why *Error) error {
	c.mu.Lock()
	wasGone := s.isGone
	c.remove(s)
	c.mu.Unlock()
	if wasGone {
		return nil
	}
	s.abort(why)
	return c.reset(s.id, code)
}

// reset sends RST_STREAM from the reader, for a stream that is gone.
func (c *conn) reset(id uint32, code ErrorCode) error {
	if err := c.countReset(); err != nil {
		return err
	}
	c.own.bytes = appendReset(c.own.bytes[:0], id, code)
	return c.collect(&c.own)
}

// countReset counts a stream that a client has reset, or has made the server reset. A server may refuse all streams that it gets.
func (c *conn) countReset() error {
	if !c.side.canAnswer() || c.resets.use(1, c.options.Clock) {
		return nil
	}
	return &connectionError{EnhanceYourCalm, "too many streams are reset"}
}

func appendReset(to []byte, id uint32, code ErrorCode) []byte {
	to = appendHead(to, resetBytes, frameReset, 0, id)
	return binary.BigEndian.AppendUint32(to, uint32(code))
}

// unpad takes the padding off a payload.
func unpad(h head, payload []byte) ([]byte, error) {
	if !h.has(flagPadded) {
		return payload, nil
	}
	if len(payload) == 0 || int(payload[0]) >= len(payload) {
		return nil, protocolError("padding is longer than its frame")
	}
	return payload[1 : len(payload)-int(payload[0])], nil
}

func (c *conn) readHeaders(h head, payload []byte) error {
	if h.stream == 0 {
		return protocolError("HEADERS are for no stream")
	}
	payload, err := unpad(h, payload)
	if err != nil {
		return err
	}
	if h.has(flagPriority) {
		if len(payload) < priorityBytes {
			return &connectionError{FrameSizeError, "HEADERS are shorter than their priority"}
		}
		payload = payload[priorityBytes:]
	}
	c.decoder.begin()
	return c.readBlock(h, h.has(flagEndHeaders), payload)
}

func (c *conn) readContinuation(h head, payload []byte) error {
	if c.decoder.frames++; c.decoder.frames > c.decoder.mostFrames() {
		return &connectionError{EnhanceYourCalm, "a header has too many CONTINUATION frames"}
	}
	return c.readBlock(c.reading, h.has(flagEndHeaders), payload)
}

// readBlock reads a part of the block of fields that began with this head.
func (c *conn) readBlock(h head, isEnd bool, part []byte) error {
	if err := c.decoder.write(part); err != nil {
		return err
	}
	c.reading = h
	if !isEnd {
		return nil
	}
	c.reading = head{}
	if err := c.decoder.end(); err != nil {
		return err
	}
	return c.side.headers(h)
}

func (c *conn) readReset(h head, payload []byte) error {
	switch {
	case h.stream == 0 || c.side.isIdle(h.stream):
		return protocolError("RST_STREAM is for a stream that has not begun")
	case h.length != resetBytes:
		return &connectionError{FrameSizeError, "RST_STREAM is not 4 bytes long"}
	}
	s := c.find(h.stream)
	if s == nil {
		return c.countLateHead()
	}
	c.mu.Lock()
	s.isRemoteEnd = true
	c.remove(s)
	c.mu.Unlock()
	s.abort(s.resetError(ErrorCode(binary.BigEndian.Uint32(payload))))
	return c.countReset()
}

func (c *conn) readGoAway(h head, payload []byte) error {
	switch {
	case h.stream != 0:
		return protocolError("GOAWAY is for a stream")
	case h.length < goAwayBytes:
		return &connectionError{FrameSizeError, "GOAWAY is shorter than 8 bytes"}
	}
	if err := c.countIdle(); err != nil {
		return err
	}
	last := binary.BigEndian.Uint32(payload) & largestID
	return c.side.goAway(last, ErrorCode(binary.BigEndian.Uint32(payload[4:])), string(payload[goAwayBytes:]))
}

func (c *conn) readWindowUpdate(h head, payload []byte) error {
	if h.length != windowBytes {
		return &connectionError{FrameSizeError, "WINDOW_UPDATE is not 4 bytes long"}
	}
	if err := c.countIdle(); err != nil {
		return err
	}
	more := int64(binary.BigEndian.Uint32(payload) & largestWindow)
	if h.stream == 0 {
		switch {
		case more == 0:
			return protocolError("a window grows by nothing")
		case !c.growWindow(nil, more):
			return &connectionError{FlowControlError, "the window of the connection is larger than 2^31-1"}
		}
		return nil
	}
	s := c.find(h.stream)
	switch {
	case s == nil && c.side.isIdle(h.stream):
		return protocolError("WINDOW_UPDATE is for a stream that has not begun")
	case s == nil:
		return nil
	case more == 0:
		return c.refuse(h.stream, ProtocolError, "a window grows by nothing")
	case !c.growWindow(s, more):
		return c.refuse(h.stream, FlowControlError, "the window of a stream is larger than 2^31-1")
	}
	return nil
}
