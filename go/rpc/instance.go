package rpc

import (
	"context"
	"crypto/tls"
	"errors"
	"iter"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"hone/go/rpc/balance"
	"hone/go/rpc/breaker"
	"hone/go/rpc/outlier"
	"hone/go/thrift"
)

// instance is one address of a service, with the connections to it and what policies know of it.
type instance struct {
	client *Client
	at     endpoint
	// serverName is the name that the other side's certificate must have, where the resolver tells it.
	serverName string
	turn       atomic.Uint32
	slots      []slot
	// streamSlots are for streams of Thrift: servers of Kitex tell by a connection's first frame whether it has streams or calls, and a
	// stream that sends much does not hold calls up.
	streamSlots []slot
	// isGone is set once the resolver tells the instance no more.
	isGone atomic.Bool

	node    *balance.Node
	breaker *breaker.Breaker
	host    *outlier.Host
	// attempt is that of all calls, where no policy wants to tell them apart.
	attempt attempt
	// warmsSince is when the instance was first seen. Both are the route's.
	warmsSince time.Duration
	isWarming  bool
}

// slot is for one connection, which is opened when a call needs it.
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

// live gives the slot's connection if that takes calls; nil otherwise.
func (s *slot) live() connection {
	if conn := s.current.Load(); conn != nil && conn.takesCalls() {
		return conn.connection
	}
	return nil
}

// opened is a connection of either kind.
type opened struct{ connection }

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

// Attempts to connect are made this far apart at first, and twice as far each time, up to the most: on the same machine, where they cost next to nothing, a server that is
// started again is found sooner.
const (
	firstWait     = 10 * time.Millisecond
	mostWait      = time.Second
	mostLocalWait = 25 * time.Millisecond
)

func newInstance(client *Client, at endpoint, serverName string) (*instance, error) {
	made := &instance{client: client, at: at, serverName: serverName, slots: make([]slot, client.Connections), streamSlots: make([]slot, client.Connections)}
	made.attempt.instance = made
	if options := client.governance.Breaker; options != nil {
		var err error
		if made.breaker, err = breaker.New(*options); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// connection gives a connection that takes calls, and opens one if there is none.
func (i *instance) connection(ctx context.Context, isForStream bool) (connection, error) {
	slots := i.slots
	if isForStream && i.client.Wire != GRPC {
		slots = i.streamSlots
	}
	s := &slots[0]
	if len(slots) > 1 {
		s = &slots[int(i.turn.Add(1))%len(slots)]
	}
	if conn := s.live(); conn != nil {
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
	if conn := s.live(); conn != nil {
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
	if s.live() != nil {
		close(opening)
		return opening, nil
	}
	s.opening = opening
	goUnlabelled(func() {
		conn, err := i.dial()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.err, s.opening = err, nil
		if err != nil {
			most := mostWait
			if i.at.hasPath() {
				most = mostLocalWait
			}
			s.wait = min(max(2*s.wait, firstWait), most)
			s.notBefore = time.Now().Add(s.wait)
		} else {
			s.wait = 0
			s.current.Store(&opened{conn})
			if !i.client.connections.add(conn) {
				conn.close(ErrClientClosed)
			} else if i.isGone.Load() {
				conn.leave()
			}
		}
		close(opening)
	})
	return opening, nil
}

// dial connects.
func (i *instance) dial() (connection, error) {
	ctx, cancel := context.WithTimeout(context.Background(), i.client.ConnectTimeout)
	defer cancel()
	conn, err := i.client.DialContext(ctx, i.at.network, i.at.address)
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
	if i.client.Wire == GRPC {
		return newGRPCConn(i.client, conn), nil
	}
	return newClientConn(i.client, conn), nil
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

// leave closes the connections as soon as the calls over them are answered.
func (i *instance) leave() {
	i.isGone.Store(true)
	for conn := range i.connections() {
		conn.leave()
	}
}

// connections are those that calls are sent over.
func (i *instance) connections() iter.Seq[connection] {
	return func(yield func(connection) bool) {
		for _, slots := range [][]slot{i.slots, i.streamSlots} {
			for n := range slots {
				if conn := slots[n].current.Load(); conn != nil && !yield(conn.connection) {
					return
				}
			}
		}
	}
}

// call makes an attempt of a call over one of the instance's connections.
func (i *instance) call(ctx context.Context, r *request, result any) *Error {
	if err := ctx.Err(); err != nil {
		return &Error{Code: CodeOf(err), Stage: Connecting, Cause: err}
	}
	for connections := 1; ; connections++ {
		conn, err := i.connection(ctx, r.stream != nil)
		if err != nil {
			failure := i.failed(Connecting, err)
			if ctx.Err() == nil {
				// A timeout is that of the connection then.
				failure.Code = Unavailable
			}
			return failure.within(ctx)
		}
		var failure *Error
		switch conn := conn.(type) {
		case *clientConn:
			if r.stream != nil {
				failure = conn.open(ctx, i, r)
			} else {
				failure = conn.attempt(ctx, i, r, result)
			}
		case *grpcConn:
			if r.stream != nil {
				failure = conn.open(ctx, i, r)
			} else {
				failure = conn.attempt(ctx, i, r, result)
			}
		}
		// A connection that ended before anything of the call was sent has done no harm.
		if failure == nil || !errors.Is(failure, errNotSent) || connections == mostConnections || ctx.Err() != nil || i.client.isClosed.Load() {
			return failure.within(ctx)
		}
	}
}

// mostConnections is how many connections may end, one after the other, before a call is sent over one: a server that closes each at once
// would keep its clients connecting.
const mostConnections = 4

// failed makes the error of an attempt.
func (i *instance) failed(stage Stage, err error) *Error {
	failure := &Error{Code: Internal, Stage: stage, Address: i.at.String(), Cause: err}
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		failure.Code = CodeOf(err)
	case stage == Connecting, stage == Waiting, errors.Is(err, errNotSent):
		failure.Code = Unavailable
	case errors.As(err, new(*thrift.TooLongError)):
		failure.Code = ResourceExhausted
	case errors.Is(err, thrift.ErrLength):
		failure.Code, failure.Cause = ResourceExhausted, thrift.ErrLength
	}
	return failure
}
