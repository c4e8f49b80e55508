// Command plain serves and calls with package thrift alone: framed, with a connection for each caller.
package main

import (
	"context"
	"net"
	"regexp"

	"hone/bench/rpc/generated/hone/shop"
	"hone/bench/rpc/harness"
	"hone/go/thrift"
)

var stack = harness.Stack{
	Serve: serve, Dial: dial, Payloads: harness.Calls,
	Codec: regexp.MustCompile(`\.(Read|Write|Size)Thrift$`),
}

func main() { harness.Main(stack) }

var wire = thrift.Wire{Framed: true}

type handler struct{}

func (handler) Echo(_ context.Context, request *shop.Text) (*shop.Text, error) {
	harness.Answered.Add(1)
	return &shop.Text{Text: request.Text}, nil
}

func (handler) Price(_ context.Context, order *shop.Order) (*shop.Order, error) {
	harness.Answered.Add(1)
	order.Total = harness.Total(order.Items, order.Discounts, order.Headers, order.Related)
	return order, nil
}

func serve(_ string, address harness.Address) error {
	listener, err := net.Listen(address.Network, address.Text)
	if err != nil {
		return err
	}
	return shop.NewShopProcessor(handler{}).Serve(context.Background(), listener, wire, nil)
}

func dial(_ string, address harness.Address, payload harness.Payload, callers int) ([]harness.Call, error) {
	order := shop.NewOrder()
	if err := harness.FillOrder(order, payload); err != nil {
		return nil, err
	}
	calls := make([]harness.Call, callers)
	for i := range calls {
		stream, err := net.Dial(address.Network, address.Text)
		if err != nil {
			return nil, err
		}
		calls[i] = callOf(shop.NewShopClient(thrift.NewClient(stream, wire)), payload, order)
	}
	return calls, nil
}

func callOf(client *shop.ShopClient, payload harness.Payload, order *shop.Order) harness.Call {
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
