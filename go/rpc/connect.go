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

// slot is for one connection.
type slot struct {
	current atomic.Pointer[opened]
	mu      sync.Mutex
	// opening is closed when the attempt that is being made has ended; err is how.
	opening chan struct{}
	err     error
	// wait is how long no new attempt is made after one that failed, until notBefore.
	wait      time.Duration
	notBefore time.Time
}

// opened is a connection of either kind, in its slot.
type opened struct {
	connection
	slot *slot
	// ageing is what has it replaced when it is old enough; nil where it never is.
	ageing atomic.Pointer[time.Timer]
}

// connection is what an instance needs of a connection, whatever goes over it.
type connection interface {
	// takesCalls is whether the connection is open and will stay so.
	takesCalls() bool
	// isOver is whether the connection has ended.
	isOver() bool
	// leave takes no more calls, and closes the connection once all are answered.
	leave()
	// close ends the connection and its calls.
	close(cause error)
}

// hooks are what a connection tells its instance. Each is called once at most.
type hooks struct {
	// left is told that the connection takes no more calls.
	left func()
	// fellSilent is told before left where nothing came between a call and its deadline.
	fellSilent func()
}

// Attempts to connect that calls wait for are made this far apart at first, and twice as far each time, up to the most: on the same machine, where they cost next to nothing,
// a server that is started again is found sooner.
const (
	firstWait     = 10 * time.Millisecond
	mostWait      = time.Second
	mostLocalWait = 25 * time.Millisecond
)

// longer is the wait after one more failure.
func longer(wait, most time.Duration) time.Duration { return min(max(2*wait, firstWait), most) }

// mostWait is the longest time between attempts that calls wait for.
func (i *instance) mostWait() time.Duration {
	if i.at.hasPath() {
		return mostLocalWait
	}
	return mostWait
}

// connection gives a connection for a call. It waits for none but those of Thrift's streams, which are opened when a stream needs them.
//
// # Errors
//
// Why the last attempt to connect has failed; errNotSent where a connection was lost and no attempt has ended since.
func (i *instance) connection(ctx context.Context, isForStream bool) (*opened, error) {
	slots, isOwn := i.slots, isForStream && i.client.Wire != GRPC
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

// open begins to connect, unless somebody has; the channel is closed when that has ended.
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

// connect fills a slot. A connection that it already has ends once its calls are answered.
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

// lose takes a connection that takes no more calls out of its slot.
func (i *instance) lose(conn *opened) {
	conn.stopAgeing()
	if conn.slot.current.CompareAndSwap(conn, nil) {
		i.look()
	}
}

// dial connects. A connection of gRPC is there when the server's settings have come: one that is accepted and never served is none.
func (i *instance) dial(told hooks) (connection, error) {
	ctx, cancel := context.WithTimeout(i.ctx, i.client.ConnectTimeout)
	defer cancel()
	if i.mustProbe() {
		if err := i.probe(ctx); err != nil {
			return nil, err
		}
	}
	conn, err := i.dialPlain(ctx)
	if err != nil {
		return nil, err
	}
	if i.client.Wire != GRPC {
		return newClientConn(i.client, conn, told), nil
	}
	made := newGRPCConn(i.client, conn, told)
	if err := made.awaitSettings(ctx); err != nil {
		made.h2.Abort(err)
		return nil, err
	}
	return made, nil
}

// dialPlain connects, with TLS where that is wanted.
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

// whyNotSecure says of a handshake that failed what it means where the server does not speak TLS.
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
	if i.client.Wire == GRPC && len(config.NextProtos) == 0 {
		config.NextProtos = []string{"h2"}
	}
	if config.ServerName == "" && i.at.network == "tcp" {
		config.ServerName, _, _ = net.SplitHostPort(i.at.address)
	}
	return config
}
