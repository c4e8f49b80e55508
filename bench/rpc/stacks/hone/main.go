// Command hone serves and calls with package rpc. Its variant is the name of a wire: over wires with a TTHeader all callers share a connection, over
// others each caller has a connection of its own.
package main

import (
	"context"
	"regexp"

	"hone/bench/rpc/generated/hone/shop"
	"hone/bench/rpc/harness"
	"hone/go/rpc"
)

var stack = harness.Stack{
	Serve: serve, Dial: dial, Payloads: harness.Calls,
	Codec: regexp.MustCompile(`\.(Read|Write|Size)Thrift$`),
}

func main() { harness.Main(stack) }

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
	server := rpc.NewServer()
	shop.RegisterShop(server, handler{})
	return server.Run(address.Network + "://" + address.Text)
}

func dial(variant string, address harness.Address, payload harness.Payload, callers int) ([]harness.Call, error) {
	wire, err := rpc.ParseWire(variant)
	if err != nil {
		return nil, err
	}
	order := shop.NewOrder()
	if err := harness.FillOrder(order, payload); err != nil {
		return nil, err
	}
	sharing := callers
	if wire != rpc.TTHeader && wire != rpc.TTHeaderFramed && wire != rpc.TTHeaderCompact {
		sharing = 1
	}
	calls := make([]harness.Call, 0, callers)
	for len(calls) < callers {
		client := rpc.Dial(address.Network + "://" + address.Text)
		client.Wire = wire
		call := callOf(shop.NewShopClient(client), payload, order)
		for range sharing {
			calls = append(calls, call)
		}
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
