package rpc

import (
	"context"
	"net"
	"sync"
)

// Local makes a client of a server in the same process, without a socket: for tests of services, and for programs that hold several services.
// Calls take the same path as calls over a network, messages included. Errors name the address unix://local.
//
// The server begins to serve at once: set its fields before. The client's Wire may be set. Closing the client leaves the server alone; the caller closes
// both.
func Local(server *Server) *Client {
	at := &localListener{connections: make(chan net.Conn), closed: make(chan struct{})}
	go server.Serve(at)
	client := Dial("unix://local")
	client.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) { return at.dial(ctx) }
	return client
}

// localListener accepts connections from this process.
type localListener struct {
	connections chan net.Conn
	closed      chan struct{}
	once        sync.Once
}

func (l *localListener) dial(ctx context.Context) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.connections <- theirs:
		return ours, nil
	case <-l.closed:
		return nil, ErrServerClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Accept implements [net.Listener].
func (l *localListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.connections:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (l *localListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr implements [net.Listener].
func (l *localListener) Addr() net.Addr { return localAddress{} }

type localAddress struct{}

// Network implements [net.Addr].
func (localAddress) Network() string { return "local" }

// String implements [net.Addr].
func (localAddress) String() string { return "local" }
