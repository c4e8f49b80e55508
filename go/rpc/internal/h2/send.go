package h2

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/link"
)

// Message is a message that is sent on a stream.
type Message interface {
	// AppendMessage appends the message, without its prefix, to these bytes. It is called with the link's lock held if Size is small,
	// so it must not wait. If it returns an error, or panics, nothing is sent, and the connection goes on.
	AppendMessage(to []byte) ([]byte, error)
	// Size returns about how many bytes the message has; 0 if that is not known.
	Size() int
}

// Bytes is a message that has been written already.
type Bytes []byte

// AppendMessage appends the bytes.
func (b Bytes) AppendMessage(to []byte) ([]byte, error) { return append(to, b...), nil }

// Size returns the number of bytes.
func (b Bytes) Size() int { return len(b) }

// outgoing is what a stream sends at once: a header, a message and a trailer, or some of these. The part of the message that the
// windows allow goes with the first frame. The rest, and all that comes after it, goes with later frames.
type outgoing struct {
	stream *Stream
	// header and trailer are nil if there is none. The header of a client's request opens the stream.
	header, trailer         *Template
	headerMore, trailerMore []Field
	timeout                 time.Duration
	hasTimeout, opens       bool
	status                  *grpcwire.Status

	message      Message
	isCompressed bool
	// isEnd says that this side ends with this frame. isSoon says that more is likely to be sent at once.
	isEnd, isSoon bool

	// encoded is a message, with its prefix, that was written before the lock was taken. rest is the part of a message that has not
	// been sent, and buffer is the memory of rest. granted is the number of bytes of it that may be sent.
	encoded, rest, buffer []byte
	isBegun               bool
	granted               int
}

// hasMessage reports whether there is a message.
func (o *outgoing) hasMessage() bool { return o.message != nil || o.encoded != nil }

// AppendFrame appends all that may be sent now.
func (o *outgoing) AppendFrame(to []byte) ([]byte, error) {
	if o.isBegun {
		return o.appendRest(to)
	}
	s, c := o.stream, o.stream.conn
	id := s.id
	if o.opens {
		id = c.side.(*Client).nextID
	}
	c.encoder.begin()
	if o.header != nil {
		to = o.appendHeader(to, id)
	}
	start, bytes, err := len(to), len(o.encoded), error(nil)
	if o.message != nil {
		if to, err = o.appendPrefixed(append(to, emptyHead[:]...)); err != nil {
			return nil, err
		}
		bytes = len(to) - start - headBytes
	}
	allowed, mustReset, err := o.claim(bytes)
	if err != nil {
		return nil, err
	}
	o.isBegun = true
	if bytes > 0 {
		to = o.cut(to, start, allowed, id)
	}
	if len(o.rest) == 0 {
		to = o.appendEnd(to, id, mustReset)
	}
	c.encoder.commit()
	c.sent.Add(1)
	return to, nil
}

// appendHeader appends HEADERS with all fields of the header. In an answer without a message they also have the fields of the
// trailer.
func (o *outgoing) appendHeader(to []byte, id uint32) []byte {
	e := &o.stream.conn.encoder
	start := len(to)
	to = append(to, emptyHead[:]...)
	to = e.appendTemplate(e.appendSize(to), o.header)
	if o.hasTimeout {
		var digits [12]byte
		to = appendField(to, "grpc-timeout", string(grpcwire.AppendTimeout(digits[:0], o.timeout)))
	}
	to = appendFields(to, o.headerMore)
	var flags uint8
	if !o.hasMessage() && o.isEnd {
		flags = flagEndStream
		if o.trailer != nil {
			to = o.appendTrailerFields(to)
		}
	}
	return splitFrames(to, start, frameHeaders, frameContinuation, flags, flagEndHeaders, id)
}

func appendFields(to []byte, fields []Field) []byte {
	for _, field := range fields {
		to = appendField(to, field.Name, field.Value)
	}
	return to
}

// appendTrailerFields appends the fields of a trailer.
func (o *outgoing) appendTrailerFields(to []byte) []byte {
	to = o.stream.conn.encoder.appendTemplate(to, o.trailer)
	if o.status != nil {
		to = appendStatus(to, o.status)
	}
	return appendFields(to, o.trailerMore)
}

