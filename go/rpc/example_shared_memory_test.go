package rpc_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// neighbour implements a method of the service Greeter.
type neighbour struct{ greeter.UnimplementedGreeter }

func (neighbour) Hello(_ context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Text: "hello next door, " + request.Name}, nil
}

// Calls of a client on the same machine go through memory that both processes share, on Linux, and over a Unix socket elsewhere.
func ExampleDial_sharedMemory() {
	dir, err := os.MkdirTemp("", "shared")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	address := "shm://" + filepath.Join(dir, "shop.sock")
	server := rpc.NewServer()
	greeter.RegisterGreeter(server, neighbour{})
	listener, err := rpc.Listen(address)
	if err != nil {
		log.Fatal(err)
	}
	go server.Serve(listener)
	defer server.Close()

	client := rpc.Dial(address)
	client.Wire = rpc.GRPC
	defer client.Close()
	reply, err := greeter.NewGreeterClient(client).Hello(context.Background(), &greeter.HelloRequest{Name: "Ada"})
	fmt.Println(reply.GetText(), err)
	// Output: hello next door, Ada <nil>
}
