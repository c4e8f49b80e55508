package rpc_test

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
)

func TestAServerOfTheSameProcessIsCalledWithoutASocket(t *testing.T) {
	for _, wire := range append(thriftWires, rpc.GRPC) {
		server, e := rpc.NewServer(), newEcho()
		api.RegisterShop(server, newShop())
		server.Register(e.service())
		client := rpc.Local(server)
		client.Wire = wire
		s := &setting{client: client}
		for _, size := range []int{0, 3, 300_000} {
			if wire == rpc.GRPC {
				if got, err := s.unary(background, string(make([]byte, size))); err != nil || len(got) != size {
					t.Fatal(wire, size, len(got), err)
				}
			} else if item, err := api.NewShopClient(client).Find(background, api.ItemID(size), nil); err != nil || len(item.Raw) != size {
				t.Fatal(wire, size, err)
			}
		}
		if err := server.Shutdown(within(t, testPatience)); err != nil {
			t.Fatal(wire, err)
		}
		if _, err := api.NewShopClient(client).Alive(background); err == nil {
			t.Fatal(wire, "a server that has ended answers")
		}
		client.Close()
	}
}

func TestAConnectionMayWaitBeforeItsFirstByteAndNotAfterIt(t *testing.T) {
	s := set(t, "unix", rpc.TTHeader, func(server *rpc.Server, _ *rpc.Client) { server.FirstByteTimeout = 20 * time.Millisecond })
	silent, half := dial(t, s.address), dial(t, s.address)
	half.Write([]byte{0})
	if _, err := half.Read(make([]byte, 1)); err != io.EOF {
		t.Fatal("a connection that begins and does not go on is kept:", err)
	}
	// By now the silent connection has waited longer than FirstByteTimeout.
	client := rpc.Dial(s.address)
	client.DialContext = func(context.Context, string, string) (net.Conn, error) { return silent, nil }
	defer client.Close()
	if alive, err := api.NewShopClient(client).Alive(background); !alive || err != nil {
		t.Fatal(alive, err)
	}
}
