package rpc_test

import (
	"context"
	"fmt"
	"time"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// clerk implements a method of the service Greeter that is under way when the server is told to end.
type clerk struct {
	greeter.UnimplementedGreeter
	entered, closing chan struct{}
}

func (c clerk) Hello(context.Context, *greeter.HelloRequest) (*greeter.HelloReply, error) {
	close(c.entered)
	<-c.closing
	return &greeter.HelloReply{Text: "the last answer"}, nil
}

// A server that shuts down answers the calls that have come; Run does so on SIGTERM and SIGINT.
func ExampleServer_Shutdown() {
	handler := clerk{entered: make(chan struct{}), closing: make(chan struct{})}
	server := rpc.NewServer()
	greeter.RegisterGreeter(server, handler)
	server.OnShutdown(func() { close(handler.closing) })
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	defer client.Close()

	answered := make(chan string)
	go func() {
		reply, err := greeter.NewGreeterClient(client).Hello(context.Background(), new(greeter.HelloRequest))
		answered <- fmt.Sprint(reply.GetText(), " ", err)
	}()
	<-handler.entered
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err := server.Shutdown(ctx)
	fmt.Println(<-answered)
	fmt.Println(err)
	// Output:
	// the last answer <nil>
	// <nil>
}
