// Package calltest serves a shop to tests of commands.
package calltest

import (
	"context"
	"net"
	"path/filepath"
	"sync"
	"testing"

	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/thrift"
)

// IDL is the shop's definition, from a directory below this module's.
const IDL = "../../../idl/testdata/shop.thrift"

// shop answers by generated code.
type shop struct{ api.Shop }

func (shop) Find(_ context.Context, id api.ItemID, of *base.Context) (*api.Item, error) {
	if id < 0 {
		return nil, &base.NotFound{Key: "no such item"}
	}
	item := api.NewItem()
	item.ID, item.Name = id, of.GetCaller()
	return item, nil
}

func (shop) Forget(context.Context, api.ItemID) error { return nil }

func (shop) Nothing(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// Serve serves a shop until the test ends: over TCP at a free port, or over a Unix socket. It gives the address.
func Serve(t testing.TB, network string, wire thrift.Wire) string {
	t.Helper()
	place := "127.0.0.1:0"
	if network == "unix" {
		place = filepath.Join(t.TempDir(), "shop")
	}
	listener, err := net.Listen(network, place)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	processor := api.NewShopProcessor(shop{})
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		for {
			stream, err := listener.Accept()
			if err != nil {
				return
			}
			all.Add(1)
			go func() {
				defer all.Done()
				processor.ServeConn(ctx, stream, wire)
			}()
		}
	}()
	t.Cleanup(func() {
		stop()
		listener.Close()
		all.Wait()
	})
	return network + "://" + listener.Addr().String()
}
