package rpc_test

import (
	"context"
	"fmt"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// double implements a method of the service Greeter for a test.
type double struct{ greeter.UnimplementedGreeter }

func (double) Hello(_ context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Text: request.Name + " " + request.Name}, nil
}

// A test calls a server of its own process without a socket.
func ExampleLocal() {
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, double{})

	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	defer client.Close()
	reply, err := greeter.NewGreeterClient(client).Hello(context.Background(), &greeter.HelloRequest{Name: "Ada"})
	fmt.Println(reply.GetText(), err)
	// Output: Ada Ada <nil>
}
