package rpc

import (
	"context"
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/bytedance/gopkg/cloud/metainfo"
	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/kerrors"
	"github.com/cloudwego/kitex/server"

	"hone/go/compat/kitex/ours/shop/api"
	"hone/go/compat/kitex/ours/shop/base"
	"hone/go/compat/kitex/shop"
	"hone/go/rpc"
)

// muxed holds options of Kitex clients: of clients that wait for one answer at a time over a connection, and of clients that do not.
var muxed = map[string][]client.Option{"ttheader": shop.Wires["ttheader"], "mux": shop.Wires["mux"]}

// entered calls Nothing, and returns the context of the call in the handler.
func entered(t *testing.T, handler *shop.Handler, caller *api.ShopClient, ctx context.Context) (seen context.Context, result chan error) {
	t.Helper()
	result = make(chan error, 1)
	go func() { result <- caller.Nothing(ctx) }()
	select {
	case seen = <-handler.Entered:
	case err := <-result:
		t.Fatal("the call did not come:", err)
	}
	return seen, result
}

func TestMetadataOfKitexComesToOurHandlersAndGoesOn(t *testing.T) {
	for name, options := range muxed {
		t.Run(name, func(t *testing.T) {
			first, second := shop.NewHandler(), shop.NewHandler()
			firstAddress, _ := serve(t, services{"Shop": first})
			secondAddress, _ := serveKitex(t, services{"Shop": second})
			ctx := metainfo.WithPersistentValue(metainfo.WithValue(background, "hop", "größer"), "trace", "t1")
			seen, ended := entered(t, first, api.NewShopClient(dialKitex(t, "Shop", firstAddress, options...)), ctx)
			if hop, trace := rpc.Incoming(seen).Get("hop"), rpc.Propagated(seen).Get("trace"); hop != "größer" || trace != "t1" {
				t.Fatal(hop, trace)
			}
			// A call of the handler's own, to Kitex's server.
			further, endedToo := entered(t, second, api.NewShopClient(dial(t, secondAddress, rpc.TTHeader)), rpc.WithMetadata(seen, "own", "x"))
			trace, _ := metainfo.GetPersistentValue(further, "trace")
			own, _ := metainfo.GetValue(further, "own")
			_, hasHop := metainfo.GetValue(further, "hop")
			if trace != "t1" || own != "x" || hasHop {
				t.Fatal(trace, own, hasHop)
			}
			close(second.Release)
			if err := <-endedToo; err != nil {
				t.Fatal(err)
			}
			close(first.Release)
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
		})
	}
}

// expectDeadline calls a function that waits for the end of its context, with timeouts that grow until a call reaches its handler: a busy machine may
// use up a short timeout before that. Each call must fail, and the handler's context must end by a deadline.
func expectDeadline(t *testing.T, handler *shop.Handler, call func(timeout time.Duration) error) {
	t.Helper()
	for timeout := 50 * time.Millisecond; ; timeout *= 2 {
		if call(timeout) == nil {
			t.Fatal("the call succeeded")
		}
		select {
		case seen := <-handler.Entered:
			if deadline, has := seen.Deadline(); !has || time.Until(deadline) > timeout {
				t.Error("the handler's deadline:", deadline, has)
			}
			<-seen.Done()
			return
		default:
		}
	}
}

func TestTheTimeoutOfKitexsClientIsOurHandlersDeadline(t *testing.T) {
	for name, options := range muxed {
		t.Run(name, func(t *testing.T) {
			handler := shop.NewHandler()
			address, _ := serve(t, services{"Shop": handler})
			expectDeadline(t, handler, func(timeout time.Duration) error {
				caller := dialKitex(t, "Shop", address, append(options[:len(options):len(options)], client.WithRPCTimeout(timeout))...)
				return api.NewShopClient(caller).Nothing(background)
			})
		})
	}
}

