package rpc_test

import (
	"context"
	"fmt"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// vault implements a method of the service Greeter.
type vault struct{ greeter.UnimplementedGreeter }

func (vault) Hello(_ context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Text: "welcome, " + request.Name}, nil
}

// An interceptor of the client adds a token to each call, and an interceptor of the server refuses calls without the token.
func ExampleInterceptor() {
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, vault{})
	server.Interceptors = []rpc.Interceptor{func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
		if rpc.Incoming(ctx).Get("authorization") != "secret" {
			return rpc.Errorf(rpc.Unauthenticated, "%s.%s wants a token", call.Service, call.Method)
		}
		return next(ctx)
	}}
	addToken := func(ctx context.Context, _ *rpc.Call, next func(context.Context) error) error {
		return next(rpc.WithMetadata(ctx, "authorization", "secret"))
	}

	for _, interceptors := range [][]rpc.Interceptor{{addToken}, nil} {
		client := rpc.Local(server)
		client.Wire, client.Interceptors = rpc.GRPC, interceptors
		reply, err := greeter.NewGreeterClient(client).Hello(context.Background(), &greeter.HelloRequest{Name: "Ada"})
		fmt.Printf("%q %v\n", reply.GetText(), rpc.CodeOf(err))
		client.Close()
	}
	// Output:
	// "welcome, Ada" OK
	// "" Unauthenticated
}
