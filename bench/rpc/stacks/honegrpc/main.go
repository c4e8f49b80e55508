// Command honegrpc serves and calls by package rpc over gRPC. All callers share a connection.
package main

import (
	"context"

	"hone/bench/rpc/generated/honegrpc/shop"
	"hone/bench/rpc/harness"
	"hone/go/rpc"
)

var stack = harness.Stack{Serve: serve, Dial: dial}

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

func dial(_ string, address harness.Address, payload harness.Payload, callers int) ([]harness.Call, error) {
	order := new(shop.Order)
	if err := harness.FillOrder(order); err != nil {
		return nil, err
	}
	client := rpc.Dial(address.Network + "://" + address.Text)
	client.Wire = rpc.GRPC
	call := callOf(shop.NewShopClient(client), payload, order)
	calls := make([]harness.Call, callers)
	for i := range calls {
		calls[i] = call
	}
	return calls, nil
}

func callOf(client *shop.ShopClient, payload harness.Payload, order *shop.Order) harness.Call {
	if payload == harness.Price {
		return func(ctx context.Context) error {
			answer, err := client.Price(ctx, order)
			return harness.CheckPrice(answer.GetTotal(), err)
		}
	}
	return func(ctx context.Context) error {
		answer, err := client.Echo(ctx, &shop.Text{Text: harness.EchoText})
		return harness.CheckEcho(answer.GetText(), err)
	}
}
