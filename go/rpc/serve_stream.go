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

// ServerStream is a stream that a handler answers.
type ServerStream struct {
	stream Stream
	ctx    context.Context
	call   replying
}

// replying is a call whose handler may add metadata to the answer.
type replying interface {
	setHeader(Metadata) error
	sendHeader() error
	setTrailer(Metadata) error
}

// Context returns the context of the call.
func (s *ServerStream) Context() context.Context { return s.ctx }

// Send sends a response.
func (s *ServerStream) Send(response any) error { return s.stream.Send(response) }

// Receive reads the next request into a pointer to a message; it returns io.EOF after the last request.
func (s *ServerStream) Receive(into any) error { return s.stream.Receive(into) }

// Only reads the only request.
//
// # Errors
//
// Those of Receive; an error if there is no request.
func (s *ServerStream) Only(into any) error {
	if err := s.stream.Receive(into); err == io.EOF {
		return Errorf(Internal, "the client has sent no request")
	} else if err != nil {
		return err
	}
	return nil
}

// SetHeader adds metadata that is sent before the first response.
//
// # Errors
//
// An error if the header has been sent; an error of pairs that cannot be sent, which are left out.
func (s *ServerStream) SetHeader(header Metadata) error { return s.call.setHeader(header) }

// SendHeader sends the header before the first response.
func (s *ServerStream) SendHeader(header Metadata) error {
	if err := s.call.setHeader(header); err != nil {
		return err
	}
	return s.call.sendHeader()
}

// SetTrailer adds metadata that is sent after the last response. Pairs that cannot be sent are left out, and [Server.Lost] is told of them.
func (s *ServerStream) SetTrailer(trailer Metadata) { s.call.setTrailer(trailer) }
