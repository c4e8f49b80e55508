// Command grpc serves and calls with grpc-go. All callers share a connection.
package main

import (
	"context"
	"net"
	"regexp"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"hone/bench/rpc/generated/grpc/shop"
	"hone/bench/rpc/harness"
)

var stack = harness.Stack{
	Serve: serve, Dial: dial, Payloads: slices.Concat(harness.Calls, harness.Streams),
	Codec: regexp.MustCompile(`^google\.golang\.org/protobuf/proto\.`),
}

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

func (handler) Chat(stream grpc.BidiStreamingServer[shop.Text, shop.Text]) error {
	return harness.AnswerEach(stream)
}

func (handler) Expand(request *shop.Text, stream grpc.ServerStreamingServer[shop.Text]) error {
	return harness.SendAll(stream, request)
}

func (handler) Collect(stream grpc.ClientStreamingServer[shop.Text, shop.Text]) error {
	return harness.TakeAll(stream)
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
	if err := harness.FillOrder(order, payload); err != nil {
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
	shopper := shop.NewShopClient(connection)
	calls := make([]harness.Call, callers)
	for i := range calls {
		var err error
		if calls[i], err = callOf(shopper, payload, order); err != nil {
			return nil, err
		}
	}
	return calls, nil
}

func callOf(client shop.ShopClient, payload harness.Payload, order *shop.Order) (harness.Call, error) {
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
