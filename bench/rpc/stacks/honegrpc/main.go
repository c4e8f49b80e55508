// Command honegrpc serves and calls with package rpc over gRPC. All callers share a connection.
package main

import (
	"context"
	"regexp"
	"slices"

	"hone/bench/rpc/generated/honegrpc/shop"
	"hone/bench/rpc/harness"
	"hone/go/rpc"
)

var stack = harness.Stack{
	Serve: serve, Dial: dial, Payloads: slices.Concat(harness.Calls, harness.Streams),
	Codec: regexp.MustCompile(`\.(SizePB|MarshalToPB|UnmarshalPB|ReadPB|WritePB)$`),
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

func (handler) Chat(stream rpc.BidiStreamingServer[shop.Text, shop.Text]) error {
	return harness.AnswerEach(stream)
}

func (handler) Expand(request *shop.Text, stream rpc.ServerStreamingServer[shop.Text]) error {
	return harness.SendAll(stream, request)
}

func (handler) Collect(stream rpc.ClientStreamingServer[shop.Text, shop.Text]) error {
	return harness.TakeAll(stream)
}

func serve(_ string, address harness.Address) error {
	server := rpc.NewServer()
	shop.RegisterShop(server, handler{})
	return server.Run(address.Network + "://" + address.Text)
}

func dial(_ string, address harness.Address, payload harness.Payload, callers int) ([]harness.Call, error) {
	order := new(shop.Order)
	if err := harness.FillOrder(order, payload); err != nil {
		return nil, err
	}
	client := rpc.Dial(address.Network + "://" + address.Text)
	client.Wire = rpc.GRPC
	shopper := shop.NewShopClient(client)
	calls := make([]harness.Call, callers)
	for i := range calls {
		var err error
		if calls[i], err = callOf(shopper, payload, order); err != nil {
			return nil, err
		}
	}
	return calls, nil
}

func callOf(client *shop.ShopClient, payload harness.Payload, order *shop.Order) (harness.Call, error) {
	text := &shop.Text{Text: harness.EchoText}
	switch payload {
	case harness.Price, harness.Maps, harness.Rows:
		return func(ctx context.Context) error {
			answer, err := client.Price(ctx, order)
			return payload.CheckTotal(answer, err)
		}, nil
	case harness.Chat:
		stream, err := client.Chat(context.Background())
		return harness.Chatting(stream, text), err
	case harness.Expand:
		stream, err := client.Expand(context.Background(), text)
		return harness.Expanding(stream), err
	case harness.Collect:
		stream, err := client.Collect(context.Background())
		return harness.Collecting(stream, text), err
	}
	return func(ctx context.Context) error {
		answer, err := client.Echo(ctx, &shop.Text{Text: harness.EchoText})
		return harness.CheckEcho(answer, err)
	}, nil
}
