package agent_test

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"

	agentclient "hone/clients/go"

	"hone/go/agent"
	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// measured implements a method of the service Greeter.
type measured struct{ greeter.UnimplementedGreeter }

func (measured) Hello(_ context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Text: "Hello, " + request.Name}, nil
}

// A server sends the durations of its calls to hone-agent; a socket of this program takes the agent's place.
func ExampleNew() {
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "agent.sock")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		log.Fatal(err)
	}
	defer socket.Close()

	metrics, err := agentclient.New(agentclient.Config{Address: "unixgram:" + path})
	if err != nil {
		log.Fatal(err)
	}
	server := rpc.NewServer()
	defer server.Close()
	server.Interceptors = []rpc.Interceptor{agent.New(metrics).Intercept}
	greeter.RegisterGreeter(server, measured{})
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	defer client.Close()
	reply, err := greeter.NewGreeterClient(client).Hello(context.Background(), &greeter.HelloRequest{Name: "Ada"})
	fmt.Println(reply.GetText(), err)

	metrics.Close() // sends what has been gathered
	counts := metrics.Counts()
	fmt.Println("given", counts.Given, "sent", counts.Sent)
	// Output:
	// Hello, Ada <nil>
	// given 1 sent 1
}
