package rpc

import (
	"slices"
	"sync"
	"testing"

	"hone/go/internal/peers"
	"hone/go/rpc"
)

func TestApachesProgramInGo(t *testing.T) { speakWith(t, peers.ApacheInGo(t)) }

func TestApachesProgramsInOtherLanguages(t *testing.T) {
	if testing.Short() {
		t.Skip("further end to end")
	}
	programs := peers.ApacheInOthers(t)
	speakWith(t, programs)
	t.Run("all at once on one port, with those in Go, with Kitex and with us", func(t *testing.T) {
		callAllAtOnce(t, slices.Concat(programs, peers.ApacheInGo(t), peers.Kitex(t)))
	})
}

// speakWith makes each program call our server and answer calls of our client, over each of its wires.
func speakWith(t *testing.T, programs []*peers.Program) {
	t.Helper()
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
}

// callAllAtOnce makes all programs and our client call one server at the same time, over all their wires.
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