// appendPrefixed appends a message behind its prefix.
func (o *outgoing) appendPrefixed(to []byte) ([]byte, error) {
	start := len(to)
	var prefix [grpcwire.PrefixBytes]byte
	to, err := o.message.AppendMessage(append(to, prefix[:]...))
	if err != nil {
		return nil, err
	}
	bytes := len(to) - start - grpcwire.PrefixBytes
	if most := o.stream.conn.options.SendBytes; bytes > most || int64(bytes) > grpcwire.MostMessageBytes {
		return nil, &Error{Code: grpcwire.ResourceExhausted, What: fmt.Sprintf(
			"a message of %d bytes is longer than the %d that may be sent: raise the limit of this side, or send less", bytes, most)}
	}
	grpcwire.PutPrefix(to[start:], bytes, o.isCompressed)
	return to, nil
}

// claim opens the stream if necessary, and takes as much of the windows as the message needs. After that nothing fails.
func (o *outgoing) claim(bytes int) (allowed int, mustReset bool, err error) {
	s, c := o.stream, o.stream.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.opens {
		err = c.side.(*Client).begin(s)
	} else if s.isGone {
		err = s.lost()
	}
	if err != nil {
		return 0, false, err
	}
	allowed = c.sending.take(s, bytes)
	if allowed == bytes && o.isEnd {
		mustReset = o.endLocally()
	}
	return allowed, mustReset, nil
}

// endLocally notes that this side of the stream has ended, and reports whether the other side must be told to send no more. The
// connection's mu is held.
func (o *outgoing) endLocally() (mustReset bool) {
	s, c := o.stream, o.stream.conn
	s.isLocalEnd = true
	if !c.side.canAnswer() {
		return false
	}
	// A server that has answered is done, whatever the client still sends.
	mustReset = !s.isRemoteEnd
	c.remove(s)
	return mustReset
}

// cut makes DATA of the part of a message that is allowed, and keeps the rest.
func (o *outgoing) cut(to []byte, start, allowed int, id uint32) []byte {
	if o.message == nil {
		to = append(append(to, emptyHead[:]...), o.encoded[:allowed]...)
		o.rest = o.encoded[allowed:]
	} else if end := start + headBytes + allowed; end < len(to) {
		o.buffer = append(link.Borrow(len(to)-end), to[end:]...)
		o.rest, to = o.buffer, to[:end]
	}
	if allowed == 0 {
		return to[:start]
	}
	return splitFrames(to, start, frameData, frameData, 0, o.lastFlags(), id)
}

// lastFlags returns the flags of the last DATA frame.
func (o *outgoing) lastFlags() uint8 {
	if o.isEnd && o.trailer == nil && len(o.rest) == 0 {
		return flagEndStream
	}
	return 0
}

// appendRest appends the part of the rest that was granted, and all that comes after the rest.
func (o *outgoing) appendRest(to []byte) ([]byte, error) {
	s, c := o.stream, o.stream.conn
	mustReset := false
	c.mu.Lock()
	if s.isGone {
		c.mu.Unlock()
		return nil, s.lost()
	}
	if o.granted == len(o.rest) && o.isEnd {
		mustReset = o.endLocally()
	}
	c.mu.Unlock()
	start := len(to)
	to = append(append(to, emptyHead[:]...), o.rest[:o.granted]...)
	o.rest = o.rest[o.granted:]
	to = splitFrames(to, start, frameData, frameData, 0, o.lastFlags(), s.id)
	if len(o.rest) == 0 {
		c.encoder.begin()
		to = o.appendEnd(to, s.id, mustReset)
		c.encoder.commit()
	}
	c.sent.Add(1)
	return to, nil
}

// appendEnd appends what comes after all messages.
func (o *outgoing) appendEnd(to []byte, id uint32, mustReset bool) []byte {
	switch {
	case !o.isEnd || o.header != nil && !o.hasMessage():
	case o.trailer != nil:
		start := len(to)
		to = append(to, emptyHead[:]...)
		to = o.appendTrailerFields(o.stream.conn.encoder.appendSize(to))
		to = splitFrames(to, start, frameHeaders, frameContinuation, flagEndStream, flagEndHeaders, id)
	case !o.hasMessage():
		to = appendHead(to, 0, frameData, flagEndStream, id)
	}
	if mustReset {
		to = appendReset(to, id, NoError)
	}
	return to
}

