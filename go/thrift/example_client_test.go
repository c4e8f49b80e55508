package thrift_test

import (
	"context"
	"fmt"
	"net"

	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/thrift"
)

// kiosk implements one function of the service Shop; the embedded interface has the others.
type kiosk struct{ api.Shop }

func (kiosk) Find(_ context.Context, id api.ItemID, _ *base.Context) (*api.Item, error) {
	return &api.Item{ID: id, Name: "pen"}, nil
}

// A client and a processor talk over one connection; package rpc has servers and clients of many connections.
func ExampleClient() {
	here, there := net.Pipe()
	wire := thrift.Wire{Protocol: thrift.Binary{}, Framed: true}
	served := make(chan error)
	go func() { served <- api.NewShopProcessor(kiosk{}).ServeConn(context.Background(), there, wire) }()

	client := thrift.NewClient(here, wire)
	item, err := api.NewShopClient(client).Find(context.Background(), 7, nil)
	fmt.Println(item.GetName(), err)
	client.Close()
	fmt.Println(<-served)
	// Output:
	// pen <nil>
	// <nil>
}
