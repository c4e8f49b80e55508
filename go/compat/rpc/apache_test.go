package rpc

import (
	"sync"
	"testing"

	"hone/go/internal/peers"
	"hone/go/rpc"
)

func TestApachesPrograms(t *testing.T) {
	programs := peers.Apache(t)
	for _, program := range programs {
		for _, wire := range program.Wires {
			t.Run(program.Name+"/"+string(wire)+"/calls us", func(t *testing.T) { program.Call(t, wire, serve(t)) })
			t.Run(program.Name+"/"+string(wire)+"/is called by us", func(t *testing.T) {
				client := dial(t, wire, program.Serve(t, wire))
				callAll(t, client)
				callAtOnce(t, client)
			})
		}
	}
	t.Run("all at once on one port, with Kitex and us", func(t *testing.T) { callAllAtOnce(t, append(programs, peers.Kitex(t)...)) })
}

// callAllAtOnce lets all programs and our client call one server at the same time, over all their wires.
func callAllAtOnce(t *testing.T, programs []*peers.Program) {
	address := serve(t)
	var calling sync.WaitGroup
	for _, program := range programs {
		calling.Go(func() {
			for _, wire := range program.Wires {
				program.Call(t, wire, address)
			}
		})
	}
	for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.TTHeaderFramed, rpc.TTHeaderCompact, rpc.Framed, rpc.FramedCompact, rpc.Buffered, rpc.BufferedCompact} {
		client := rpc.Dial(address)
		client.Wire = wire
		defer client.Close()
		calling.Go(func() {
			for range 10 {
				callAtOnce(t, client)
			}
		})
	}
	calling.Wait()
}
