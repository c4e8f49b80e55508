package rpc

import (
	"context"
	"io"
	"sync"
)

// ClientStream is a stream that a client has opened.
type ClientStream struct {
	stream Stream
	wire   streamWire
}

// streamWire is a client's stream as it is on a wire.
type streamWire interface {
	Stream
	// opened returns the part of the stream that is the same for all wires.
	opened() *openedStream
	closeSend() error
	header() (Metadata, error)
	trailer() Metadata
	// blank returns an empty message, to receive one that is not due.
	blank() any
	// giveUp tells the server that the context has ended.
	giveUp()
	// failed ends the stream, and makes its error; it does nothing and returns nil if err is nil.
	failed(stage Stage, err error) error
}

// openedStream is the part of a client's stream that is the same for all wires.
type openedStream struct {
	ctx    context.Context
	client *Client
	at     *instance
	// name is the name of the function, for errors.
	name string
	// isClosed is true if no more requests are sent.
	isClosed bool
	// made is the attempt, which ends with the stream; stop keeps the context from ending the stream.
	made *attempt
	stop func() bool
	over streamEnd
}

// streamEnd holds the end of a stream, and the functions that are called once when it comes.
type streamEnd struct {
	mu       sync.Mutex
	isOver   bool
	err      error
	watchers []func(error)
}

// watch calls a function when the stream ends: at once if it has ended.
func (e *streamEnd) watch(tell func(error)) {
	e.mu.Lock()
	if !e.isOver {
		e.watchers = append(e.watchers, tell)
		e.mu.Unlock()
		return
	}
	e.mu.Unlock()
	tell(e.err)
}

// come marks the stream as ended, and returns the functions to call; false if it had ended before.
func (e *streamEnd) come(err error) ([]func(error), bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.isOver {
		return nil, false
	}
	e.isOver, e.err = true, err
	return e.watchers, true
}

func (s *openedStream) opened() *openedStream { return s }

// Context implements [Stream].
func (s *openedStream) Context() context.Context { return s.ctx }

// begin makes the stream end with its context, even if nobody receives from it any more.
func (s *openedStream) begin(wire streamWire, made *attempt) {
	s.made = made
	s.stop = context.AfterFunc(s.ctx, func() {
		wire.giveUp()
		s.tellEnd(s.at.failed(Waiting, context.Cause(s.ctx)))
	})
}

// end ends the stream for this side.
func (s *openedStream) end(failure *Error) {
	s.stop()
	s.tellEnd(failure)
}

// tellEnd reports the end of the stream to the policies of the instance and to the functions that watch the call. It names the function in the error.
func (s *openedStream) tellEnd(failure *Error) {
	judged, err := worked, error(nil)
	if failure.within(s.ctx) != nil {
		if failure.Method == "" {
			failure.Method = s.name
		}
		_, judged = classify(s.ctx, failure)
		err = failure
	}
	watchers, isFirst := s.over.come(err)
	if !isFirst {
		return
	}
	s.made.end(judged)
	for _, tell := range watchers {
		tell(err)
	}
}

// afterLast makes the error of a request that follows the last one.
func afterLast() error {
	return &Error{Code: Internal, Stage: Sending, Message: "a request is sent on a stream after its last one"}
}

// open opens a stream through the interceptors.
func (c *Client) open(ctx context.Context, r *request, wire streamWire, request any) (*ClientStream, error) {
	r.stream, r.args = wire, request
	wire.opened().name = fullName(r.service, r.method)
	call := &Call{Service: r.service, Method: r.method, Wire: c.Wire, Target: c.Target, Request: request, Stream: wire, opened: wire.opened()}
	if err := c.doCall(ctx, r, call); err != nil {
		return nil, err
	}
	if wire.opened().made == nil {
		return nil, r.name(&Error{Code: Internal, Stage: Sending, Message: "an interceptor has neither let the stream be opened nor returned an error"})
	}
	return &ClientStream{call.Stream, wire}, nil
}

// Context returns the context of the call.
func (s *ClientStream) Context() context.Context { return s.stream.Context() }

// Send sends a request. io.EOF means that the stream has ended: Receive returns how.
func (s *ClientStream) Send(request any) error { return s.stream.Send(request) }

// Receive reads the next response into a pointer to a message; it returns io.EOF after the last response.
func (s *ClientStream) Receive(into any) error { return s.stream.Receive(into) }

// CloseSend tells the server that no more requests come. A second call does nothing.
func (s *ClientStream) CloseSend() error {
	opened := s.wire.opened()
	if opened.isClosed {
		return nil
	}
	opened.isClosed = true
	return s.wire.closeSend()
}

// Header waits for the metadata that the server sends before its first response.
func (s *ClientStream) Header() (Metadata, error) { return s.wire.header() }

// Trailer returns the metadata that the server sends after its last response, once the stream has ended.
func (s *ClientStream) Trailer() Metadata { return s.wire.trailer() }

// Only receives the only response into a pointer to a message, and the end of the stream.
//
// # Errors
//
// Those of Receive; an error if there is no response, or if there are several.
func (s *ClientStream) Only(into any) error {
	if err := s.stream.Receive(into); err == io.EOF {
		return &Error{Code: Internal, Stage: Reading, Message: "the server has sent no response"}
	} else if err != nil {
		return err
	}
	if err := s.stream.Receive(s.wire.blank()); err == nil {
		return s.wire.failed(Reading, &unreadableError{Errorf(Internal, "the server has sent several responses, where one is due")})
	} else if err != io.EOF {
		return err
	}
	return nil
}
