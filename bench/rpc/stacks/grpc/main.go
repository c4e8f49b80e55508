// Command grpc serves and calls by grpc-go. All callers share a connection.
package main

import (
	"context"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"hone/bench/rpc/generated/grpc/shop"
	"hone/bench/rpc/harness"
)

var stack = harness.Stack{Serve: serve, Dial: dial}

func main() { harness.Main(stack) }

type handler struct{ shop.UnimplementedShopServer }

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
	server := grpc.NewServer()
	shop.RegisterShopServer(server, handler{})
	return server.Serve(listener)
}

func dial(_ string, address harness.Address, payload harness.Payload, callers int) ([]harness.Call, error) {
	order := new(shop.Order)
	if err := harness.FillOrder(order); err != nil {
		return nil, err
	}
	target := "passthrough:///" + address.Text
	if address.Network == "unix" {
		target = "unix:" + address.Text
	}
	connection, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	call := callOf(shop.NewShopClient(connection), payload, order)
	calls := make([]harness.Call, callers)
	for i := range calls {
		calls[i] = call
	}
	return calls, nil
}

func callOf(client shop.ShopClient, payload harness.Payload, order *shop.Order) harness.Call {
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
