package rpc_test

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hone/go/internal/greeter"
	"hone/go/internal/sample/talk"
	"hone/go/rpc"
)

func TestConnectionsThatAreOldAreReplacedAndNoCallIsLost(t *testing.T) {
	for _, wire := range append(thriftWires, rpc.GRPC) {
		t.Run(wire.String(), func(t *testing.T) {
			before := takeStock()
			var accepted atomic.Int64
			s := setWith(t, "unix", wire, func(s *setting) {
				s.listen = func(listener net.Listener) net.Listener { return countingListener{listener, &accepted} }
				s.client.MaxConnectionAge, s.client.Connections = 5*time.Millisecond, 2
				// Without retries, a call that met the end of its connection would fail.
				s.client.Policies.Retry.Attempts = 1
				greeter.RegisterGreeter(s.server, &polite{})
			})
			call := callOf(s.client)
			var calling sync.WaitGroup
			for range 4 {
				calling.Go(func() {
					for accepted.Load() < 50 && !t.Failed() {
						if err := call(within(t, testPatience)); err != nil {
							t.Error(err)
						}
					}
				})
			}
			calling.Wait()
			s.end()
			before.expectReturned(t)
		})
	}
}

func TestAStreamGoesOnOverAConnectionThatIsOld(t *testing.T) {
	var accepted atomic.Int64
	for _, wire := range []rpc.Wire{rpc.GRPC, rpc.TTHeader} {
		accepted.Store(0)
		s := setWith(t, "unix", wire, func(s *setting) {
			s.listen = func(listener net.Listener) net.Listener { return countingListener{listener, &accepted} }
			s.client.MaxConnectionAge, s.client.Connections = 5*time.Millisecond, 1
			greeter.RegisterGreeter(s.server, &polite{})
			talk.RegisterTalk(s.server, newTalker())
		})
		say := chatOf(t, s.client)
		say()
		for accepted.Load() < 10 {
			if err := callOf(s.client)(within(t, testPatience)); err != nil {
				t.Fatal(err)
			}
		}
		say()
	}
}

// chatOf opens a stream, and returns a function that sends a word and receives it.
func chatOf(t *testing.T, client *rpc.Client) func() {
	t.Helper()
	expect := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(client.Wire, err)
		}
	}
	if client.Wire == rpc.GRPC {
		chat, err := greeter.NewGreeterClient(client).Chat(within(t, testPatience))
		expect(err)
		return func() {
			t.Helper()
			expect(chat.Send(&greeter.Note{Text: "hi"}))
			_, err := chat.Recv()
			expect(err)
		}
	}
	chat, err := talk.NewTalkClient(client).Chat(within(t, testPatience))
	expect(err)
	return func() {
		t.Helper()
		expect(chat.Send(&talk.Words{Text: "hi", Times: 1}))
		_, err := chat.Recv()
		expect(err)
	}
}

func TestAnOldConnectionStaysWhereNoOtherCanBeMade(t *testing.T) {
	f := setFleet(t, rpc.TTHeader, rpc.Policies{}, 1, 0, healthy)
	f.client.MaxConnectionAge, f.client.Connections = time.Millisecond, 1
	if err := f.call(within(t, testPatience)); err != nil {
		t.Fatal(err)
	}
	f.set(refuses, hostNames(1, 1)...)
	for dials := f.dials.Load(); f.dials.Load() < dials+5; {
		if err := f.call(within(t, testPatience)); err != nil {
			t.Fatal(err)
		}
	}
}
