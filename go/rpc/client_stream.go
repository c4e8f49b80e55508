package rpc

import (
	"context"
	"errors"
	"io"
	"sync"

	"google.golang.org/protobuf/types/known/emptypb"

	"hone/go/rpc/internal/h2"
)

// ClientStream is a stream that a client has opened.
type ClientStream struct {
	stream Stream
	wire   *clientSideStream
}

// Open implements [Invoker]. The stream ends when its context does; a caller that does not receive up to the end must see to that, or the
// stream stays open.
//
// A stream is opened anew by policies as a call is repeated, and not any more once it is open.
func (c *Client) Open(ctx context.Context, method string) (*ClientStream, error) {
	return c.OpenWith(ctx, method, nil)
}

// OpenWith implements [Invoker]: it is Open for a method that takes one request. Nil is no request yet.
func (c *Client) OpenWith(ctx context.Context, method string, request any) (*ClientStream, error) {
	r, err := c.request(method)
	if err != nil {
		return nil, err
	}
	wire := &clientSideStream{ctx: ctx, client: c, isClosed: request != nil}
	r.stream, r.args = wire, request
	call := &Call{Service: r.service, Method: r.method, Wire: GRPC, Target: c.Target, Request: request, Stream: wire}
	if err := c.doCall(ctx, r, call); err != nil {
		return nil, err
	}
	if wire.stream == nil {
		return nil, r.name(&Error{Code: Internal, Stage: Sending, Message: "an interceptor has neither let the stream be opened nor returned an error"})
	}
	return &ClientStream{call.Stream, wire}, nil
}

// clientSideStream is a stream as it is on the wire.
type clientSideStream struct {
	ctx    context.Context
	client *Client
	at     *instance
	stream *h2.Stream
	// isClosed is whether no more requests are sent.
	isClosed bool
	// made is the attempt, which ends with the stream; stop keeps the context from resetting it.
	made *attempt
	stop func() bool
	once sync.Once
}

// open opens the stream over one of an instance's connections.
func (c *grpcConn) open(ctx context.Context, at *instance, r *request) *Error {
	var stream *h2.Stream
	var err error
	if call := c.grpcCallOf(ctx, at, r.path); r.args == nil {
		stream, err = c.h2.Open(ctx, call)
	} else {
		request, isCompressed := compressLonger(c.client.Compress, newProtoMessage(r.args))
		stream, err = c.h2.Send(ctx, call, request, isCompressed)
	}
	if err != nil {
		return at.grpcFailed(Sending, err)
	}
	r.stream.ctx, r.stream.at, r.stream.stream = ctx, at, stream
	r.stream.stop = context.AfterFunc(ctx, func() { stream.Abandon(ctx) })
	return nil
}

// Context implements [Stream].
func (s *clientSideStream) Context() context.Context { return s.ctx }

// Send implements [Stream]. io.EOF says that the stream has ended: Receive tells how.
func (s *clientSideStream) Send(message any) error {
	if s.isClosed {
		return &Error{Code: Internal, Stage: Sending, Message: "a request is sent on a stream after its last one"}
	}
	sent, isCompressed := compressLonger(s.client.Compress, newProtoMessage(message))
	err := s.stream.SendMessage(s.ctx, sent, isCompressed)
	if errors.Is(err, h2.ErrAnswered) {
		return io.EOF
	}
	return s.failed(Sending, err)
}

// Receive implements [Stream].
func (s *clientSideStream) Receive(into any) error {
	message, isCompressed, err := s.stream.Receive(s.ctx)
	if err == io.EOF {
		failure := s.at.answered(s.stream.Status())
		s.end(failure)
		if failure == nil {
			return io.EOF
		}
		return failure
	}
	if err != nil {
		return s.failed(Waiting, err)
	}
	if err := readResponse(s.stream, message, isCompressed, s.client.MessageBytes, into); err != nil {
		return s.failed(Reading, &unreadableError{err})
	}
	return nil
}

// failed makes the error of a stream that has ended; nil of nil.
func (s *clientSideStream) failed(stage Stage, err error) error {
	if err == nil {
		return nil
	}
	failure := s.at.grpcFailed(stage, err)
	// Nothing does so later: the context is not listened to any more.
	s.stream.Reset(h2.Cancel)
	s.end(failure)
	return failure
}

// end tells the policies of the instance how the stream has ended.
func (s *clientSideStream) end(failure *Error) {
	s.once.Do(func() {
		judged := worked
		if failure != nil {
			_, judged = classify(s.ctx, failure)
		}
		s.stop()
		s.made.end(judged)
	})
}

// Context is the call's.
func (s *ClientStream) Context() context.Context { return s.stream.Context() }

// Send sends a request. io.EOF says that the stream has ended: Receive tells how.
func (s *ClientStream) Send(request any) error { return s.stream.Send(request) }

// Receive reads the next response into a pointer to one; io.EOF behind the last one.
func (s *ClientStream) Receive(into any) error { return s.stream.Receive(into) }

// CloseSend says that no more requests come. It does nothing where that has been said.
func (s *ClientStream) CloseSend() error {
	if s.wire.isClosed {
		return nil
	}
	s.wire.isClosed = true
	err := s.wire.stream.CloseSend(s.wire.ctx)
	if errors.Is(err, h2.ErrAnswered) {
		return nil
	}
	return s.wire.failed(Sending, err)
}

// Header waits for what the server sends before its first response.
func (s *ClientStream) Header() (Metadata, error) {
	if err := s.wire.stream.AwaitHeader(s.wire.ctx); err != nil {
		return nil, s.wire.failed(Waiting, err)
	}
	return metadataOf(s.wire.stream.Header()).single, nil
}

// Trailer is what the server sends after its last response, once the stream has ended.
func (s *ClientStream) Trailer() Metadata { return metadataOf(s.wire.stream.Trailer()).single }

// only receives the only response, and the end behind it.
func (s *ClientStream) only(into any) error {
	if err := s.stream.Receive(into); err == io.EOF {
		return &Error{Code: Internal, Stage: Reading, Message: "the server has sent no response"}
	} else if err != nil {
		return err
	}
	if err := s.stream.Receive(new(emptypb.Empty)); err == nil {
		return &Error{Code: Internal, Stage: Reading, Message: "the server has sent several responses, where one is due"}
	} else if err != io.EOF {
		return err
	}
	return nil
}
