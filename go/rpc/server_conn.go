package rpc

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"hone/go/rpc/internal/link"
	"hone/go/rpc/internal/thriftwire"
)

// serverConn is a connection that a server answers.
type serverConn struct {
	server *Server
	conn   net.Conn
	link   *link.Link
	// secured is the state of TLS; nil without TLS.
	secured *tls.ConnectionState
	// calls is the number of calls that are being answered; room receives a value when the end of a call lets a waiting reader go on.
	calls atomic.Int32
	room  chan struct{}
	// streams is the number of open streams of Thrift. They do not count as calls: they wait for messages, so the reader must not stop for them.
	streams   atomic.Int32
	running   sync.WaitGroup
	isEnding  atomic.Bool
	drainWire func()

	mu sync.Mutex
	// watching holds the contexts that end with the connection; nil once it has ended.
	watching map[*callContext]struct{}
	hasEnded bool
}

func newServerConn(s *Server, conn net.Conn) *serverConn {
	c := &serverConn{server: s, conn: conn, room: make(chan struct{}, 1)}
	if s.TLS != nil {
		c.conn = tls.Server(conn, s.secure)
	}
	c.link = link.New(c.conn, link.Options{WriteTimeout: s.WriteTimeout, OnClose: c.end})
	return c
}

// serve answers the calls of a connection until it ends, and closes it when the last call is answered.
func (c *serverConn) serve() {
	err := c.speak()
	if err == io.EOF {
		// The client is gone, or has only closed its sending side: then it still gets the answers of handlers that go on.
		c.end()
		err = nil
	}
	if err != nil && c.isEnding.Load() {
		if !isTimeout(err) {
			// The connection broke while the server waited for its calls.
			c.end()
		}
		err = nil
	}
	// Calls that have come are answered even if no more come, unless the connection is broken.
	if err == nil {
		c.running.Wait()
		c.finish()
	}
	c.link.Close(err)
	if err != nil {
		err = c.link.Cause()
	}
	c.running.Wait()
	if err != nil && c.server.Lost != nil && !errors.Is(err, link.ErrClosed) && !errors.Is(err, ErrServerClosed) {
		c.server.Lost(fmt.Errorf("connection of %s: %w", c.conn.RemoteAddr(), err))
	}
}

// finish writes the waiting bytes and closes this side's half of the connection. It reads on for a while, so that the client gets all of them.
func (c *serverConn) finish() {
	c.link.Finish()
	c.link.Drain()
	c.conn.SetReadDeadline(time.Now().Add(quietPeriod))
	c.link.Discard()
}

// isTimeout reports whether an error comes from a deadline of the connection.
func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// speak recognises the wire by the first bytes, and answers the calls that come over it.
func (c *serverConn) speak() error {
	stop := c.closeWhenIdle()
	defer stop()
	if err := c.shakeHands(); err != nil {
		return err
	}
	// Clients may connect long before they call.
	if _, err := c.link.Peek(1); err != nil {
		return err
	}
	c.conn.SetReadDeadline(time.Now().Add(c.server.FirstByteTimeout))
	first, serve, err := c.recognise()
	if err != nil {
		return err
	}
	c.conn.SetReadDeadline(time.Time{})
	if c.isEnding.Load() {
		// Another goroutine that drains it may have set a deadline just before.
		c.drain()
	}
	if serve != nil {
		return serve(c)
	}
	if first[0] == tlsHandshake {
		io.WriteString(c.conn, plainAnswer+"This port does not speak TLS.\n")
		return errClientHasTLS
	}
	if isHTTP1(first) {
		io.WriteString(c.conn, plainAnswer+"This port speaks Thrift and gRPC, not HTTP/1.\n")
	}
	return fmt.Errorf("the first bytes are %q, which is no wire that is spoken here", first[:min(len(first), thriftwire.SniffBytes)])
}

// recognise returns the first bytes of the client, and the function that answers its calls; nil if the bytes are of no protocol.
func (c *serverConn) recognise() (first []byte, serve func(*serverConn) error, err error) {
	for _, length := range []int{thriftwire.FewestBytes, thriftwire.SniffBytes} {
		if first, err = c.link.Peek(length); err != nil {
			return nil, nil, err
		}
		for _, protocol := range spoken {
			if serve = protocol.recognise(first); serve != nil {
				return first, serve, nil
			}
		}
	}
	return first, nil, nil
}

