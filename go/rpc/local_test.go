package rpc_test

import (
	"testing"

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
