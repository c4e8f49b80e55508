// Command peer calls the service Shop, or answers its calls, by Apache's module for Go. Package hone/go/internal/peers starts it.
//
//	peer call|serve HOST PORT WIRE
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"

	"github.com/apache/thrift/lib/go/thrift"

	"hone/go/compat/apache/shop/api"
	"hone/go/compat/apache/shop/base"
)

var background = context.Background()

func main() {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	what, address := os.Args[1], net.JoinHostPort(os.Args[2], os.Args[3])
	wire := wireOf(os.Args[4])
	run := wire.call
	if what == "serve" {
		run = wire.serve
	}
	if err := run(address); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// wire is the encoding of messages.
type wire struct {
	protocols     thrift.TProtocolFactory
	transports    thrift.TTransportFactory
	isMultiplexed bool
}

// wireOf parses a name of the form PROTOCOL-TRANSPORT-NAMES: binary|old|compact, framed|buffered and plain|multiplexed.
func wireOf(name string) wire {
	protocol, rest, _ := strings.Cut(name, "-")
	transport, names, _ := strings.Cut(rest, "-")
	isVersioned := protocol != "old"
	config := &thrift.TConfiguration{TBinaryStrictRead: &isVersioned, TBinaryStrictWrite: &isVersioned}
	w := wire{thrift.NewTBinaryProtocolFactoryConf(config), thrift.NewTBufferedTransportFactory(4096), names == "multiplexed"}
	if protocol == "compact" {
		w.protocols = thrift.NewTCompactProtocolFactoryConf(config)
	}
	if transport == "framed" {
		w.transports = thrift.NewTFramedTransportFactoryConf(thrift.NewTTransportFactory(), config)
	}
	return w
}

// serve answers calls until the standard input ends.
func (w wire) serve(address string) error {
	socket, err := thrift.NewTServerSocket(address)
	if err != nil {
		return err
	}
	if err := socket.Listen(); err != nil {
		return err
	}
	var processor thrift.TProcessor = api.NewShopProcessor(&shop{forgotten: map[api.ItemID]bool{}})
	if w.isMultiplexed {
		several := thrift.NewTMultiplexedProcessor()
		several.RegisterProcessor("Shop", processor)
		processor = several
	}
	_, port, err := net.SplitHostPort(socket.Addr().String())
	if err != nil {
		return err
	}
	fmt.Println(port)
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return thrift.NewTSimpleServer4(processor, socket, w.transports, w.protocols).Serve()
}

// shop is an implementation whose answers follow from the arguments.
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

// call calls each function and checks its answer.
func (w wire) call(address string) error {
	transport, err := w.transports.GetTransport(thrift.NewTSocketConf(address, nil))
	if err != nil {
		return err
	}
	if err := transport.Open(); err != nil {
		return err
	}
	defer transport.Close()
	in := w.protocols.GetProtocol(transport)
	out := in
	if w.isMultiplexed {
		out = thrift.NewTMultiplexedProtocol(out, "Shop")
	}
	// This client checks the number of each answer, and its name.
	caller := thrift.NewTStandardClient(in, out)
	client := api.NewShopClient(caller)
	callShop(client)
	callUnknown(caller)
	alive, err := client.Alive(background)
	expect(alive, "alive after all: ", err)
	return nil
}

// expect ends the program if a condition does not hold: the rest of the connection's bytes cannot be relied on then.
func expect(holds bool, about ...any) {
	if !holds {
		fmt.Fprintln(os.Stderr, about...)
		os.Exit(1)
	}
}

func callShop(client *api.ShopClient) {
	me := &base.Context{Caller: "me"}
	alive, err := client.Alive(background)
	expect(alive, "alive: ", err)
	for _, id := range []api.ItemID{7, 100000} {
		item, err := client.Find(background, id, me)
		expect(err == nil && item.ID == id && item.Price == 9.99 && len(item.Raw) == int(id), "find: ", err)
	}
	_, err = client.Find(background, -1, me)
	var missing *base.NotFound
	expect(errors.As(err, &missing) && missing.Key == "of me", "a declared exception: ", err)
	_, err = client.Find(background, -2, me)
	var exception thrift.TApplicationException
	expect(errors.As(err, &exception) && exception.TypeId() == thrift.INTERNAL_ERROR && strings.Contains(err.Error(), "the shelf fell over"), "an error: ", err)
	cash := int64(3)
	order := &api.Order{Items: []api.ItemID{1, 2}, Payment: &api.Payment{Cash: &cash}}
	n, err := client.Order(background, order, 2)
	expect(n == 2, "order: ", err)
	_, err = client.Order(background, order, 1)
	var stock *api.OutOfStock
	expect(errors.As(err, &stock) && stock.ID == 1 && stock.Text == "größer", "another declared exception: ", err)
	expect(client.Forget(background, 5) == nil, "forget")
	_, err = client.Find(background, 5, me)
	expect(errors.As(err, &missing) && missing.Key == "forgotten", "after a one-way call: ", err)
	err = client.Nothing(background)
	expect(err == nil, "nothing: ", err)
	all, err := client.All(background)
	expect(err == nil && len(all["a"]) == 1 && all["a"][0].ID == 1, "all: ", err)
}

func callUnknown(caller thrift.TClient) {
	_, err := caller.Call(background, "fly", api.NewEmpty(), api.NewEmpty())
	var exception thrift.TApplicationException
	expect(errors.As(err, &exception) && exception.TypeId() == thrift.UNKNOWN_METHOD, "an unknown function: ", err)
}
