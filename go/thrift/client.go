package thrift

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// Caller calls functions of services. Generated clients make their calls with a Caller.
type Caller interface {
	// Call calls a function and waits for its answer; result is nil for a function without an answer.
	Call(ctx context.Context, method string, args Writer, result Reader) error
}

// CallerOf gives a caller of one of the services that a server has, by the service's name in the IDL. That is the result of the
// caller's method ForService, or the caller itself where it has no such method. The idempotent functions are those that the IDL
// allows to run twice for one call.
func CallerOf(caller Caller, service string, idempotent ...string) Caller {
	if several, ok := caller.(interface {
		ForService(service string, idempotent ...string) Caller
	}); ok {
		return several.ForService(service, idempotent...)
	}
	return caller
}

// Registrar is a server that answers calls of several services.
type Registrar interface {
	// RegisterThrift makes the server answer calls of a service with this processor. The service has its name in the IDL.
	RegisterThrift(service string, processor *Processor)
}

// Client calls over one connection, one call after the other. Several goroutines may use it; a call waits for the calls before it.
//
// An error of the connection, or an answer that is not a valid one, breaks the client: it closes the connection, and every later
// call fails with [ErrBroken]. Make another client then.
type Client struct {
	// turn holds one token, which a call takes.
	turn       chan struct{}
	stream     net.Conn
	connection *connection
	sequence   int32
	broken     error
	closing    sync.Once
	closed     error
}

// ErrBroken is the error of calls over a connection that an earlier call has broken.
var ErrBroken = errors.New("the connection is broken")

// NewClient makes a client that calls over a connection.
func NewClient(stream net.Conn, wire Wire) *Client {
	return &Client{stream: stream, connection: newConnection(stream, wire), turn: make(chan struct{}, 1)}
}

// Close closes the connection. Calls that wait for an answer fail.
func (c *Client) Close() error {
	c.closing.Do(func() { c.closed = c.stream.Close() })
	return c.closed
}

// Call implements [Caller].
//
// # Errors
//
// The context's error, if the context ends first. If the call has begun by then, the client is broken, since nobody would read the
// answer. An [ApplicationException] that the other side answers with, or that says what is wrong with its answer. A [ProtocolError]
// of a result that cannot be read. A [TooLongError] or [ErrLength] of arguments that cannot be sent. Other errors are the
// connection's.
func (c *Client) Call(ctx context.Context, method string, args Writer, result Reader) (err error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if c.broken != nil {
		return fmt.Errorf("%w: %w", ErrBroken, c.broken)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(interrupted)
		c.stream.SetDeadline(past)
	})
	isWhole, err := false, errPanicked
	// This runs also where the methods of a struct panic.
	defer func() {
		if !stop() {
			// The deadline must not be set later than this: it would end another call.
			<-interrupted
			c.stream.SetDeadline(time.Time{})
			if !isWhole {
				err = ctx.Err()
			}
		}
		if !isWhole {
			c.broken = err
			c.Close()
		}
	}()
	isWhole, err = c.call(method, args, result)
	return err
}

// errPanicked is the reason why a connection is broken after a call that panicked.
var errPanicked = errors.New("a call panicked")

// call makes the call, and says also whether the connection can still be used afterwards.
func (c *Client) call(method string, args Writer, result Reader) (isWhole bool, err error) {
	defer c.connection.release()
	c.sequence++
	header := Header{Method: method, Type: Call, Sequence: c.sequence}
	if result == nil {
		header.Type = Oneway
	}
	if err := c.connection.write(header, args); err != nil {
		return wasNotSent(err), err
	}
	if result == nil {
		return true, nil
	}
	message, err := c.connection.read()
	if err != nil {
		return false, unexpected(err)
	}
	return c.answer(header, message, result)
}

// answer reads the answer to a call.
func (c *Client) answer(called Header, message []byte, result Reader) (isWhole bool, err error) {
	protocol, method := c.connection.wire.protocol(), called.Method
	answer, off, err := protocol.ReadHeader(message)
	if err != nil {
		return false, err
	}
	switch {
	case answer.Sequence != called.Sequence:
		return false, &ApplicationException{Type: BadSequenceID, Message: method + ": the answer is that of another call"}
	case answer.Method != method:
		return false, &ApplicationException{Type: WrongMethodName, Message: method + ": answered as " + answer.Method}
	case answer.Type == Exception:
		exception := new(ApplicationException)
		if err := protocol.ReadBody(message[off:], exception); err != nil {
			return true, err
		}
		return true, exception
	case answer.Type != Reply:
		return false, &ApplicationException{Type: InvalidMessageType, Message: method + ": the answer is none"}
	}
	return true, protocol.ReadBody(message[off:], result)
}
