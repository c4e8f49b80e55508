package rpc

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// instance is one address of a service, with the connections to it.
type instance struct {
	client *Client
	at     endpoint
	turn   atomic.Uint32
	slots  []slot
}

// slot is for one connection, which is opened when a call needs it.
type slot struct {
	current atomic.Pointer[clientConn]
	mu      sync.Mutex
	// opening is closed when the attempt that is being made has ended; err is how.
	opening chan struct{}
	err     error
	// wait is how long no new attempt is made after one that failed, until notBefore.
	wait      time.Duration
	notBefore time.Time
}

// Attempts to connect are made this far apart at first, and twice as far each time, up to the most.
const (
	firstWait = 10 * time.Millisecond
	mostWait  = time.Second
)

func newInstance(client *Client, at endpoint) *instance {
	return &instance{client: client, at: at, slots: make([]slot, client.Connections)}
}

// connection gives a connection that takes calls, and opens one if there is none.
func (i *instance) connection(ctx context.Context) (*clientConn, error) {
	s := &i.slots[0]
	if len(i.slots) > 1 {
		s = &i.slots[int(i.turn.Add(1))%len(i.slots)]
	}
	if conn := s.current.Load(); conn != nil && conn.takesCalls() {
		return conn, nil
	}
	opening, err := i.open(s)
	if err != nil {
		return nil, err
	}
	select {
	case <-opening:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if conn := s.current.Load(); conn != nil && conn.takesCalls() {
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
	if conn := s.current.Load(); conn != nil && conn.takesCalls() {
		close(opening)
		return opening, nil
	}
	s.opening = opening
	go func() {
		conn, err := i.dial()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.err, s.opening = err, nil
		if err != nil {
			s.wait = min(max(2*s.wait, firstWait), mostWait)
			s.notBefore = time.Now().Add(s.wait)
		} else {
			s.wait = 0
			s.current.Store(conn)
			if i.client.isClosed.Load() {
				conn.link.Close(ErrClientClosed)
			}
		}
		close(opening)
	}()
	return opening, nil
}

// dial connects.
func (i *instance) dial() (*clientConn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), i.client.ConnectTimeout)
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, i.at.network, i.at.address)
	if err != nil {
		return nil, err
	}
	if i.client.TLS != nil {
		secure := tls.Client(conn, i.tlsConfig())
		if err := secure.HandshakeContext(ctx); err != nil {
			conn.Close()
			return nil, err
		}
		conn = secure
	}
	return newClientConn(i.client, conn), nil
}

func (i *instance) tlsConfig() *tls.Config {
	config := i.client.TLS.Clone()
	if config.ServerName == "" && i.at.network == "tcp" {
		config.ServerName, _, _ = net.SplitHostPort(i.at.address)
	}
	return config
}

func (i *instance) close() {
	for n := range i.slots {
		if conn := i.slots[n].current.Load(); conn != nil {
			conn.link.Close(ErrClientClosed)
		}
	}
}
