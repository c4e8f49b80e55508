package rpc

import (
	"context"
	"errors"
	"io"

	"hone/go/rpc/internal/h2"
)

// streamTask answers a call with a stream.
type streamTask grpcCall

// Run implements [workers.Task].
func (t *streamTask) Run() {
	c := (*grpcCall)(t)
	defer c.leave()
	c.ctx.label()
	defer unlabel()
	c.call.Stream = &serverSideStream{c}
	err := c.conn.server.handle(&c.ctx, t)
	c.ctx.finish()
	c.replied.Lock()
	defer c.replied.Unlock()
	response := h2.Response{Status: c.status(err), Trailer: verdictOf(err).trailerWith(c.trailer)}
	if !c.hasSentHeader {
		response.Metadata = c.header
	}
	c.answer(&response)
}

// serve calls the handler.
func (t *streamTask) serve(ctx context.Context) (err error) {
	defer recovered(&err, t.method.Name)
	return t.method.Stream(&ServerStream{stream: t.call.Stream, ctx: ctx, call: (*grpcCall)(t)})
}

// serverSideStream is a stream as it is on the wire.
type serverSideStream struct{ *grpcCall }

// Context implements [Stream].
func (s *serverSideStream) Context() context.Context { return &s.ctx }

// Send implements [Stream].
func (s *serverSideStream) Send(message any) error {
	if err := s.sendHeader(); err != nil {
		return err
	}
	sent, isCompressed := s.conn.server.compression.compress(s.encoding(), newProtoMessage(message))
	return s.lostOr(s.stream.SendMessage(&s.ctx, sent, isCompressed))
}

// Receive implements [Stream].
func (s *serverSideStream) Receive(into any) error {
	message, isCompressed, err := s.stream.Receive(&s.ctx)
	if err != nil {
		return s.lostOr(err)
	}
	return s.read(message, isCompressed, into)
}

// lostOr turns an error of the wire into an [Error].
func (s *serverSideStream) lostOr(err error) error {
	var lost *h2.Error
	if err == io.EOF || !errors.As(err, &lost) {
		return err
	}
	return &Error{Code: Code(lost.Code), Message: lost.What, Cause: err}
}
