package rpc

import (
	"context"
	"io"
)

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
