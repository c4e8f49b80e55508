package rpc

import (
	"context"
	"errors"
	"io"

	"google.golang.org/protobuf/types/known/emptypb"

	"hone/go/rpc/internal/h2"
)

// Open implements [Invoker]. The stream ends when its context ends; a caller that does not receive up to the end must end the context, or the
// stream stays open.
//
// Policies repeat the opening of a stream as they repeat a call, but not once the stream is open.
func (c *Client) Open(ctx context.Context, method string) (*ClientStream, error) {
	return c.OpenWith(ctx, method, nil)
}

// OpenWith implements [Invoker]: it is Open for a method that takes one request. If the request is nil, none is sent yet.
func (c *Client) OpenWith(ctx context.Context, method string, request any) (*ClientStream, error) {
	r, err := c.request(method)
	if err != nil {
		return nil, err
	}
	wire := &clientSideStream{openedStream: openedStream{ctx: ctx, client: c, isClosed: request != nil}}
	return c.open(ctx, r, wire, request)
}

// clientSideStream is a stream of gRPC as it is on the wire.
type clientSideStream struct {
	openedStream
	stream *h2.Stream
}

// open opens the stream over one of an instance's connections.
func (c *grpcConn) open(ctx context.Context, at *instance, r *request) *Error {
	var stream *h2.Stream
	var err error
	if call := c.grpcCallOf(ctx, at, r.path); r.args == nil {
		stream, err = c.h2.Open(ctx, call)
	} else {
		request, isCompressed := c.client.compress(r.args)
		stream, err = c.h2.Send(ctx, call, request, isCompressed)
	}
	if err != nil {
		return at.grpcFailed(Sending, err)
	}
	wire := r.stream.(*clientSideStream)
	wire.ctx, wire.at, wire.stream = ctx, at, stream
	return nil
}

// giveUp implements [streamWire].
func (s *clientSideStream) giveUp() { s.stream.Abandon(s.ctx) }

// Send implements [Stream]. io.EOF means that the stream has ended: Receive returns how.
func (s *clientSideStream) Send(message any) error {
	if s.isClosed {
		return afterLast()
	}
	sent, isCompressed := s.client.compress(message)
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
		failure := s.at.answered(s.stream)
		s.end(failure)
		if failure == nil {
			return io.EOF
		}
		return failure
	}
	if err != nil {
		return s.failed(Waiting, err)
	}
	if err := s.client.readResponse(s.stream, message, isCompressed, into); err != nil {
		return s.failed(Reading, &unreadableError{err})
	}
	return nil
}

// failed resets a stream and makes its error; it returns nil if err is nil.
func (s *clientSideStream) failed(stage Stage, err error) error {
	if err == nil {
		return nil
	}
	failure := s.at.grpcFailed(stage, err)
	// Nothing else resets the stream later: the context is not listened to any more.
	s.stream.Reset(h2.Cancel)
	s.end(failure)
	return failure
}

// closeSend implements [streamWire].
func (s *clientSideStream) closeSend() error {
	err := s.stream.CloseSend(s.ctx)
	if errors.Is(err, h2.ErrAnswered) {
		return nil
	}
	return s.failed(Sending, err)
}

// header implements [streamWire].
func (s *clientSideStream) header() (Metadata, error) {
	if err := s.stream.AwaitHeader(s.ctx); err != nil {
		return nil, s.failed(Waiting, err)
	}
	return metadataOf(s.stream.Header()).single, nil
}

// trailer implements [streamWire].
func (s *clientSideStream) trailer() Metadata { return metadataOf(s.stream.Trailer()).single }

// blank implements [streamWire].
func (s *clientSideStream) blank() any { return new(emptypb.Empty) }
