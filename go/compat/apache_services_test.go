package compat_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"

	"hone/go/codec"
	theirAPI "hone/go/compat/apache/shop/api"
	theirBase "hone/go/compat/apache/shop/base"
	"hone/go/compat/ours/shop/api"
	"hone/go/compat/ours/shop/base"
	"hone/go/thrift"
)

// ourShop and theirShop implement our interface and Apache's in the same way.
type ourShop struct{ forgotten chan int64 }

func (ourShop) Alive(context.Context) (bool, error) { return true, nil }
func (ourShop) Find(_ context.Context, id api.ItemID, asked *base.Context) (*api.Item, error) {
	switch id {
	case -1:
		return nil, &base.NotFound{Key: "of " + asked.GetCaller()}
	case -2:
		return nil, errors.New("the shelf fell over")
	}
	item := api.NewItem()
	item.ID = id
	return item, nil
}
func (ourShop) Order(_ context.Context, order *api.Order, limit int32) (int64, error) {
	if len(order.Items) > int(limit) {
		return 0, &api.OutOfStock{ID: order.Items[0], Text: "too many"}
	}
	return int64(len(order.Items)), nil
}
func (s ourShop) Forget(_ context.Context, id api.ItemID) error { s.forgotten <- id; return nil }
func (ourShop) Nothing(context.Context) error                   { return nil }
func (ourShop) All(context.Context) (map[string][]*api.Item, error) {
	return map[string][]*api.Item{"a": {api.NewItem()}}, nil
}

type theirShop struct{ forgotten chan int64 }

func (theirShop) Alive(context.Context) (bool, error) { return true, nil }
func (theirShop) Find(_ context.Context, id theirAPI.ItemID, asked *theirBase.Context) (*theirAPI.Item, error) {
	switch id {
	case -1:
		return nil, &theirBase.NotFound{Key: "of " + asked.GetCaller()}
	case -2:
		return nil, errors.New("the shelf fell over")
	}
	item := theirAPI.NewItem()
	item.ID = id
	return item, nil
}
func (theirShop) Order(_ context.Context, order *theirAPI.Order, limit int32) (int64, error) {
	if len(order.Items) > int(limit) {
		return 0, &theirAPI.OutOfStock{ID: order.Items[0], Text: "too many"}
	}
	return int64(len(order.Items)), nil
}
func (s theirShop) Forget(_ context.Context, id theirAPI.ItemID) error {
	s.forgotten <- int64(id)
	return nil
}
func (theirShop) Nothing(context.Context) error { return nil }
func (theirShop) All(context.Context) (map[string][]*theirAPI.Item, error) {
	return map[string][]*theirAPI.Item{"a": {theirAPI.NewItem()}}, nil
}

// apacheWire is the encoding of messages by Apache's module.
type apacheWire struct {
	transports apache.TTransportFactory
	protocols  apache.TProtocolFactory
}

func apacheWires(wire thrift.Wire) apacheWire {
	var transports apache.TTransportFactory = apache.NewTBufferedTransportFactory(4096)
	if wire.Framed {
		transports = apache.NewTFramedTransportFactoryConf(apache.NewTTransportFactory(), nil)
	}
	if wire.Protocol != nil {
		return apacheWire{transports, apache.NewTCompactProtocolFactoryConf(nil)}
	}
	return apacheWire{transports, apache.NewTBinaryProtocolFactoryConf(nil)}
}

// serveTheirs starts Apache's server, and returns its address.
func serveTheirs(t *testing.T, wire apacheWire, processor apache.TProcessor) string {
	t.Helper()
	socket, err := apache.NewTServerSocket("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := socket.Listen(); err != nil {
		t.Fatal(err)
	}
	server := apache.NewTSimpleServer4(processor, socket, wire.transports, wire.protocols)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		server.AcceptLoop()
	}()
	t.Cleanup(func() {
		server.Stop()
		<-ended
	})
	return socket.Addr().String()
}

// clientOfTheirs returns a client of Apache's module.
func clientOfTheirs(t *testing.T, wire apacheWire, address string) *apache.TStandardClient {
	t.Helper()
	socket := apache.NewTSocketConf(address, nil)
	transport, err := wire.transports.GetTransport(socket)
	if err != nil {
		t.Fatal(err)
	}
	if err := transport.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { transport.Close() })
	return apache.NewTStandardClient(wire.protocols.GetProtocol(transport), wire.protocols.GetProtocol(transport))
}

func callOurs(t *testing.T, client *api.ShopClient, forgotten chan int64) {
	t.Helper()
	if alive, err := client.Alive(background); !alive || err != nil {
		t.Fatal(alive, err)
	}
	if item, err := client.Find(background, 7, nil); err != nil || item.ID != 7 || item.Price != 9.99 {
		t.Fatal(item, err)
	}
	_, err := client.Find(background, -1, &base.Context{Caller: "me"})
	var missing *base.NotFound
	if !errors.As(err, &missing) || missing.Key != "of me" {
		t.Fatal(err)
	}
	_, err = client.Find(background, -2, nil)
	var exception interface {
		error
		TypeId() int32
	}
	if !errors.As(err, &exception) || exception.TypeId() != apache.INTERNAL_ERROR || !strings.Contains(err.Error(), "the shelf fell over") {
		t.Fatal(err)
	}
	if err := client.Forget(background, 5); err != nil || <-forgotten != 5 {
		t.Fatal(err)
	}
	if n, err := client.Order(background, &api.Order{Items: []int64{1, 2}, Payment: &api.Payment{Cash: thrift.PointerTo(int64(3))}}, 2); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	_, err = client.Order(background, &api.Order{Items: []int64{1, 2}, Payment: &api.Payment{Cash: thrift.PointerTo(int64(3))}}, 1)
	var stock *api.OutOfStock
	if !errors.As(err, &stock) || stock.ID != 1 {
		t.Fatal(err)
	}
	if err := client.Nothing(background); err != nil {
		t.Fatal(err)
	}
	if all, err := client.All(background); err != nil || len(all["a"]) != 1 || all["a"][0].Name != "none" {
		t.Fatal(all, err)
	}
}

