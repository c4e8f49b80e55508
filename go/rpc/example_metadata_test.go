package rpc_test

import (
	"context"
	"fmt"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// relay implements two methods of the service Greeter, which answer with the metadata of their calls. Hello calls Look too.
type relay struct {
	greeter.UnimplementedGreeter
	client *greeter.GreeterClient
}

func (r *relay) Hello(ctx context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	rpc.SetHeader(ctx, rpc.Metadata{{Name: "served-by", Value: "relay"}})
	reply, err := r.client.Look(ctx, request)
	return &greeter.HelloReply{Text: seen(ctx) + "; then " + reply.GetText()}, err
}

func (r *relay) Look(ctx context.Context, _ *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Text: seen(ctx)}, nil
}

func seen(ctx context.Context) string {
	return fmt.Sprintf("token %q, user %q", rpc.Incoming(ctx).Get("token"), rpc.Propagated(ctx).Get("user"))
}

// Metadata of WithMetadata goes to the service that is called, and metadata of WithPropagated to all services behind that service too.
func ExampleWithMetadata() {
	server, handler := rpc.NewServer(), new(relay)
	defer server.Close()
	greeter.RegisterGreeter(server, handler)
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	defer client.Close()
	handler.client = greeter.NewGreeterClient(client)

	ctx := rpc.WithMetadata(context.Background(), "token", "1234")
	ctx = rpc.WithPropagated(ctx, "user", "ada")
	reply, err := handler.client.Hello(ctx, new(greeter.HelloRequest))
	fmt.Println(reply.GetText(), err)
	// Output: token "1234", user "ada"; then token "", user "ada" <nil>
}

// A caller reads the metadata that a handler sends with its answer.
func ExampleWithReply() {
	server, handler := rpc.NewServer(), new(relay)
	defer server.Close()
	greeter.RegisterGreeter(server, handler)
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	defer client.Close()
	handler.client = greeter.NewGreeterClient(client)

	var reply rpc.Reply
	_, err := handler.client.Hello(rpc.WithReply(context.Background(), &reply), new(greeter.HelloRequest))
	fmt.Println(reply.Header.Get("served-by"), err)
	// Output: relay <nil>
}
