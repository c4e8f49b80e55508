package rpc_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/rpc"
	"hone/go/rpc/policy/fanout"
)

// catalogue implements a function of the service Shop.
type catalogue struct{ api.Shop }

func (catalogue) Find(_ context.Context, id api.ItemID, _ *base.Context) (*api.Item, error) {
	return &api.Item{ID: id, Name: fmt.Sprint("item ", id)}, nil
}

// A request makes several calls to one service and needs all answers; a FanOut bounds how many calls are under way.
func ExampleFanOut() {
	server := rpc.NewServer()
	defer server.Close()
	api.RegisterShop(server, catalogue{})
	client := rpc.Local(server)
	defer client.Close()
	shop := api.NewShopClient(client)
	calls, err := rpc.NewFanOut(fanout.Options{}) // one for each service that a process calls
	if err != nil {
		log.Fatal(err)
	}

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ids := []api.ItemID{3, 5, 8}
	names := make([]string, len(ids))
	err = calls.Do(ctx, len(ids), func(ctx context.Context, i int) error {
		item, err := shop.Find(ctx, ids[i], nil)
		names[i] = item.GetName()
		return err
	})
	fmt.Println(names, err)
	// Output: [item 3 item 5 item 8] <nil>
}
