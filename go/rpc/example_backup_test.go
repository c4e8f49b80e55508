package rpc_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"hone/go/internal/greeter"
	"hone/go/rpc"
	"hone/go/rpc/policy/retry"
)

// stuck implements a method of the service Greeter that never answers its first call. The .proto file says that Look may run twice for one call.
type stuck struct {
	greeter.UnimplementedGreeter
	calls atomic.Int64
}

func (s *stuck) Look(ctx context.Context, _ *greeter.HelloRequest) (*greeter.HelloReply, error) {
	if s.calls.Add(1) == 1 {
		<-ctx.Done() // the client ends the call that is slower
		return nil, ctx.Err()
	}
	return &greeter.HelloReply{Text: "hello from the backup request"}, nil
}

// A client sends a second request if the first one has no answer after a delay, and takes the answer that comes first.
func ExamplePolicies_backup() {
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, new(stuck))
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	client.Policies.Backup = &retry.HedgeOptions{Delay: time.Millisecond} // or Percentile: 0.95
	defer client.Close()

	reply, err := greeter.NewGreeterClient(client).Look(context.Background(), new(greeter.HelloRequest))
	fmt.Println(reply.GetText(), err)
	// Output: hello from the backup request <nil>
}
