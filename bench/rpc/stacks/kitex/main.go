// Command kitex serves and calls with Kitex. Its variant is "mux", where all callers share a connection, "pool", where each call has a connection of
// a pool for itself, "pool-ttheader", the same with a TTHeader, "mux-frugal" or "mux-apache", with that codec instead of Kitex's own.
package main

import (
	"context"
	"fmt"
	"net"
	"regexp"
	"strings"
	"time"

	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/connpool"
	"github.com/cloudwego/kitex/pkg/klog"
	"github.com/cloudwego/kitex/pkg/remote"
	"github.com/cloudwego/kitex/pkg/remote/codec/thrift"
	"github.com/cloudwego/kitex/server"
	"github.com/cloudwego/kitex/transport"

	"hone/bench/rpc/generated/kitex/shop"
	service "hone/bench/rpc/generated/kitex/shop/shop"
	"hone/bench/rpc/harness"
)

var stack = harness.Stack{
	Serve: serve, Dial: dial, Payloads: harness.Calls,
	Codec: regexp.MustCompile(`/kitex/shop\.\(\*\w+\)\.(FastRead|FastWrite|fastWrite|BLength|field\d+Length|Read|Write|write)\w*$|cloudwego/frugal`),
}

func main() {
	// At other levels Kitex logs each connection that ends.
	klog.SetLevel(klog.LevelFatal)
	harness.Main(stack)
}

type handler struct{}

func (*handler) Echo(_ context.Context, request *shop.Text) (*shop.Text, error) {
	harness.Answered.Add(1)
	return &shop.Text{Text: request.Text}, nil
}

func (*handler) Price(_ context.Context, order *shop.Order) (*shop.Order, error) {
	harness.Answered.Add(1)
	order.Total = harness.Total(order.Items, order.Discounts, order.Headers, order.Related)
	return order, nil
}

func serve(variant string, address harness.Address) error {
	at, err := addressOf(address)
	if err != nil {
		return err
	}
	options := []server.Option{server.WithServiceAddr(at), server.WithPayloadCodec(codecOf(variant))}
	if strings.HasPrefix(variant, "mux") {
		options = append(options, server.WithMuxTransport())
	}
	return service.NewServer(new(handler), options...).Run()
}

func codecOf(variant string) remote.PayloadCodec {
	switch variant {
	case "mux-apache":
		return thrift.NewThriftCodecWithConfig(thrift.Basic)
	case "mux-frugal":
		return thrift.NewThriftCodecWithConfig(thrift.FrugalReadWrite)
	}
	return thrift.NewThriftCodec()
}

func addressOf(address harness.Address) (net.Addr, error) {
	if address.Network == "unix" {
		return net.ResolveUnixAddr("unix", address.Text)
	}
	return net.ResolveTCPAddr("tcp", address.Text)
}

// keepIdle is longer than any load.
const keepIdle = 10 * time.Minute

func connectionsOf(variant string, callers int) ([]client.Option, error) {
	pool := client.WithLongConnection(connpool.IdleConfig{MaxIdlePerAddress: callers, MaxIdleGlobal: callers, MaxIdleTimeout: keepIdle})
	switch variant {
	case "mux", "mux-frugal", "mux-apache":
		return []client.Option{client.WithMuxConnection(1)}, nil
	case "pool":
		return []client.Option{pool, client.WithTransportProtocol(transport.Framed)}, nil
	case "pool-ttheader":
		return []client.Option{pool, client.WithTransportProtocol(transport.TTHeaderFramed)}, nil
	}
	return nil, fmt.Errorf("variant %q is not known; take mux, mux-frugal, mux-apache, pool or pool-ttheader", variant)
}

func dial(variant string, address harness.Address, payload harness.Payload, callers int) ([]harness.Call, error) {
	order := shop.NewOrder()
	if err := harness.FillOrder(order, payload); err != nil {
		return nil, err
	}
	options, err := connectionsOf(variant, callers)
	if err != nil {
		return nil, err
	}
	client, err := service.NewClient("shop", append(options, client.WithHostPorts(address.Text), client.WithPayloadCodec(codecOf(variant)))...)
	if err != nil {
		return nil, err
	}
	calls := make([]harness.Call, callers)
	for i := range calls {
		calls[i] = callOf(client, payload, order)
	}
	return calls, nil
}

func callOf(client service.Client, payload harness.Payload, order *shop.Order) harness.Call {
	if payload != harness.Echo {
		return func(ctx context.Context) error {
			answer, err := client.Price(ctx, order)
			return payload.CheckTotal(answer, err)
		}
	}
	return func(ctx context.Context) error {
		answer, err := client.Echo(ctx, &shop.Text{Text: harness.EchoText})
		return harness.CheckEcho(answer, err)
	}
}
