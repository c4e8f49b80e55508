package rpc_test

import (
	"context"
	"net"
	"testing"
	"testing/synctest"

	"hone/go/rpc"
)

// inFakeTime runs a test with a fake clock. The clock advances only when all goroutines wait. So code that waits for some time does not wait for a
// real clock, and the time is over exactly when nothing else can happen before. Connections must be pipes there, since a goroutine that waits for the
// kernel does not count as waiting. No client may make a call of Thrift, since clients keep the channels on which calls wait for use by later calls,
// which may belong to a test with another clock. Servers and streams keep nothing.
func inFakeTime(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}

// pipeAddress is the address that clients have for pipes.
const pipeAddress = "unix://pipe"

// setPiped makes a setting whose server has pipes, and whose client is not used.
func setPiped(t *testing.T, changes ...change) *setting {
	t.Helper()
	s := &setting{shop: newShop(), server: rpc.NewServer(), lost: make(chan error, 100), address: pipeAddress, pipes: newPipes()}
	s.server.Lost = func(err error) { s.lost <- err }
	s.client = rpc.Dial(s.address)
	for _, change := range changes {
		change(s.server, s.client)
	}
	s.begin(t, s.pipes)
	return s
}

// connect makes a connection to the server.
func (s *setting) connect(t *testing.T) net.Conn {
	t.Helper()
	here, there := net.Pipe()
	s.pipes.waiting <- there
	t.Cleanup(func() { here.Close() })
	return here
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
