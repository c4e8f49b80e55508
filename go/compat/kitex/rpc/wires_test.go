package rpc

import (
	"errors"
	"strings"
	"testing"

	"github.com/cloudwego/kitex/pkg/remote"
	"github.com/cloudwego/kitex/server"

	"hone/go/compat/kitex/ours/shop/api"
	"hone/go/compat/kitex/ours/shop/base"
	"hone/go/compat/kitex/shop"
	"hone/go/rpc"
	"hone/go/thrift"
)

func TestKitexsClientCallsOurServerOverEveryWire(t *testing.T) {
	for name, options := range shop.Wires {
		t.Run(name, func(t *testing.T) {
			address, _ := serve(t, services{"Shop": shop.NewHandler()})
			caller := dialKitex(t, "Shop", address, options...)
			if err := errors.Join(shop.CallAll(caller), shop.CallAtOnce(caller, 20, 20)); err != nil {
				t.Fatal(err)
			}
			_, err := api.NewShopClient(caller).Find(background, -2, &base.Context{})
			expectKitexException(t, err, remote.InternalError, "the shelf fell over")
			err = caller.Call(background, shop.Unknown, &api.ShopNothingArgs{}, &api.ShopNothingResult{})
			expectKitexException(t, err, remote.UnknownMethod, "unknown function fly")
			if err := shop.CallAll(caller); err != nil {
				t.Fatal("after all:", err)
			}
		})
	}
}

func expectKitexException(t *testing.T, err error, kind int32, text string) {
	t.Helper()
	var told interface{ TypeID() int32 }
	if !errors.As(err, &told) || told.TypeID() != kind || !strings.Contains(err.Error(), text) {
		t.Fatalf("%v (%T) is no exception of type %d", err, err, kind)
	}
}

// servers are Kitex's servers, with the wires that each supports.
var servers = []struct {
	name    string
	options []server.Option
	wires   []rpc.Wire
}{
	{"one after the other", nil, []rpc.Wire{rpc.TTHeader, rpc.TTHeaderFramed, rpc.Framed, rpc.Buffered}},
	{"mux", []server.Option{server.WithMuxTransport()}, []rpc.Wire{rpc.TTHeader, rpc.TTHeaderFramed}},
}

func TestOurClientCallsKitexsServersOverEveryWire(t *testing.T) {
	for _, kind := range servers {
		for _, wire := range kind.wires {
			t.Run(kind.name+"/"+wire.String(), func(t *testing.T) {
				address, _ := serveKitex(t, services{"Shop": shop.NewHandler()}, kind.options...)
				caller := dial(t, address, wire)
				if err := errors.Join(shop.CallAll(caller), shop.CallAtOnce(caller, 20, 20)); err != nil {
					t.Fatal(err)
				}
				_, err := api.NewShopClient(caller).Find(background, -2, &base.Context{})
				var exception *thrift.ApplicationException
				if !errors.As(err, &exception) || exception.Type != thrift.InternalError || !strings.Contains(err.Error(), "the shelf fell over") {
					t.Fatal(err)
				}
				// Kitex then closes the connection, and without a TTHeader reports that the service is unknown.
				err = dial(t, address, wire).ForService("Shop").Call(background, shop.Unknown, &api.ShopNothingArgs{}, &api.ShopNothingResult{})
				if rpc.CodeOf(err) != rpc.Unimplemented || !strings.Contains(err.Error(), shop.Unknown) {
					t.Fatal(err)
				}
				if err := shop.CallAll(caller); err != nil {
					t.Fatal("after all:", err)
				}
			})
		}
	}
}
