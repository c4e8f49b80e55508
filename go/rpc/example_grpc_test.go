package rpc_test

import (
	"context"
	"fmt"
	"log"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// friend implements one method of the service Greeter, for which protoc-gen-hone has generated package greeter.
type friend struct{ greeter.UnimplementedGreeter }

func (friend) Hello(_ context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Text: "Hello, " + request.Name}, nil
}

// A server answers calls of a service of Protocol Buffers, and a client calls the server over gRPC.
func Example_grpc() {
	server := rpc.NewServer()
	greeter.RegisterGreeter(server, friend{}) // services of Thrift may be on the same server
	listener, err := rpc.Listen("tcp://127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go server.Serve(listener)
	defer server.Close()

	client := rpc.Dial("tcp://" + listener.Addr().String())
	client.Wire = rpc.GRPC
	defer client.Close()
	reply, err := greeter.NewGreeterClient(client).Hello(context.Background(), &greeter.HelloRequest{Name: "Ada"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Text)
	// Output: Hello, Ada
}
