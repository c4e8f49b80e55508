package health_test

import (
	"context"
	"fmt"

	"hone/go/internal/greeter"
	"hone/go/rpc"
	"hone/go/rpc/health"
)

// A server tells its health, and a client asks for the health of one service.
func ExampleRegister() {
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, greeter.UnimplementedGreeter{})
	states := health.Register(server)
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	defer client.Close()

	const name = "hone.greeter.v1.Greeter"
	fmt.Println(health.Check(context.Background(), client, name))
	states.Set(name, health.NotServing) // such as while a database is away
	fmt.Println(health.Check(context.Background(), client, name))
	_, err := health.Check(context.Background(), client, "hone.unknown.v1.Nobody")
	fmt.Println(rpc.CodeOf(err))
	// Output:
	// SERVING <nil>
	// NOT_SERVING <nil>
	// NotFound
}
