package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"hone/go/rpc/internal/link"
	"hone/go/rpc/internal/thriftwire"
	"hone/go/rpc/internal/ttstream"
	"hone/go/stream"
	"hone/go/thrift"
)

// clientSideThriftStream is a stream of Thrift as callers use it.
type clientSideThriftStream struct {
	openedStream
	*clientThriftStream
}

// clientThriftStream is a stream of Thrift on a connection.
type clientThriftStream struct {
	conn     *thriftConn
	method   string
	sequence int32
	inbox    *ttstream.Inbox
	// hasEnded is true once nothing more is to be sent.
	hasEnded atomic.Bool
	// told is closed when the early metadata has come, or when it is known that it will not come.
	told chan struct{}
	tell sync.Once

	mu              sync.Mutex
	early, trailing Metadata
	// err is the error that the stream ended with before its metadata came.
	err error
}

// openThrift opens a stream through the interceptors.
func (c *Client) openThrift(ctx context.Context, r *request, only thrift.Writer) (stream.ClientStream, error) {
	if err := c.checkKind(thriftStreaming); err != nil {
		return nil, r.name(err)
	}
	wire := &clientSideThriftStream{openedStream: openedStream{ctx: ctx, client: c, isClosed: only != nil}}
	var request any
	if only != nil {
		request = only
	}
	opened, err := c.open(ctx, r, wire, request)
	if err != nil {
		return nil, err
	}
	return opened, nil
}

// open opens a stream over the connection.
func (c *thriftConn) open(ctx context.Context, at *instance, r *request) *Error {
	only, isWriter := r.args.(thrift.Writer)
	if r.args != nil && !isWriter {
		return &Error{Code: Internal, Stage: Sending, Message: fmt.Sprintf("a %T is no request of Thrift", r.args)}
	}
	made := &clientThriftStream{conn: c, method: r.method, inbox: ttstream.NewInbox(&c.room), told: make(chan struct{})}
	if err := c.enterStream(made); err != nil {
		return at.thriftFailed(Sending, err)
	}
	frames := thriftwire.StreamFrames{made.openingFrame(ctx, r)}
	if r.args != nil {
		data := made.frame(thriftwire.DataFrame)
		data.Body = only
		frames = append(frames, data, made.frame(thriftwire.TrailerFrame))
	}
	if err := c.link.Send(ctx, frames); err != nil {
		c.forgetStream(made.sequence)
		if c.link.Cause() != nil {
			err = fmt.Errorf("%w: %w", errNotSent, err)
		}
		return at.thriftFailed(Sending, err)
	}
	wire := r.stream.(*clientSideThriftStream)
	wire.ctx, wire.at, wire.clientThriftStream = ctx, at, made
	return nil
}

// giveUp implements [streamWire].
func (s *clientSideThriftStream) giveUp() { s.abandon(context.Cause(s.ctx)) }

// enterStream gives a stream its number.
func (c *thriftConn) enterStream(s *clientThriftStream) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hasEnded || c.isLeaving {
		return errNotSent
	}
	if c.streams == nil {
		c.streams = map[int32]*clientThriftStream{}
	}
	// 0 is for frames of the connection.
	for c.lastStream++; c.lastStream == 0 || c.streams[c.lastStream] != nil; {
		c.lastStream++
	}
	s.sequence = c.lastStream
	c.streams[s.sequence] = s
	return nil
}

// forgetStream removes a stream from the connection. It returns false if the stream was removed before.
func (c *thriftConn) forgetStream(sequence int32) bool {
	c.mu.Lock()
	_, isThere := c.streams[sequence]
	delete(c.streams, sequence)
	isLast := isThere && c.isLeaving && c.isIdle()
	c.mu.Unlock()
	if isLast {
		c.link.Close(link.ErrClosed)
	}
	return isThere
}

// openingFrame makes the frame that opens the stream, with the facts of the call.
func (s *clientThriftStream) openingFrame(ctx context.Context, r *request) *thriftwire.StreamFrame {
	frame := s.frame(thriftwire.HeaderFrame)
	frame.Flags = thriftwire.KnowsLeaving
	frame.Numbered, frame.Named = r.appendFacts(ctx, frame.Numbered, frame.Named)
	return frame
}

