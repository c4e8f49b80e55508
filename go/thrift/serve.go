package thrift

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime/debug"
	"sync"
	"time"
)

// ServeConn answers the calls that come over a connection, one after the other, until it ends or ctx does. A call that
// has come as a whole by then is still answered; its handler sees that ctx has ended. It closes the connection.
func (p *Processor) ServeConn(ctx context.Context, stream net.Conn, wire Wire) error {
	defer stream.Close()
	stop := context.AfterFunc(ctx, func() {
		stream.SetReadDeadline(past)
		stream.SetWriteDeadline(time.Now().Add(lastAnswer))
	})
	defer stop()
	connection, peer := newConnection(stream, wire), peer{ctx, stream, p.IdleTimeout}
	for {
		peer.mayWrite()
		if err := connection.begins(); err != nil {
			return peer.endedBy(err)
		}
		peer.mayWrite()
		message, err := connection.read()
		if err != nil && ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		header, body, err := p.Process(ctx, wire.protocol(), message)
		if err != nil {
			return err
		}
		if body == nil {
			continue
		}
		peer.mayRead()
		if err := connection.answer(header, body); err != nil {
			return err
		}
	}
}

// answer sends an answer, or what is wrong with it if it is too long to be sent.
func (c *connection) answer(header Header, body Writer) error {
	err := c.write(header, body)
	var tooLong *TooLongError
	if errors.As(err, &tooLong) {
		header.Type = Exception
		return c.write(header, &ApplicationException{Type: InternalError, Message: header.Method + ": the answer: " + err.Error()})
	}
	return err
}

// Serve answers the calls of all connections that a listener takes, until ctx ends or the listener fails, and returns when all of them
// have ended: the context of handlers ends in both cases. failed is told of connections that ended otherwise than they should, by
// several goroutines; it may be nil. A handler that panics ends its connection, with a [PanicError]; the process where failed is nil, so
// that it does not go unseen.
func (p *Processor) Serve(ctx context.Context, listener net.Listener, wire Wire, failed func(error)) error {
	stop := context.AfterFunc(ctx, func() { listener.Close() })
	defer stop()
	var connections sync.WaitGroup
	defer connections.Wait()
	// Without a listener the connections end too, or they would keep its error from the caller.
	serving, end := context.WithCancel(ctx)
	defer end()
	places := placesFor(p.MaxConnections)
	for {
		if !places.take(ctx) {
			return nil
		}
		stream, err := accept(ctx, listener)
		if ctx.Err() != nil {
			if err == nil {
				stream.Close()
			}
			return nil
		}
		if err != nil {
			return err
		}
		connections.Add(1)
		go func() {
			defer connections.Done()
			defer places.leave()
			if failed == nil {
				p.ServeConn(serving, stream, wire)
				return
			}
			if err := p.serveSafely(serving, stream, wire); err != nil {
				failed(err)
			}
		}()
	}
}

// serveSafely is ServeConn that makes an error of a panic.
func (p *Processor) serveSafely(ctx context.Context, stream net.Conn, wire Wire) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return p.ServeConn(ctx, stream, wire)
}

// PanicError is a handler that panicked.
type PanicError struct {
	Value any
	// Stack is the text of the stack at the panic.
	Stack []byte
}

// Error says what the panic said, and where it was.
func (e *PanicError) Error() string {
	return fmt.Sprintf("a handler panicked: %v\n%s", e.Value, e.Stack)
}

// accept takes a connection. It waits a while and tries again where there is want of something that others may give back,
// such as file descriptors.
func accept(ctx context.Context, listener net.Listener) (net.Conn, error) {
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		stream, err := listener.Accept()
		// Temporary is said to be ill-defined, but nothing else tells these errors, and net/http asks for it too.
		var temporary interface{ Temporary() bool }
		if err == nil || !errors.As(err, &temporary) || !temporary.Temporary() {
			return stream, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}
