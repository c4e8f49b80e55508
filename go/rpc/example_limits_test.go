package rpc_test

import (
	"context"
	"fmt"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// till implements a method of the service Greeter.
type till struct{ greeter.UnimplementedGreeter }

func (till) Hello(context.Context, *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Text: "next, please"}, nil
}

// A server refuses calls beyond its limits before their handlers run.
func ExampleLimits() {
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, till{})
	server.Limits = rpc.Limits{PerSecond: 0.01, Burst: 2, Concurrent: 100}
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	client.Policies.Retry.Attempts = 1 // a refused call would be sent again
	defer client.Close()

	for range 3 {
		reply, err := greeter.NewGreeterClient(client).Hello(context.Background(), new(greeter.HelloRequest))
		fmt.Printf("%q %v\n", reply.GetText(), rpc.CodeOf(err))
	}
	// Output:
	// "next, please" OK
	// "next, please" OK
	// "" ResourceExhausted
}
