package rpc_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"hone/go/internal/greeter"
	"hone/go/rpc"
	"hone/go/rpc/resolve"
)

// listed implements a method of the service Greeter.
type listed struct{ greeter.UnimplementedGreeter }

func (listed) Hello(context.Context, *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Text: "hello from the list"}, nil
}

// A client finds the instances of a service in a file, and follows changes of the file.
func ExampleClient_resolver() {
	server := rpc.NewServer()
	greeter.RegisterGreeter(server, listed{})
	listener, err := rpc.Listen("tcp://127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go server.Serve(listener)
	defer server.Close()
	dir, err := os.MkdirTemp("", "resolver")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "services.json")
	services := fmt.Sprintf(`{"hello": [{"address": %q, "weight": 100}]}`, listener.Addr())
	if err := os.WriteFile(path, []byte(services), 0o600); err != nil {
		log.Fatal(err)
	}

	client := rpc.Dial("hello") // a key of the file
	client.Wire, client.Resolver = rpc.GRPC, resolve.File{Path: path}
	defer client.Close()
	reply, err := greeter.NewGreeterClient(client).Hello(context.Background(), new(greeter.HelloRequest))
	fmt.Println(reply.GetText(), err)
	// Output: hello from the list <nil>
}