func callTheirs(t *testing.T, client *theirAPI.ShopClient, forgotten chan int64) {
	t.Helper()
	if alive, err := client.Alive(background); !alive || err != nil {
		t.Fatal(alive, err)
	}
	if item, err := client.Find(background, 7, theirBase.NewContext()); err != nil || item.ID != 7 || item.Price != 9.99 {
		t.Fatal(item, err)
	}
	_, err := client.Find(background, -1, &theirBase.Context{Caller: "me"})
	var missing *theirBase.NotFound
	if !errors.As(err, &missing) || missing.Key != "of me" {
		t.Fatal(err)
	}
	_, err = client.Find(background, -2, theirBase.NewContext())
	var exception apache.TApplicationException
	if !errors.As(err, &exception) || exception.TypeId() != apache.INTERNAL_ERROR || !strings.Contains(err.Error(), "the shelf fell over") {
		t.Fatal(err)
	}
	if err := client.Forget(background, 5); err != nil || <-forgotten != 5 {
		t.Fatal(err)
	}
	cash := int64(3)
	order := &theirAPI.Order{Items: []theirAPI.ItemID{1, 2}, Payment: &theirAPI.Payment{Cash: &cash}}
	if n, err := client.Order(background, order, 2); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	_, err = client.Order(background, order, 1)
	var stock *theirAPI.OutOfStock
	if !errors.As(err, &stock) || stock.ID != 1 {
		t.Fatal(err)
	}
	if err := client.Nothing(background); err != nil {
		t.Fatal(err)
	}
	if all, err := client.All(background); err != nil || len(all["a"]) != 1 || all["a"][0].Name != "none" {
		t.Fatal(all, err)
	}
}

// eachWire runs a test over Binary and Compact, framed and unframed.
func eachWire(t *testing.T, test func(t *testing.T, wire thrift.Wire)) {
	for name, protocol := range map[string]thrift.Protocol{"binary": nil, "compact": codec.Compact{}} {
		for _, isFramed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/framed=%v", name, isFramed), func(t *testing.T) {
				test(t, thrift.Wire{Protocol: protocol, Framed: isFramed})
			})
		}
	}
}

func TestOurClientCallsApachesServer(t *testing.T) {
	eachWire(t, func(t *testing.T, wire thrift.Wire) {
		forgotten := make(chan int64, 1)
		address := serveTheirs(t, apacheWires(wire), theirAPI.NewShopProcessor(theirShop{forgotten}))
		stream, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		client := thrift.NewClient(stream, wire)
		defer client.Close()
		callOurs(t, api.NewShopClient(client), forgotten)
		err = client.Call(background, "fly", &api.Empty{}, &api.Empty{})
		var exception *thrift.ApplicationException
		if !errors.As(err, &exception) || exception.Type != thrift.UnknownMethod {
			t.Fatal(err)
		}
	})
}

func TestApachesClientCallsOurServer(t *testing.T) {
	eachWire(t, func(t *testing.T, wire thrift.Wire) {
		forgotten := make(chan int64, 1)
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(background)
		ended := make(chan error)
		go func() {
			ended <- api.NewShopProcessor(ourShop{forgotten}).Serve(ctx, listener, wire, nil)
		}()
		caller := clientOfTheirs(t, apacheWires(wire), listener.Addr().String())
		callTheirs(t, theirAPI.NewShopClient(caller), forgotten)
		_, err = caller.Call(background, "fly", theirAPI.NewEmpty(), theirAPI.NewEmpty())
		var exception apache.TApplicationException
		if !errors.As(err, &exception) || exception.TypeId() != apache.UNKNOWN_METHOD {
			t.Fatal(err)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
}

// overApache calls by Apache's module with our code: any of its protocols and transports, and its middleware.
type overApache struct{ client apache.TClient }

func (c overApache) Call(ctx context.Context, method string, args thrift.Writer, result thrift.Reader) error {
	into, _ := result.(apache.TStruct)
	_, err := c.client.Call(ctx, method, args.(apache.TStruct), into)
	return err
}

func TestOurClientCallsOverApachesModule(t *testing.T) {
	for name, protocols := range map[string]apache.TProtocolFactory{
		"json": apache.NewTJSONProtocolFactory(), "compact": apache.NewTCompactProtocolFactoryConf(nil),
	} {
		t.Run(name, func(t *testing.T) {
			wire := apacheWires(thrift.Wire{Framed: true})
			wire.protocols = protocols
			forgotten := make(chan int64, 1)
			address := serveTheirs(t, wire, theirAPI.NewShopProcessor(theirShop{forgotten}))
			callOurs(t, api.NewShopClient(overApache{clientOfTheirs(t, wire, address)}), forgotten)
		})
	}
}
