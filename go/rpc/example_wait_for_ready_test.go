package rpc_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// late implements a method of the service Greeter on a server that starts after its client.
type late struct{ greeter.UnimplementedGreeter }

func (late) Hello(context.Context, *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Text: "hello at last"}, nil
}

// A call fails if no server can be connected, unless the call waits until a server is ready.
func ExampleWithWaitForReady() {
	dir, err := os.MkdirTemp("", "ready")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	address := "unix://" + filepath.Join(dir, "late.sock")
	client := rpc.Dial(address)
	client.Wire = rpc.GRPC
	defer client.Close()
	caller := greeter.NewGreeterClient(client)

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err = caller.Hello(ctx, new(greeter.HelloRequest))
	fmt.Println(rpc.CodeOf(err))

	server := rpc.NewServer()
	greeter.RegisterGreeter(server, late{})
	go server.Run(address) // Policies.WaitForReady has all calls of a client wait
	defer server.Close()
	reply, err := caller.Hello(rpc.WithWaitForReady(ctx, true), new(greeter.HelloRequest))
	fmt.Println(reply.GetText(), err)
	// Output:
	// Unavailable
	// hello at last <nil>
}
