package thrift

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// ServeConn answers the calls that come over a connection, one after the other, until the connection ends or ctx does. A call that
// has come as a whole by then is still answered; its handler sees that ctx has ended. ServeConn closes the connection.
//
// A handler that panics is answered as [Processor.Process] says, and the connection goes on.
func (p *Processor) ServeConn(ctx context.Context, stream net.Conn, wire Wire) error {
	return p.serveConn(ctx, stream, wire, nil)
}

func (p *Processor) serveConn(ctx context.Context, stream net.Conn, wire Wire, failed func(error)) error {
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
		header, body, err := p.process(ctx, wire.protocol(), message, failed)
		if err != nil {
			return err
		}
		if body == nil {
			continue
		}
		peer.mayRead()
		if err := p.answer(connection, header, body, failed); err != nil {
			return err
		}
	}
}

// answer sends an answer. It sends an exception instead if the answer panics while it is written, or is too long.
func (p *Processor) answer(c *connection, header Header, body Writer, failed func(error)) error {
	// Nothing has been sent yet when a struct panics.
	err := safely(header.Method, func() error { return c.write(header, body) })
	var panicked *PanicError
	switch {
	case errors.As(err, &panicked):
		p.tell(panicked, failed)
		err = panicked.forCaller()
	case wasNotSent(err):
		err = fmt.Errorf("the answer: %w", err)
	default:
		return err
	}
	header.Type = Exception
	return c.write(header, exceptionOf(header.Method, err))
}

// Serve answers the calls of all connections that a listener accepts, until ctx ends or the listener fails. It returns when all of
// these connections have ended: the context of handlers ends in both cases. failed is called by several goroutines: with the error
// of each connection that ended in the wrong way, and with a [PanicError] for each handler that panicked. It may be nil: then
// panics are reported to Lost, or else to Go's standard log.
func (p *Processor) Serve(ctx context.Context, listener net.Listener, wire Wire, failed func(error)) error {
	stop := context.AfterFunc(ctx, func() { listener.Close() })
	defer stop()
	var connections sync.WaitGroup
	defer connections.Wait()
	// When the listener fails the connections end too. Otherwise the caller would not get the listener's error while a connection
	// lasts.
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
			err := safely("", func() error { return p.serveConn(serving, stream, wire, failed) })
			if panicked, isPanic := err.(*PanicError); isPanic {
				p.tell(panicked, failed)
			} else if err != nil && failed != nil {
				failed(err)
			}
		}()
	}
}

// accept takes a connection. It waits a while and tries again where the system lacks something that other code may give back, such
// as file descriptors.
func accept(ctx context.Context, listener net.Listener) (net.Conn, error) {
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		stream, err := listener.Accept()
		// Temporary is said to be ill-defined, but nothing else marks these errors, and net/http calls it too.
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
