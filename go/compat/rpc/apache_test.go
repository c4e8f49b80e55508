package rpc

import (
	"testing"

	"hone/go/internal/peers"
)

func TestApachesProgramsCallUsAndAreCalledOverEveryWire(t *testing.T) {
	ours := serve(t)
	for _, program := range peers.All(t) {
		t.Run(program.Name, func(t *testing.T) {
			for _, wire := range peers.Wires() {
				t.Run(wire.String()+"/calls", func(t *testing.T) { program.Call(t, wire, ours) })
				t.Run(wire.String()+"/is called", func(t *testing.T) {
					client := dial(t, wire, program.Serve(t, wire))
					callAll(t, client)
					callAtOnce(t, client)
				})
			}
		})
	}
}