func TestTheDeadlineOfOurClientIsThatOfKitexsHandler(t *testing.T) {
	for _, kind := range servers {
		t.Run(kind.name, func(t *testing.T) {
			handler := shop.NewHandler()
			address, _ := serveKitex(t, services{"Shop": handler}, append(kind.options[:len(kind.options):len(kind.options)], server.WithEnableContextTimeout(true))...)
			caller := api.NewShopClient(dial(t, address, rpc.TTHeader))
			// Kitex's server may report the deadline first, as any other error of a handler.
			expectDeadline(t, handler, func(timeout time.Duration) error {
				ctx, cancel := context.WithTimeout(background, timeout)
				defer cancel()
				return caller.Nothing(ctx)
			})
		})
	}
}

var wantExtra = map[string]string{"shelf": "7"}

func TestErrorsOfAServicesOwnComeFromOurServerToKitexsClient(t *testing.T) {
	for name, options := range shop.Wires {
		t.Run(name, func(t *testing.T) {
			address, _ := serve(t, services{"Shop": shop.NewHandler()})
			_, err := api.NewShopClient(dialKitex(t, "Shop", address, options...)).Find(background, -3, &base.Context{})
			status, is := kerrors.FromBizStatusError(err)
			switch name {
			case "framed", "buffered":
				// Without a TTHeader the status is an exception with the text.
				expectKitexException(t, err, 6, "status 404: größer")
			default:
				if !is || status.BizStatusCode() != 404 || status.BizMessage() != "größer" || !maps.Equal(status.BizExtra(), wantExtra) {
					t.Fatalf("%v (%T)", err, err)
				}
			}
		})
	}
}

func TestErrorsOfAServicesOwnComeFromKitexsServerToOurClient(t *testing.T) {
	for _, kind := range servers {
		t.Run(kind.name, func(t *testing.T) {
			address, _ := serveKitex(t, services{"Shop": shop.NewHandler()}, kind.options...)
			shopper := api.NewShopClient(dial(t, address, rpc.TTHeader))
			_, err := shopper.Find(background, -3, &base.Context{})
			var told *rpc.Error
			var status *rpc.BizStatusError
			if !errors.As(err, &told) || told.Code != rpc.Unknown || told.Stage != rpc.Answering || !errors.As(err, &status) {
				t.Fatalf("%v (%T)", err, err)
			}
			if status.Status != 404 || status.Message != "größer" || !maps.Equal(status.Extra, wantExtra) {
				t.Fatal(status)
			}
			if alive, err := shopper.Alive(background); !alive || err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A service is found by its name if several have the same functions.
func TestServicesAreToldApartByTheirNames(t *testing.T) {
	each := func(t *testing.T, address string, find func(service string) (*api.Item, error)) {
		for service, isForgotten := range map[string]bool{"Shop": false, "Other": true} {
			_, err := find(service)
			var missing *base.NotFound
			if errors.As(err, &missing) != isForgotten {
				t.Fatal(service, err)
			}
		}
	}
	shops := func() services {
		other := shop.NewHandler()
		other.Forget(background, 5)
		return services{"Shop": shop.NewHandler(), "Other": other}
	}
	me := &base.Context{Caller: "me"}
	for name, options := range muxed {
		t.Run("ours/"+name, func(t *testing.T) {
			address, _ := serve(t, shops())
			each(t, address, func(service string) (*api.Item, error) {
				return api.NewShopClient(dialKitex(t, service, address, options...)).Find(background, 5, me)
			})
		})
	}
	for _, kind := range servers {
		t.Run("Kitex's/"+kind.name, func(t *testing.T) {
			address, _ := serveKitex(t, shops(), append(kind.options[:len(kind.options):len(kind.options)], server.WithRefuseTrafficWithoutServiceName())...)
			caller := dial(t, address, rpc.TTHeader)
			each(t, address, func(service string) (*api.Item, error) {
				result := new(api.ShopFindResult)
				err := caller.ForService(service).Call(background, "find", &api.ShopFindArgs{ID: 5, Context: me}, result)
				if err == nil && result.Missing != nil {
					return nil, result.Missing
				}
				return result.Success, err
			})
		})
	}
}
