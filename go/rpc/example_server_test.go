package rpc_test

import (
	"context"
	"fmt"
	"log"

	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/rpc"
)

// shelf implements one function of the service Shop, for which hone-thrift has generated package api. The embedded interface has the functions that
// this example leaves out.
type shelf struct{ api.Shop }

func (shelf) Find(_ context.Context, id api.ItemID, _ *base.Context) (*api.Item, error) {
	return &api.Item{ID: id, Name: "pen"}, nil
}

// A server answers calls of a Thrift service on a port that the system chooses, and a client calls the server.
func Example() {
	server := rpc.NewServer()
	api.RegisterShop(server, shelf{})
	listener, err := rpc.Listen("tcp://127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go server.Serve(listener) // a program with a fixed address calls server.Run("tcp://127.0.0.1:9090")
	defer server.Close()

	client := rpc.Dial("tcp://" + listener.Addr().String())
	defer client.Close()
	item, err := api.NewShopClient(client).Find(context.Background(), 7, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(item.ID, item.Name)
	// Output: 7 pen
}
