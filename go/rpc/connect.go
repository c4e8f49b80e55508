package rpc

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// slot holds one connection.
type slot struct {
	current atomic.Pointer[opened]
	mu      sync.Mutex
	// opening is closed when the current attempt to connect has ended; err is the error of the last one.
	opening chan struct{}
	err     error
	// wait is the time for which no new attempt is made after a failed one; notBefore is the end of that time.
	wait      time.Duration
	notBefore time.Time
}

// opened is a connection of either kind, in its slot.
type opened struct {
	connection
	slot *slot
	// ageing is the timer that replaces the connection when it is old enough; nil if there is none.
	ageing atomic.Pointer[time.Timer]
}

// connection is the interface of an instance's connections, whatever wire they carry.
type connection interface {
	// attempt makes an attempt of a call with one answer, which it reads into the result.
	attempt(ctx context.Context, at *instance, r *request, result any) *Error
	// open opens the request's stream.
	open(ctx context.Context, at *instance, r *request) *Error
	// takesCalls reports whether the connection is open and will stay so.
	takesCalls() bool
	// isOver reports whether the connection has ended.
	isOver() bool
	// leave makes the connection take no more calls, and closes it once all are answered.
	leave()
	// close ends the connection and its calls.
	close(cause error)
}

// hooks are functions by which a connection informs its instance. Each is called once at most.
type hooks struct {
	// left is called when the connection takes no more calls.
	left func()
	// fellSilent is called before left if nothing came between a call and its deadline.
	fellSilent func()
}

// Pauses between attempts to connect that calls wait for: firstWait at first, twice as long after each failure, at most mostWait. On the same
// machine they are at most mostLocalWait, since attempts cost next to nothing there and a restarted server is found sooner.
const (
	firstWait     = 10 * time.Millisecond
	mostWait      = time.Second
	mostLocalWait = 25 * time.Millisecond
)

// longer returns the wait after one more failure.
func longer(wait, most time.Duration) time.Duration { return min(max(2*wait, firstWait), most) }

// mostWait returns the longest time between attempts that calls wait for.
func (i *instance) mostWait() time.Duration {
	if i.at.hasPath() {
		return mostLocalWait
	}
	return mostWait
}

// connection returns a connection for a call. It waits only for connections of Thrift's streams, which are opened when a stream needs them.
//
// # Errors
//
// The error of the last attempt to connect; errNotSent if a connection was lost and no attempt has ended since.
func (i *instance) connection(ctx context.Context, isForStream bool) (*opened, error) {
	slots, isOwn := i.slots, isForStream && wires[i.client.Wire].separatesStreams()
	if isOwn {
		slots = i.streamSlots
	}
	s := &slots[0]
	if len(slots) > 1 {
		s = &slots[int(i.turn.Add(1))%len(slots)]
	}
	if conn := s.current.Load(); conn != nil {
		return conn, nil
	}
	if isOwn {
		return i.await(ctx, s)
	}
	for n := range slots {
		if conn := slots[n].current.Load(); conn != nil {
			if s != &slots[0] {
				i.open(s)
			}
			return conn, nil
		}
	}
	return nil, i.whyUnreachable()
}

// await opens a slot's connection, and waits for it.
func (i *instance) await(ctx context.Context, s *slot) (*opened, error) {
	opening, err := i.open(s)
	if err != nil {
		return nil, err
	}
	select {
	case <-opening:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if conn := s.current.Load(); conn != nil {
		return conn, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	return nil, errNotSent
}

// open begins to connect, unless an attempt is under way; the channel is closed when the attempt has ended.
func (i *instance) open(s *slot) (<-chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opening != nil {
		return s.opening, nil
	}
	if s.err != nil && time.Now().Before(s.notBefore) {
		return nil, s.err
	}
	opening := make(chan struct{})
	if s.current.Load() != nil {
		close(opening)
		return opening, nil
	}
	s.opening = opening
	goUnlabelled(func() {
		err := i.connect(s)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.err, s.opening = err, nil
		if err != nil {
			s.wait = longer(s.wait, i.mostWait())
			s.notBefore = time.Now().Add(s.wait)
		} else {
			s.wait = 0
		}
		close(opening)
	})
	return opening, nil
}

// connect fills a slot. The slot's old connection, if it has one, ends once its calls are answered.
func (i *instance) connect(s *slot) error {
	made := &opened{slot: s}
	conn, err := i.dial(hooks{left: func() { i.lose(made) }, fellSilent: i.suspect})
	if err != nil {
		return err
	}
	made.connection = conn
	old := s.current.Swap(made)
	i.age(made)
	if !i.client.connections.add(conn) {
		conn.close(ErrClientClosed)
	} else if i.isGone() {
		conn.leave()
	}
	if !conn.takesCalls() {
		s.current.CompareAndSwap(made, nil)
		made.stopAgeing()
	}
	if old != nil {
		old.leave()
	}
	i.look()
	return nil
}

// lose removes a connection that takes no more calls from its slot.
func (i *instance) lose(conn *opened) {
	conn.stopAgeing()
	if conn.slot.current.CompareAndSwap(conn, nil) {
		i.look()
	}
}

// dial connects, and makes of the connection one for calls.
func (i *instance) dial(told hooks) (connection, error) {
	ctx, cancel := context.WithTimeout(i.ctx, i.client.ConnectTimeout)
	defer cancel()
	if by, isProbed := wires[i.client.Wire].protocol.(prober); isProbed && i.mustProbe() {
		if err := i.probe(ctx, by); err != nil {
			return nil, err
		}
	}
	conn, err := i.dialPlain(ctx)
	if err != nil {
		return nil, err
	}
	return wires[i.client.Wire].connect(ctx, i.client, conn, told)
}

// dialPlain connects, with TLS if the client has it.
func (i *instance) dialPlain(ctx context.Context) (net.Conn, error) {
	conn, err := i.client.DialContext(ctx, i.at.network, i.at.address)
	if err != nil || i.client.TLS == nil {
		return conn, err
	}
	secure := tls.Client(conn, i.tlsConfig())
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, whyNotSecure(err)
	}
	return secure, nil
}

// whyNotSecure explains the error of a failed handshake if the server seems not to speak TLS.
func whyNotSecure(err error) error {
	switch other := (tls.RecordHeaderError{}); {
	case errors.As(err, &other):
		return fmt.Errorf("the server answers without TLS: connect without it, or set it at the server: %w", err)
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return fmt.Errorf("the server ended the connection in the handshake of TLS: look whether it speaks TLS: %w", err)
	}
	return err
}

func (i *instance) tlsConfig() *tls.Config {
	config := i.client.TLS.Clone()
	if config.ServerName == "" {
		config.ServerName = i.serverName
	}
	if len(config.NextProtos) == 0 {
		config.NextProtos = wires[i.client.Wire].nextProtos()
	}
	if config.ServerName == "" && i.at.network == "tcp" {
		config.ServerName, _, _ = net.SplitHostPort(i.at.address)
	}
	return config
}
