package rpc_test

import (
	"context"
	"fmt"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// answerer implements a method of the service Greeter.
type answerer struct{ greeter.UnimplementedGreeter }

func (answerer) Hello(_ context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Text: "Hello, " + request.Name}, nil
}

// A program calls a method with encoded messages, without generated code of the service.
func ExampleRaw() {
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, answerer{})
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	defer client.Close()

	request := rpc.Raw("\n\x03Ada") // field 1, three bytes
	var response rpc.Raw
	err := client.Invoke(context.Background(), "/hone.greeter.v1.Greeter/Hello", request, &response)
	fmt.Printf("%q %v\n", response, err)
	// Output: "\n\nHello, Ada" <nil>
}