// shakeHands makes the connection secure, if the server has TLS.
func (c *serverConn) shakeHands() error {
	secure, isSecure := c.conn.(*tls.Conn)
	if !isSecure {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.server.FirstByteTimeout)
	defer cancel()
	if err := secure.HandshakeContext(ctx); err != nil {
		if other := (tls.RecordHeaderError{}); errors.As(err, &other) {
			if other.Conn != nil {
				other.Conn.Write(tlsRefusal)
			}
			return fmt.Errorf("%w: %w", errClientLacksTLS, err)
		}
		return err
	}
	state := secure.ConnectionState()
	c.secured = &state
	return nil
}

// plainAnswer is the beginning of an answer to a client that speaks HTTP/1, or another protocol in which people see the text.
const plainAnswer = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"

// tlsHandshake is the first byte of a client of TLS. tlsRefusal is the answer to a client that does not speak TLS: an alert, "unexpected message".
const tlsHandshake = 0x16

var tlsRefusal = []byte{0x15, 3, 3, 0, 2, 2, 10}

var (
	errClientHasTLS   = errors.New("the client speaks TLS, and this port does not: set the server's TLS, or connect without")
	errClientLacksTLS = errors.New("the client does not speak TLS, and this port does: connect with TLS")
)

func isHTTP1(first []byte) bool {
	for _, method := range []string{"GET ", "POST ", "PUT ", "HEAD ", "DELETE ", "OPTIONS ", "PATCH "} {
		if bytes.HasPrefix(first, []byte(method)) {
			return true
		}
	}
	return false
}

// closeWhenIdle closes the connection when nothing has come over it for the server's idle timeout and no call is being answered.
func (c *serverConn) closeWhenIdle() (stop func()) {
	timeout := c.server.IdleTimeout
	if timeout <= 0 {
		return func() {}
	}
	var timer *time.Timer
	hasStopped := false
	moved := c.link.Moved()
	var mu sync.Mutex
	mu.Lock()
	timer = time.AfterFunc(timeout, func() {
		mu.Lock()
		defer mu.Unlock()
		if hasStopped {
			return
		}
		if now := c.link.Moved(); now != moved || c.isBusy() || c.link.IsWriting() {
			moved = now
			timer.Reset(timeout)
			return
		}
		c.isEnding.Store(true)
		c.link.Close(link.ErrClosed)
	})
	mu.Unlock()
	return func() {
		mu.Lock()
		defer mu.Unlock()
		hasStopped = true
		timer.Stop()
	}
}

// awaitRoom waits while there are too many calls, or until the connection ends. Only the goroutine that reads calls it.
func (c *serverConn) awaitRoom() {
	for c.calls.Load() >= int32(c.server.MaxCallsPerConnection) {
		select {
		case <-c.room:
		case <-c.link.Closed():
			return
		}
	}
}

// enter counts a call that has come. Only the goroutine that reads calls it.
func (c *serverConn) enter() {
	c.running.Add(1)
	c.calls.Add(1)
}

// isBusy reports whether any call or stream is being answered.
func (c *serverConn) isBusy() bool { return c.calls.Load() > 0 || c.streams.Load() > 0 }

// leave counts the end of a call.
func (c *serverConn) leave() {
	if c.calls.Add(-1) == int32(c.server.MaxCallsPerConnection)-1 {
		select {
		case c.room <- struct{}{}:
		default:
		}
	}
	c.running.Done()
}

// drain makes the connection end as soon as the calls that have come are answered.
func (c *serverConn) drain() {
	c.isEnding.Store(true)
	c.mu.Lock()
	drainWire := c.drainWire
	if drainWire == nil {
		// The client has not shown its wire yet, or clients cannot be told over this wire to leave.
		c.conn.SetReadDeadline(time.Now().Add(quietPeriod))
	}
	c.mu.Unlock()
	if drainWire != nil {
		drainWire()
	}
}

// quietPeriod is the time for which a connection of a server that ends may be silent before it is closed. A call that was sent at the same time is
// still read.
const quietPeriod = 100 * time.Millisecond

// watch makes a context end when the connection ends; it returns false if the connection has ended.
func (c *serverConn) watch(ctx *callContext) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hasEnded {
		return false
	}
	if c.watching == nil {
		c.watching = map[*callContext]struct{}{}
	}
	c.watching[ctx] = struct{}{}
	return true
}

func (c *serverConn) unwatch(ctx *callContext) {
	c.mu.Lock()
	delete(c.watching, ctx)
	c.mu.Unlock()
}

// end ends the contexts of calls that are still being answered.
func (c *serverConn) end() {
	c.mu.Lock()
	watching := c.watching
	c.hasEnded, c.watching = true, nil
	c.mu.Unlock()
	for ctx := range watching {
		ctx.end(context.Canceled)
	}
}

func (c *serverConn) isClosed() bool {
	select {
	case <-c.link.Closed():
		return true
	default:
		return false
	}
}
