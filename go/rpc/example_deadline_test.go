package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// thinker implements two methods of the service Greeter: Hello answers at once, and Look never does.
type thinker struct{ greeter.UnimplementedGreeter }

func (thinker) Hello(ctx context.Context, _ *greeter.HelloRequest) (*greeter.HelloReply, error) {
	_, isSet := ctx.Deadline()
	return &greeter.HelloReply{Text: fmt.Sprint("the handler knows the deadline: ", isSet)}, nil
}

func (thinker) Look(ctx context.Context, _ *greeter.HelloRequest) (*greeter.HelloReply, error) {
	<-ctx.Done() // also the end of a handler whose caller has gone away
	return nil, ctx.Err()
}

// A call ends at the deadline of its context, which the handler sees too; Timeout is for calls whose context has no deadline.
func ExampleClient_timeout() {
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, thinker{})
	client := rpc.Local(server)
	client.Wire, client.Timeout = rpc.GRPC, 10*time.Millisecond
	defer client.Close()
	caller := greeter.NewGreeterClient(client)

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	reply, err := caller.Hello(ctx, new(greeter.HelloRequest))
	fmt.Println(reply.GetText(), err)

	_, err = caller.Look(context.Background(), new(greeter.HelloRequest))
	fmt.Println(rpc.CodeOf(err), errors.Is(err, context.DeadlineExceeded))
	// Output:
	// the handler knows the deadline: true <nil>
	// DeadlineExceeded true
}
