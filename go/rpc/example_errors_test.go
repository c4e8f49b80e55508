package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"hone/go/internal/greeter"
	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/rpc"
)

// counter implements a function of the service Shop that fails in a different way for each item.
type counter struct{ api.Shop }

func (counter) Find(_ context.Context, id api.ItemID, _ *base.Context) (*api.Item, error) {
	switch id {
	case 1:
		return nil, &base.NotFound{Key: "pen"} // an exception of the IDL
	case 2:
		return nil, rpc.Errorf(rpc.PermissionDenied, "item %d is for staff", id)
	default:
		return nil, &rpc.BizStatusError{Status: 4001, Message: "sold out", Extra: map[string]string{"back": "May"}}
	}
}

// An exception that the IDL declares arrives as a value of its type.
func Example_exception() {
	server := rpc.NewServer()
	defer server.Close()
	api.RegisterShop(server, counter{})
	client := rpc.Local(server)
	defer client.Close()

	_, err := api.NewShopClient(client).Find(context.Background(), 1, nil)
	var missing *base.NotFound
	if errors.As(err, &missing) {
		fmt.Println("there is no", missing.Key)
	}
	// Output: there is no pen
}

// A handler returns an error with a code, and the caller gets the code and the text.
func ExampleErrorf() {
	server := rpc.NewServer()
	defer server.Close()
	api.RegisterShop(server, counter{})
	client := rpc.Local(server)
	defer client.Close()

	_, err := api.NewShopClient(client).Find(context.Background(), 2, nil)
	var failed *rpc.Error
	if errors.As(err, &failed) {
		fmt.Println(failed.Method, failed.Code, failed.Message)
	}
	fmt.Println(rpc.CodeOf(err) == rpc.PermissionDenied)
	// Output:
	// Shop.find PermissionDenied item 2 is for staff
	// true
}

// A handler returns an error with a number of the service's own, as services of Kitex do.
func ExampleBizStatusError() {
	server := rpc.NewServer()
	defer server.Close()
	api.RegisterShop(server, counter{})
	client := rpc.Local(server)
	defer client.Close()

	_, err := api.NewShopClient(client).Find(context.Background(), 3, nil)
	var status *rpc.BizStatusError
	if errors.As(err, &status) {
		fmt.Println(status.Status, status.Message, status.Extra["back"])
	}
	// Output: 4001 sold out May
}

// busy implements a method of the service Greeter that fails with details.
type busy struct{ greeter.UnimplementedGreeter }

func (busy) Hello(context.Context, *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return nil, rpc.Errorf(rpc.ResourceExhausted, "too many guests").WithDetails(durationpb.New(time.Minute))
}

// A handler of gRPC adds messages to an error, and the caller reads these messages.
func ExampleError_WithDetails() {
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, busy{})
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	defer client.Close()

	_, err := greeter.NewGreeterClient(client).Hello(context.Background(), new(greeter.HelloRequest))
	var failed *rpc.Error
	if errors.As(err, &failed) {
		for _, detail := range failed.DetailMessages() {
			if wait, ok := detail.(*durationpb.Duration); ok {
				fmt.Println(failed.Message, "- come back in", wait.AsDuration())
			}
		}
	}
	// Output: too many guests - come back in 1m0s
}
