package rpc_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"hone/go/internal/greeter"
	"hone/go/rpc"
	"hone/go/rpc/policy/breaker"
	"hone/go/rpc/policy/retry"
)

// shaky implements two methods of the service Greeter, which answer every third call and fail all others.
type shaky struct {
	greeter.UnimplementedGreeter
	calls atomic.Int64
}

func (s *shaky) Hello(context.Context, *greeter.HelloRequest) (*greeter.HelloReply, error) {
	calls := s.calls.Add(1)
	if calls%3 != 0 {
		return nil, rpc.Errorf(rpc.Unavailable, "not now")
	}
	return &greeter.HelloReply{Text: fmt.Sprint("hello after ", calls, " calls")}, nil
}

// Look is Hello, but its idempotency_level in the .proto file says that it may run twice.
func (s *shaky) Look(ctx context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return s.Hello(ctx, request)
}

// A client repeats a failed call of an idempotent method, and returns the error of any other call.
func ExamplePolicies_retry() {
	handler := new(shaky)
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, handler)
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	client.Policies.Retry = retry.Policy{Attempts: 3, Base: time.Millisecond}
	defer client.Close()
	caller := greeter.NewGreeterClient(client)

	reply, err := caller.Look(context.Background(), new(greeter.HelloRequest))
	fmt.Println(reply.GetText(), err)
	_, err = caller.Hello(context.Background(), new(greeter.HelloRequest))
	fmt.Println(rpc.CodeOf(err), "after", handler.calls.Load(), "calls")
	// Output:
	// hello after 3 calls <nil>
	// Unavailable after 4 calls
}

// A breaker makes calls fail at once after two failures in a row, and spares the service.
func ExamplePolicies_breaker() {
	handler := new(shaky)
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, handler)
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	client.Policies.ServiceBreaker = &breaker.Options{Consecutive: 2, OpenFor: time.Hour}
	defer client.Close()

	for range 3 {
		_, err := greeter.NewGreeterClient(client).Hello(context.Background(), new(greeter.HelloRequest))
		fmt.Println(err)
	}
	fmt.Println("the service got", handler.calls.Load(), "calls")
	// Output:
	// hone.greeter.v1.Greeter.Hello at unix://local: answered: Unavailable: not now
	// hone.greeter.v1.Greeter.Hello at unix://local: answered: Unavailable: not now
	// hone.greeter.v1.Greeter.Hello: Unavailable: dropped by the client: the circuit breaker of the service is open
	// the service got 2 calls
}
