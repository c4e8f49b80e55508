package thrift

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"hone/go/stream"
)

// Handler answers calls of one function.
type Handler struct {
	// Args makes room for what it takes.
	Args func() Reader
	// IsOneway is whether nobody waits for an answer.
	IsOneway bool
	// Serve calls the implementation. An error is one that the IDL does not name.
	Serve func(ctx context.Context, args Reader) (Writer, error)
	// Stream answers a stream, which ends when the function returns, where there may be several requests or responses; nil for others. Serve
	// then says so to those that call it. Processors alone answer no streams: package rpc does.
	Stream func(stream.ServerStream) error
}

// Processor answers calls by its handlers. All of these are there before the first call; then several goroutines may use it.
type Processor struct {
	handlers map[string]Handler
	// Lost is told of errors that no caller is told of, since nobody waits for an answer: those of oneway functions. It is told of
	// handlers that panicked too, by a [PanicError], where nobody else is. It may be nil.
	Lost func(method string, err error)
	// IdleTimeout is how long a connection is waited for: for its next call to begin, for that to come as a whole, and for an answer to
	// be taken. 0 is for ever.
	IdleTimeout time.Duration
	// MaxConnections is how many connections [Processor.Serve] serves at a time; others wait in the listener's queue. 0 is no limit.
	MaxConnections int
}

// NewProcessor is one without handlers.
func NewProcessor() *Processor { return &Processor{handlers: map[string]Handler{}} }

// Handle answers calls of a function by this handler.
func (p *Processor) Handle(method string, handler Handler) { p.handlers[method] = handler }

// Handler gives the handler of a function.
func (p *Processor) Handler(method string) (Handler, bool) {
	handler, isKnown := p.handlers[method]
	return handler, isKnown
}

// Methods are the functions that have handlers, sorted.
func (p *Processor) Methods() []string { return slices.Sorted(maps.Keys(p.handlers)) }

// Process answers a message: with an answer's header and body, or with no body for a call that is not answered. A handler that panics is
// answered for with an exception of type [InternalError], which says no more than that; Lost is told of it, or else Go's standard log.
//
// # Errors
//
// Those of a message whose header cannot be read: there is nobody to answer.
func (p *Processor) Process(ctx context.Context, protocol Protocol, message []byte) (Header, Writer, error) {
	return p.process(ctx, protocol, message, nil)
}

// process is Process for a server that has somebody of its own to tell of panics, or nil.
func (p *Processor) process(ctx context.Context, protocol Protocol, message []byte, failed func(error)) (Header, Writer, error) {
	header, off, err := protocol.ReadHeader(message)
	if err != nil {
		return header, nil, err
	}
	handler, isKnown := p.handlers[header.Method]
	answer := Header{Method: header.Method, Type: Reply, Sequence: header.Sequence}
	result, err := p.serve(ctx, handler, isKnown, protocol, header, message[off:])
	panicked, isPanic := err.(*PanicError)
	if isPanic {
		p.tell(panicked, failed)
		err = panicked.forCaller()
	}
	switch {
	case header.Type == Oneway || isKnown && handler.IsOneway:
		if err != nil && !isPanic && p.Lost != nil {
			p.Lost(header.Method, err)
		}
		return answer, nil, nil
	case err != nil:
		answer.Type = Exception
		return answer, p.exceptionFor(header.Method, err, failed), nil
	case result == nil:
		// Without an answer the caller would wait for ever.
		answer.Type = Exception
		return answer, exceptionOf(header.Method, MissingResult(header.Method)), nil
	}
	return answer, result, nil
}

// serve calls the handler of a function, if it is one and its arguments can be read.
func (p *Processor) serve(ctx context.Context, handler Handler, isKnown bool, protocol Protocol, header Header, body []byte) (result Writer, err error) {
	switch {
	case header.Type != Call && header.Type != Oneway:
		return nil, &ApplicationException{Type: InvalidMessageType, Message: fmt.Sprintf("a message of type %d is no call", header.Type)}
	case !isKnown:
		return nil, &ApplicationException{Type: UnknownMethod, Message: "unknown function " + header.Method}
	}
	err = safely(header.Method, func() error {
		args := handler.Args()
		if err := protocol.ReadBody(body, args); err != nil {
			return &ApplicationException{Type: ProtocolErrorOfCall, Message: err.Error()}
		}
		result, err = handler.Serve(ctx, args)
		return err
	})
	return result, err
}

// exceptionFor is what a caller is told of an error, whose own methods may panic as a handler may.
func (p *Processor) exceptionFor(method string, err error, failed func(error)) (exception *ApplicationException) {
	fault := safely(method, func() error {
		exception = exceptionOf(method, err)
		return nil
	})
	if panicked, isPanic := fault.(*PanicError); isPanic {
		p.tell(panicked, failed)
		exception = exceptionOf(method, panicked.forCaller())
	}
	return exception
}

// exceptionOf is what a caller is told of an error. A nil pointer to an exception is an error, and says nothing of which.
func exceptionOf(method string, err error) *ApplicationException {
	var exception *ApplicationException
	if errors.As(err, &exception) && exception != nil {
		return exception
	}
	return &ApplicationException{Type: InternalError, Message: method + ": " + err.Error()}
}
