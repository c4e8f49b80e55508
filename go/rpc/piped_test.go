package rpc_test

import (
	"context"
	"net"
	"testing"
	"testing/synctest"

	"hone/go/rpc"
)

// inFakeTime runs a test in a time of its own, which goes on once all goroutines wait: what has to wait for a while waits for no clock, and a while is over exactly when
// nothing else can happen before. Connections must be pipes there: what waits for the kernel is not seen to wait.
func inFakeTime(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}

// pipeAddress stands for pipes in clients.
const pipeAddress = "unix://pipe"

// setPiped is set, by pipes.
func setPiped(t *testing.T, wire rpc.Wire, changes ...change) *setting {
	t.Helper()
	s := &setting{shop: newShop(), server: rpc.NewServer(), lost: make(chan error, 100), address: pipeAddress, pipes: newPipes()}
	s.server.Lost = func(err error) { s.lost <- err }
	s.client = rpc.Dial(s.address)
	s.client.Wire, s.client.DialContext = wire, s.pipes.dial
	for _, change := range changes {
		change(s.server, s.client)
	}
	s.begin(t, s.pipes)
	return s
}

// dial gives one end of a pipe, whose other end is a connection of the listener.
func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	p.waiting <- there
	return here, nil
}

// connect is a connection to the server.
func (s *setting) connect(t *testing.T) net.Conn {
	t.Helper()
	conn, err := s.pipes.dial(background, "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// servePipes makes a client whose connections are pipes that a function serves.
func servePipes(t *testing.T, serve func(net.Conn)) *rpc.Client {
	t.Helper()
	client := rpc.Dial(pipeAddress)
	client.DialContext = func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go func() {
			defer there.Close()
			serve(there)
		}()
		return here, nil
	}
	t.Cleanup(func() { client.Close() })
	return client
}
