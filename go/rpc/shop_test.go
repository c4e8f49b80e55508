package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/rpc"
	"hone/go/shm"
	"hone/go/thrift"
)

var background = context.Background()

// testPatience is the time limit for an event that must come, on a slow machine too.
const testPatience = 4 * time.Minute

// shop is an implementation of the sample's service: its answers follow from the requests.
type shop struct {
	// entered receives a value for each call of Nothing, which then waits for its context, or for release.
	entered, release chan struct{}
	forgotten        chan api.ItemID
	// seen is the context of the last call of Order.
	seen chan context.Context
}

func newShop() *shop {
	return &shop{make(chan struct{}, 10000), make(chan struct{}), make(chan api.ItemID, 100), make(chan context.Context, 100)}
}

func (s *shop) Alive(context.Context) (bool, error) { return true, nil }

func (s *shop) Find(_ context.Context, id api.ItemID, asked *base.Context) (*api.Item, error) {
	switch id {
	case -1:
		return nil, &base.NotFound{Key: "of " + asked.GetCaller()}
	case -2:
		return nil, errors.New("the shelf fell over")
	case -3:
		return nil, rpc.Errorf(rpc.PermissionDenied, "not you")
	case -4:
		return nil, nil
	case -5:
		panic("the roof fell in")
	case -6:
		return nil, (*thrift.ApplicationException)(nil)
	case -7:
		return nil, &rpc.BizStatusError{Status: 404, Message: "no such shelf", Extra: map[string]string{"shelf": "7"}}
	case -8:
		return nil, &rpc.BizStatusError{Status: 404, Message: strings.Repeat("no", 1<<16)}
	case -9:
		return nil, (*rpc.BizStatusError)(nil)
	}
	item := api.NewItem()
	item.ID, item.Raw = id, make([]byte, max(0, id))
	return item, nil
}

func (s *shop) Order(ctx context.Context, order *api.Order, limit int32) (int64, error) {
	s.seen <- ctx
	if len(order.Items) > int(limit) {
		return 0, &api.OutOfStock{ID: order.Items[0], Text: "too many"}
	}
	return int64(len(order.Items)), nil
}

func (s *shop) Forget(_ context.Context, id api.ItemID) error {
	s.forgotten <- id
	if id < 0 {
		return errors.New("never")
	}
	return nil
}

func (s *shop) Nothing(ctx context.Context) error {
	s.entered <- struct{}{}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.release:
		return nil
	}
}

func (s *shop) All(context.Context) (map[string][]*api.Item, error) { return nil, nil }

// setting is a server with a shop, and a client of it.
type setting struct {
	*shop
	server  *rpc.Server
	client  *rpc.Client
	shopper *api.ShopClient
	address string
	// pipes are the connections of setPiped.
	pipes *pipes
	// listen may wrap the listener.
	listen func(net.Listener) net.Listener
	// lost receives the errors that the server reports.
	lost chan error
	// end ends the server and the client, before the test ends.
	end func()
}

// change sets options of a test's server and client.
type change func(*rpc.Server, *rpc.Client)

var thriftWires = []rpc.Wire{rpc.TTHeader, rpc.TTHeaderFramed, rpc.TTHeaderCompact, rpc.Framed, rpc.FramedCompact, rpc.Buffered, rpc.BufferedCompact}

func set(t *testing.T, network string, wire rpc.Wire, changes ...change) *setting {
	t.Helper()
	return setWith(t, network, wire, func(s *setting) {
		for _, change := range changes {
			change(s.server, s.client)
		}
	})
}

func setWith(t *testing.T, network string, wire rpc.Wire, changes ...func(*setting)) *setting {
	t.Helper()
	s := &setting{shop: newShop(), server: rpc.NewServer(), lost: make(chan error, 10000)}
	s.server.Lost = func(err error) { s.lost <- err }
	s.address = "tcp://127.0.0.1:0"
	if network != "tcp" {
		s.address = network + "://" + filepath.Join(t.TempDir(), "s")
	}
	if network == "shm" {
		s.server.SharedMemory = &shm.Server{Options: shm.Options{RingBytes: 64 << 10}}
	}
	listener, err := rpc.Listen(s.address)
	if err != nil {
		t.Fatal(err)
	}
	s.address = network + "://" + listener.Addr().String()
	s.client = rpc.Dial(s.address)
	s.client.Wire = wire
	for _, change := range changes {
		change(s)
	}
	if s.listen != nil {
		listener = s.listen(listener)
	}
	s.begin(t, listener)
	return s
}

// begin serves the shop, and makes a client of it.
func (s *setting) begin(t *testing.T, listener net.Listener) {
	api.RegisterShop(s.server, s.shop)
	go s.server.Serve(listener)
	s.shopper = api.NewShopClient(s.client)
	s.end = func() {
		s.client.Close()
		s.server.Close()
	}
	t.Cleanup(s.end)
}

// awaitLost waits until the server reports an error, and returns it.
func (s *setting) awaitLost(t *testing.T) error {
	t.Helper()
	select {
	case err := <-s.lost:
		return err
	case <-within(t, testPatience).Done():
		t.Fatal("the server has lost nothing")
		return nil
	}
}

// networks are the networks that connections go over.
var networks = []string{"tcp", "unix", "shm"}

func eachWire(t *testing.T, test func(t *testing.T, s *setting), changes ...change) {
	t.Helper()
	for _, network := range networks {
		for _, wire := range thriftWires {
			t.Run(network+"/"+wire.String(), func(t *testing.T) { test(t, set(t, network, wire, changes...)) })
		}
	}
}

// within returns a context that ends before the test does.
func within(t *testing.T, timeout time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(background, timeout)
	t.Cleanup(cancel)
	return ctx
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	var network, at string
	if _, err := fmt.Sscanf(address, "tcp://%s", &at); err == nil {
		network = "tcp"
	} else if _, err := fmt.Sscanf(address, "unix://%s", &at); err == nil {
		network = "unix"
	}
	conn, err := net.Dial(network, at)
	if _, failed := fmt.Sscanf(address, "shm://%s", &at); failed == nil {
		conn, err = new(shm.Dialer).Dial(background, at)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}