// encodeFirst writes a long message before the lock is taken, so that others need not wait for that.
func (o *outgoing) encodeFirst() (err error) {
	if o.message == nil || o.message.Size() < sendChunk {
		return nil
	}
	defer func() {
		if value := recover(); value != nil {
			err = &link.PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	encoded, err := o.appendPrefixed(link.Borrow(o.message.Size() + grpcwire.PrefixBytes))
	if err != nil {
		return err
	}
	o.encoded, o.buffer, o.message = encoded, encoded, nil
	return nil
}

// send sends the contents of out, and waits for windows as long as the context allows.
func (s *Stream) send(ctx context.Context) error {
	err := s.out.prepare(s)
	switch {
	case err != nil:
	case s.out.isSoon:
		err = s.conn.link.SendSoon(ctx, &s.out)
	default:
		err = s.conn.link.Send(ctx, &s.out)
	}
	return s.sendRest(ctx, err)
}

// sendNow is send for the reader, which must not wait: it leaves to a goroutine what cannot be sent at once. Collected frames are
// written when the reader has nothing more to read.
func (s *Stream) sendNow(ctx context.Context) error {
	err := s.out.prepare(s)
	if err == nil {
		err = s.conn.link.Collect(&s.out)
	}
	switch {
	case err == link.ErrFull, err == nil && len(s.out.rest) > 0:
		go s.sendSlowly(ctx)
		return nil
	}
	return s.sendRest(ctx, err)
}

// sendSlowly sends what could not be sent at once, or else resets the stream.
func (s *Stream) sendSlowly(ctx context.Context) {
	var err error
	if !s.out.isBegun {
		err = s.conn.link.Send(ctx, &s.out)
	}
	if s.sendRest(ctx, err) != nil {
		s.Reset(Cancel)
	}
}

// sendRest sends the rest, if err, the result of the first frame, is nil.
func (s *Stream) sendRest(ctx context.Context, err error) error {
	o := &s.out
	for err == nil && len(o.rest) > 0 {
		if o.granted, err = s.awaitWindow(ctx, len(o.rest)); err != nil {
			break
		}
		if err = s.conn.link.Send(ctx, o); err != nil {
			s.giveBackWindow(o.granted)
		}
	}
	if o.isBegun && o.header != nil {
		s.hasSentHeader = true
	}
	isCut := o.isBegun && len(o.rest) > 0
	hasEnded := err == nil && o.isEnd && s.conn.side.canAnswer()
	if o.buffer != nil {
		link.Return(o.buffer)
	}
	s.out = outgoing{}
	if err == nil {
		if hasEnded {
			s.complete()
			s.leave()
		}
		return nil
	}
	err = s.sendError(ctx, err)
	if isCut {
		s.end(Cancel, asError(err))
	}
	return err
}

// prepare does the work for which the lock is not needed.
func (o *outgoing) prepare(s *Stream) error {
	o.stream = s
	var err error
	if s.conn.side.canAnswer() {
		err = o.fit()
	} else {
		err = o.check()
	}
	if err != nil {
		return err
	}
	return o.encodeFirst()
}

// check says what is wrong with the fields that a client wants to send.
func (o *outgoing) check() error {
	if err := checkFields(o.headerMore); err != nil {
		return err
	}
	if err := checkFields(o.trailerMore); err != nil {
		return err
	}
	bytes := o.fieldBytes()
	if most := o.stream.conn.peerHeaderBytes.Load(); int64(bytes) > int64(most) {
		return &Error{Code: grpcwire.ResourceExhausted, What: fmt.Sprintf(
			"metadata of %d bytes is longer than the %d that the peer takes: send less", bytes, most)}
	}
	return nil
}

// fieldBytes returns the length of all fields except those of a status, with room for a field that is made later.
func (o *outgoing) fieldBytes() int {
	bytes := grpcwire.FieldOverhead
	for _, list := range [...][]Field{o.headerMore, o.trailerMore} {
		for _, field := range list {
			bytes += field.Bytes()
		}
	}
	for _, template := range [...]*Template{o.header, o.trailer} {
		if template != nil {
			bytes += template.bytes
		}
	}
	return bytes
}

// sendError turns an error of the link into an [Error]; errors of messages stay as they are.
func (s *Stream) sendError(ctx context.Context, err error) error {
	var ours *Error
	switch {
	case errors.As(err, &ours):
		return err
	case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
		return contextError(ctx)
	}
	cause := s.conn.link.Cause()
	if cause != nil && errors.Is(err, cause) || err == link.ErrFinished {
		lost := connectionLost(err)
		lost.IsUnprocessed = s.id == 0
		return lost
	}
	return err
}

func asError(err error) *Error {
	var ours *Error
	if errors.As(err, &ours) {
		return ours
	}
	return &Error{Code: grpcwire.Internal, What: "send a message", Cause: err}
}

// connectionLost is the error of calls whose connection has ended.
func connectionLost(cause error) *Error {
	return &Error{Code: grpcwire.Unavailable, What: "the connection has ended", Cause: cause}
}
