package rpc_test

import (
	"context"
	"fmt"
	"log"

	"hone/go/internal/greeter"
	"hone/go/rpc"
	"hone/go/rpc/policy/localfirst"
	"hone/go/rpc/resolve"
)

// near implements a method of the service Greeter.
type near struct{ greeter.UnimplementedGreeter }

func (near) Hello(context.Context, *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return new(greeter.HelloReply), nil
}

// measured tells a client where calls come from; CallersOf takes the instances of other services instead.
type measured struct {
	callers []localfirst.Caller
	told    chan struct{}
}

func (m measured) Watch(ctx context.Context, _ string, tell func([]localfirst.Caller)) error {
	tell(m.callers)
	close(m.told)
	<-ctx.Done()
	return nil
}

// A client on machine a keeps seven of ten calls there: with more calls, that machine's instance would have more than 1.05 times its fair share.
func ExampleLocalFirst() {
	server, instances := rpc.NewServer(), resolve.Static{}
	greeter.RegisterGreeter(server, near{})
	for _, machine := range []string{"a", "b"} {
		listener, err := rpc.Listen("tcp://127.0.0.1:0")
		if err != nil {
			log.Fatal(err)
		}
		go server.Serve(listener)
		instances["hello"] = append(instances["hello"], resolve.Instance{Address: listener.Addr().String(), Weight: 100, Tags: map[string]string{resolve.Machine: machine}})
	}
	defer server.Close()
	callers := measured{[]localfirst.Caller{{Host: "a", Rate: 300}, {Host: "b", Rate: 100}}, make(chan struct{})}
	client := rpc.Dial("hello")
	client.Wire, client.Resolver = rpc.GRPC, instances
	client.Policies.LocalFirst = &rpc.LocalFirst{Machine: "a", Callers: callers}
	defer client.Close()

	_, err := greeter.NewGreeterClient(client).Hello(context.Background(), new(greeter.HelloRequest))
	<-callers.told
	share, shareErr := client.LocalShare()
	fmt.Printf("%.2f of the calls stay on machine a, %v, %v\n", share, err, shareErr)
	// Output: 0.70 of the calls stay on machine a, <nil>, <nil>
}