func (s *clientThriftStream) frame(kind thriftwire.FrameKind) *thriftwire.StreamFrame {
	return &thriftwire.StreamFrame{Kind: kind, Sequence: s.sequence, Method: s.method, MessageBytes: s.conn.client.MessageBytes}
}

// takeFrame handles a frame of a stream. The reading goroutine calls it, and it must not wait.
//
// # Errors
//
// The error of a frame after which the connection cannot be used.
func (c *thriftConn) takeFrame(message *thriftwire.Message) error {
	kind, _, err := message.Frame()
	if err != nil {
		return err
	}
	c.mu.Lock()
	s := c.streams[message.Header.Sequence]
	c.mu.Unlock()
	if s == nil {
		// The stream ended while the frame was on its way.
		return nil
	}
	if message.TooLong > 0 {
		return c.refuseFrame(s, &thrift.TooLongError{Bytes: message.TooLong, Limit: c.client.MessageBytes})
	}
	switch kind {
	case thriftwire.HeaderFrame:
		s.mu.Lock()
		s.early = allIn(&message.Header)
		s.mu.Unlock()
		s.tell.Do(func() { close(s.told) })
	case thriftwire.DataFrame:
		if err := s.inbox.Put(keptBytes(message)); err != nil {
			return c.refuseFrame(s, err)
		}
	case thriftwire.TrailerFrame:
		s.mu.Lock()
		s.trailing = allIn(&message.Header)
		s.mu.Unlock()
		err := endOf(message)
		c.forgetStream(s.sequence)
		s.finish(err)
	case thriftwire.ResetFrame:
		c.forgetStream(s.sequence)
		s.drop(resetBy(message))
	}
	return nil
}

// refuseFrame resets a stream for which too much has come.
func (c *thriftConn) refuseFrame(s *clientThriftStream, why error) error {
	c.forgetStream(s.sequence)
	s.drop(&Error{Code: ResourceExhausted, Cause: why})
	return c.link.SendNow(s.resetFrame(thrift.InternalError, why.Error()))
}

// allIn returns the pairs in a header, without those that describe the end of the stream.
func allIn(header *thriftwire.Header) (pairs Metadata) {
	header.EachNamed(func(name, value []byte) {
		if !isReserved(string(name)) {
			pairs = append(pairs, Pair{Name: string(name), Value: string(value)})
		}
	})
	return pairs
}

// endOf returns the error with which a TrailerFrame ends a stream: io.EOF for an orderly end.
func endOf(message *thriftwire.Message) error {
	exception, err := readStreamException(message.Bytes)
	switch {
	case err != nil:
		return err
	case exception != nil:
		return answeredBy(exception, &message.Header)
	}
	if status := bizStatusOf(&message.Header); status != nil {
		return status
	}
	return io.EOF
}

// resetBy returns the error with which a ResetFrame ends a stream.
func resetBy(message *thriftwire.Message) error {
	exception, err := readStreamException(message.Bytes)
	if err != nil || exception == nil {
		return &Error{Code: Canceled, Message: "the server has given the stream up"}
	}
	answered := answeredBy(exception, &message.Header)
	if answered.code == Unknown {
		answered.code = Canceled
	}
	return answered
}

// resetFrame makes the frame that gives the stream up, with a reason.
func (s *clientThriftStream) resetFrame(kind thrift.ExceptionType, reason string) *thriftwire.StreamFrame {
	frame := s.frame(thriftwire.ResetFrame)
	frame.Exception = &thrift.ApplicationException{Type: kind, Message: reason}
	if name := s.conn.client.Name; name != "" {
		frame.Named = []thriftwire.Named{{Name: thriftwire.CancelPath, Value: name}}
	}
	return frame
}

// finish ends the stream after the messages that have come.
func (s *clientThriftStream) finish(end error) {
	s.hasEnded.Store(true)
	s.inbox.End(end)
	s.tellEnd(end)
}

