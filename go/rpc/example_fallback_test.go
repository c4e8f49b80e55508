package rpc_test

import (
	"context"
	"fmt"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// closed implements a method of the service Greeter that always fails.
type closed struct{ greeter.UnimplementedGreeter }

func (closed) Hello(context.Context, *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return nil, rpc.Errorf(rpc.Unavailable, "closed today")
}

// A fallback answers in the place of a call that has failed.
func ExampleFallback() {
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, closed{})
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	client.Policies.Fallback = func(_ context.Context, call *rpc.Call, failed error) error {
		reply, ok := call.Response.(*greeter.HelloReply)
		if !ok || rpc.CodeOf(failed) != rpc.Unavailable {
			return failed // the caller gets the error
		}
		reply.Text = "hello from memory"
		return nil
	}
	defer client.Close()

	reply, err := greeter.NewGreeterClient(client).Hello(context.Background(), new(greeter.HelloRequest))
	fmt.Println(reply.GetText(), err)
	// Output: hello from memory <nil>
}
