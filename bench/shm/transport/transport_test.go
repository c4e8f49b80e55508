package transport

import (
	"net"
	"path/filepath"
	"testing"

	"hone/bench/gauge"
	"hone/bench/shm/message"
)

func TestEachTransportPassesMessagesOfAllSizesOverAllItsConnections(t *testing.T) {
	for _, name := range Names() {
		for _, size := range []int{message.Word, 4 << 10, 1 << 20} {
			options := Options{Address: filepath.Join(t.TempDir(), "s"), MessageBytes: size, Connections: 3}
			network := "unix"
			if name == "tcp" {
				network, options.Address = "tcp", freePort(t)
			}
			go All[name].Serve(options, Answer)
			if err := gauge.AwaitListener(network, options.Address); err != nil {
				t.Fatal(err)
			}
			conns, err := All[name].Dial(options)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for seed := range uint64(5) {
				for i, conn := range conns {
					if err := conn.Send(seed); err != nil {
						t.Fatalf("%s, connection %d: %v", name, i, err)
					}
				}
				for i, conn := range conns {
					if got, err := conn.Receive(); err != nil || got != AnswerTo(seed) {
						t.Fatalf("%s, connection %d, %d bytes: message %d is answered by %#x: %v", name, i, size, seed, got, err)
					}
				}
			}
		}
	}
}

func freePort(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
