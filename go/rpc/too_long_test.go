package rpc_test

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"hone/go/internal/greeter"
	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
)

// countingListener counts the connections that it accepts.
type countingListener struct {
	net.Listener
	accepted *atomic.Int64
}

func (l countingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		l.accepted.Add(1)
	}
	return conn, err
}

// atOnce makes calls from several callers.
func atOnce(calls int, call func()) {
	const callers = 8
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range calls / callers {
				call()
			}
		})
	}
	all.Wait()
}

func TestAnswersThatAreLongerThanTheClientTakesFailTheirCallsAlone(t *testing.T) {
	const limit, long, calls = 64 << 10, 1 << 20, 400
	for _, wire := range []rpc.Wire{rpc.GRPC, rpc.TTHeader, rpc.TTHeaderFramed, rpc.TTHeaderCompact, rpc.Framed, rpc.FramedCompact} {
		t.Run(wire.String(), func(t *testing.T) {
			var accepted atomic.Int64
			s := setWith(t, "unix", wire, func(s *setting) {
				s.listen = func(listener net.Listener) net.Listener { return countingListener{listener, &accepted} }
				s.client.MessageBytes, s.client.Connections = limit, 1
				greeter.RegisterGreeter(s.server, &polite{})
			})
			polite := greeter.NewGreeterClient(s.client)
			find := func(bytes int) error {
				if wire != rpc.GRPC {
					_, err := s.shopper.Find(within(t, testPatience), api.ItemID(bytes), nil)
					return err
				}
				items, err := polite.List(within(t, testPatience), &greeter.ListRequest{Count: 1, Bytes: int64(bytes)})
				if err == nil {
					_, err = items.Recv()
				}
				return err
			}
			atOnce(calls, func() {
				if err := find(long); rpc.CodeOf(err) != rpc.ResourceExhausted {
					t.Error(err)
				}
				if err := find(limit / 2); err != nil {
					t.Error("a short answer beside:", err)
				}
			})
			if got := accepted.Load(); got != 1 {
				t.Fatalf("the client has connected %d times", got)
			}
		})
	}
}

func TestStreamsThatAreCancelledInFullFlowEndAlone(t *testing.T) {
	const streams = 100
	var accepted atomic.Int64
	s := setWith(t, "unix", rpc.GRPC, func(s *setting) {
		s.listen = func(listener net.Listener) net.Listener { return countingListener{listener, &accepted} }
		s.client.Connections = 1
		greeter.RegisterGreeter(s.server, &polite{})
	})
	polite := greeter.NewGreeterClient(s.client)
	for range streams {
		ctx, cancel := context.WithCancel(background)
		items, err := polite.List(ctx, &greeter.ListRequest{Count: 1 << 30, Bytes: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := items.Recv(); err != nil {
			t.Fatal(err)
		}
		cancel()
	}
	if err := callOf(s.client)(within(t, testPatience)); err != nil || accepted.Load() != 1 {
		t.Fatal(accepted.Load(), err)
	}
}
