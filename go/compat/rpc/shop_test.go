package rpc

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"testing"

	"hone/go/compat/ours/shop/api"
	"hone/go/compat/ours/shop/base"
	"hone/go/internal/peers"
	"hone/go/rpc"
	"hone/go/thrift"
)

var background = context.Background()

// shop is the service that the programs of package peers expect, and implement themselves.
type shop struct {
	mu        sync.Mutex
	forgotten map[api.ItemID]bool
}

func (*shop) Alive(context.Context) (bool, error) { return true, nil }

func (s *shop) Find(_ context.Context, id api.ItemID, asked *base.Context) (*api.Item, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case id == -1:
		return nil, &base.NotFound{Key: "of " + asked.GetCaller()}
	case id == -2:
		return nil, errors.New("the shelf fell over")
	case s.forgotten[id]:
		return nil, &base.NotFound{Key: "forgotten"}
	}
	item := api.NewItem()
	item.ID, item.Raw = id, make([]byte, id)
	return item, nil
}

func (*shop) Order(_ context.Context, order *api.Order, limit int32) (int64, error) {
	if len(order.Items) > int(limit) {
		return 0, &api.OutOfStock{ID: order.Items[0], Text: "größer"}
	}
	return int64(len(order.Items)), nil
}

func (s *shop) Forget(_ context.Context, id api.ItemID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgotten[id] = true
	return nil
}

func (*shop) Nothing(context.Context) error { return nil }

func (*shop) All(context.Context) (map[string][]*api.Item, error) {
	item := api.NewItem()
	item.ID = 1
	return map[string][]*api.Item{"a": {item}}, nil
}

// serve answers calls of the shop until the test ends, and returns the address, HOST:PORT.
func serve(t *testing.T) string {
	t.Helper()
	server := rpc.NewServer()
	server.Lost = func(err error) { t.Log("lost:", err) }
	api.RegisterShop(server, &shop{forgotten: map[api.ItemID]bool{}})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- server.Serve(listener) }()
	t.Cleanup(func() {
		if err := server.Shutdown(background); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != rpc.ErrServerClosed {
			t.Error(err)
		}
	})
	return listener.Addr().String()
}

// dial returns a client of a program.
func dial(t *testing.T, wire peers.Wire, address string) *rpc.Client {
	t.Helper()
	client := rpc.Dial(address)
	client.Wire = wires[wire.IsCompact()][wire.IsFramed()]
	client.Multiplexed = wire.IsMultiplexed()
	t.Cleanup(func() { client.Close() })
	return client
}

// wires holds our wires, by true for Compact and then by true for framed.
var wires = map[bool]map[bool]rpc.Wire{
	false: {false: rpc.Buffered, true: rpc.Framed},
	true:  {false: rpc.BufferedCompact, true: rpc.FramedCompact},
}

// callAll calls each function and checks its answer.
func callAll(t *testing.T, client *rpc.Client) {
	t.Helper()
	shopper, me := api.NewShopClient(client), &base.Context{Caller: "me"}
	if alive, err := shopper.Alive(background); !alive || err != nil {
		t.Fatal(alive, err)
	}
	for _, id := range []api.ItemID{7, 100000} {
		if item, err := shopper.Find(background, id, me); err != nil || item.ID != id || item.Price != 9.99 || len(item.Raw) != int(id) {
			t.Fatal(id, err)
		}
	}
	var missing *base.NotFound
	if _, err := shopper.Find(background, -1, me); !errors.As(err, &missing) || missing.Key != "of me" {
		t.Fatal("a declared exception:", err)
	}
	_, err := shopper.Find(background, -2, me)
	expectException(t, err, thrift.InternalError, thrift.UnknownException)
	order := &api.Order{Items: []int64{1, 2}, Payment: &api.Payment{Cash: thrift.PointerTo(int64(3))}}
	if n, err := shopper.Order(background, order, 2); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	var stock *api.OutOfStock
	if _, err := shopper.Order(background, order, 1); !errors.As(err, &stock) || stock.ID != 1 || stock.Text != "größer" {
		t.Fatal("another declared exception:", err)
	}
	if err := shopper.Forget(background, 5); err != nil {
		t.Fatal(err)
	}
	if _, err := shopper.Find(background, 5, me); !errors.As(err, &missing) || missing.Key != "forgotten" {
		t.Fatal("after a one-way call:", err)
	}
	if err := shopper.Nothing(background); err != nil {
		t.Fatal(err)
	}
	if all, err := shopper.All(background); err != nil || len(all["a"]) != 1 || all["a"][0].ID != 1 {
		t.Fatal(all, err)
	}
	expectException(t, client.ForService("Shop").Call(background, "fly", &api.Empty{}, &api.Empty{}), thrift.UnknownMethod)
	if alive, err := shopper.Alive(background); !alive || err != nil {
		t.Fatal("after all:", alive, err)
	}
}

func expectException(t *testing.T, err error, types ...thrift.ExceptionType) {
	t.Helper()
	var told *rpc.Error
	var exception *thrift.ApplicationException
	if !errors.As(err, &told) || told.Stage != rpc.Answering || !errors.As(err, &exception) || !slices.Contains(types, exception.Type) {
		t.Fatalf("%v is no exception of types %v", err, types)
	}
}

// callAtOnce makes calls at the same time, which share connections.
func callAtOnce(t *testing.T, client *rpc.Client) {
	t.Helper()
	shopper := api.NewShopClient(client)
	var callers sync.WaitGroup
	for caller := range 20 {
		callers.Go(func() {
			for turn := range 20 {
				id := api.ItemID(100 + caller*20 + turn)
				item, err := shopper.Find(background, id, &base.Context{Caller: "me"})
				if err != nil || item.ID != id || len(item.Raw) != int(id) {
					t.Error(id, err)
					return
				}
			}
		})
	}
	callers.Wait()
}
