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
	// Args makes an empty struct for the arguments.
	Args func() Reader
	// IsOneway says that nobody waits for an answer.
	IsOneway bool
	// Serve calls the implementation. An error is one that the IDL does not name.
	Serve func(ctx context.Context, args Reader) (Writer, error)
	// Stream answers a stream, which ends when the function returns; nil for functions with one request and one response. Where there
	// is a Stream, Serve tells its callers so. A Processor alone answers no streams: package rpc does.
	Stream func(stream.ServerStream) error
}

// Processor answers calls by its handlers. All handlers are set before the first call; then several goroutines may use the
// Processor.
type Processor struct {
	handlers map[string]Handler
	// Lost is called with errors that no caller gets, since nobody waits for an answer: the errors of oneway functions. It is also
	// called with a [PanicError] for each handler that panicked, where no other function is called with that. It may be nil.
	Lost func(method string, err error)
	// IdleTimeout is the time that the server waits for the other side of a connection: for its next call to begin, for the call to
	// come as a whole, and for it to take an answer. 0 means for ever.
	IdleTimeout time.Duration
	// MaxConnections is the number of connections that [Processor.Serve] serves at a time; others wait in the listener's queue. 0
	// means no limit.
	MaxConnections int
}

// NewProcessor makes a Processor without handlers.
func NewProcessor() *Processor { return &Processor{handlers: map[string]Handler{}} }

// Handle sets the handler of a function.
func (p *Processor) Handle(method string, handler Handler) { p.handlers[method] = handler }

// Handler returns the handler of a function.
func (p *Processor) Handler(method string) (Handler, bool) {
	handler, isKnown := p.handlers[method]
	return handler, isKnown
}

// Methods returns the names of the functions that have handlers, sorted.
func (p *Processor) Methods() []string { return slices.Sorted(maps.Keys(p.handlers)) }

// Process answers a message: it returns an answer's header and body, or no body for a call that is not answered. For a handler that
// panics the answer is an exception of type [InternalError], which says only that the handler panicked. The panic is reported to
// Lost, or else to Go's standard log.
//
// # Errors
//
// The error of a message whose header cannot be read: nobody can be answered.
func (p *Processor) Process(ctx context.Context, protocol Protocol, message []byte) (Header, Writer, error) {
	return p.process(ctx, protocol, message, nil)
}

// process is Process with a function that is called with panics; failed may be nil.
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

// serve calls the handler of a function, if the message is a call, the function is known and its arguments can be read.
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

// exceptionFor returns the exception that a caller gets for an error. The error's own methods may panic, as a handler may.
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

// exceptionOf returns the exception that a caller gets for an error. An error that holds a nil pointer to an exception is an error
// too, but does not say what went wrong.
func exceptionOf(method string, err error) *ApplicationException {
	var exception *ApplicationException
	if errors.As(err, &exception) && exception != nil {
		return exception
	}
	return &ApplicationException{Type: InternalError, Message: method + ": " + err.Error()}
}