// drop ends the stream at once.
func (s *clientThriftStream) drop(end error) {
	s.hasEnded.Store(true)
	s.inbox.Drop(end)
	s.tellEnd(end)
}

// tellEnd ends the wait for metadata that will not come.
func (s *clientThriftStream) tellEnd(end error) {
	s.tell.Do(func() {
		s.mu.Lock()
		if end != io.EOF {
			s.err = end
		}
		s.mu.Unlock()
		close(s.told)
	})
}

// canceledByUser and timedOut are the exception types by which Kitex's streams give the reason why they were given up.
const (
	canceledByUser thrift.ExceptionType = 12007
	timedOut       thrift.ExceptionType = 12015
)

// abandon gives the stream up, and tells the server if the stream is still open. It may wait.
func (s *clientThriftStream) abandon(cause error) {
	goesOn := s.conn.forgetStream(s.sequence)
	s.drop(cause)
	if !goesOn {
		return
	}
	kind, reason := canceledByUser, "the caller has given the stream up"
	if errors.Is(cause, context.DeadlineExceeded) {
		kind, reason = timedOut, "the caller's time for the stream is over"
	}
	s.conn.link.Send(context.Background(), s.resetFrame(kind, reason))
}

// Send implements [Stream]. io.EOF means that the stream has ended: Receive returns how.
func (s *clientSideThriftStream) Send(message any) error {
	body, isWriter := message.(thrift.Writer)
	switch {
	case !isWriter:
		return Errorf(Internal, "a %T is no struct of Thrift, and cannot be sent over a stream of Thrift", message)
	case s.isClosed:
		return afterLast()
	case s.hasEnded.Load():
		return io.EOF
	}
	frame := s.frame(thriftwire.DataFrame)
	frame.Body = body
	return s.failed(Sending, s.conn.link.SendSoon(s.ctx, frame))
}

// Receive implements [Stream].
func (s *clientSideThriftStream) Receive(into any) error {
	body, isReader := into.(thrift.Reader)
	if !isReader {
		return Errorf(Internal, "a %T is no struct of Thrift, and nothing is received into it from a stream of Thrift", into)
	}
	message, err := s.inbox.Next(s.ctx)
	if err == io.EOF {
		s.end(nil)
		return err
	}
	if err != nil {
		return s.failed(Waiting, err)
	}
	if err := s.client.thrift.Of(thriftwire.Form{}).ReadBody(message, body); err != nil {
		return s.failed(Reading, err)
	}
	return nil
}

// failed ends a stream and makes its error; it returns nil if err is nil.
func (s *clientSideThriftStream) failed(stage Stage, err error) error {
	if err == nil {
		return nil
	}
	var own *Error
	failure := s.at.thriftFailed(stage, err)
	if errors.As(err, &own) {
		failure.Code, failure.Message, failure.Cause = own.Code, own.Message, own.Cause
	}
	isOpen := s.conn.forgetStream(s.sequence)
	if isOpen || stage != Sending {
		// Nothing else ends the stream later: the context is not listened to any more.
		s.drop(failure)
	}
	if isOpen {
		go s.conn.link.Send(context.Background(), s.resetFrame(canceledByUser, "the caller has given the stream up"))
	}
	s.end(failure)
	return failure
}

// closeSend implements [streamWire].
func (s *clientSideThriftStream) closeSend() error {
	if s.hasEnded.Load() {
		return nil
	}
	return s.failed(Sending, s.conn.link.SendSoon(s.ctx, s.frame(thriftwire.TrailerFrame)))
}

// header implements [streamWire].
func (s *clientSideThriftStream) header() (Metadata, error) {
	select {
	case <-s.told:
	case <-s.ctx.Done():
		return nil, s.failed(Waiting, context.Cause(s.ctx))
	}
	s.mu.Lock()
	early, err := s.early, s.err
	s.mu.Unlock()
	return early, s.failed(Waiting, err)
}

// trailer implements [streamWire].
func (s *clientSideThriftStream) trailer() Metadata {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trailing
}

// blank implements [streamWire].
func (s *clientSideThriftStream) blank() any { return new(thrift.Nothing) }
