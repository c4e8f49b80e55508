package metrics_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"

	"hone/go/internal/greeter"
	"hone/go/rpc"
	"hone/go/rpc/metrics"
)

// welcome implements a method of the service Greeter.
type welcome struct{ greeter.UnimplementedGreeter }

func (welcome) Hello(_ context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	if request.Name == "" {
		return nil, rpc.Errorf(rpc.InvalidArgument, "who are you?")
	}
	return &greeter.HelloReply{Text: "welcome, " + request.Name}, nil
}

// A page shows the calls of a server, and its path /metrics has the same numbers for Prometheus.
func ExampleCalls_Page() {
	calls := metrics.New()
	server := rpc.NewServer()
	defer server.Close()
	server.Interceptors = []rpc.Interceptor{calls.Intercept}
	greeter.RegisterGreeter(server, welcome{})
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	defer client.Close()
	for _, name := range []string{"Ada", "Grace", ""} {
		greeter.NewGreeterClient(client).Hello(context.Background(), &greeter.HelloRequest{Name: name})
	}

	page := calls.Page() // go http.ListenAndServe("127.0.0.1:8080", calls.Page())
	answer := httptest.NewRecorder()
	page.ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(answer.Body.String()) {
		if strings.Contains(line, "_count{") {
			fmt.Print(line)
		}
	}
	// Output:
	// rpc_server_call_duration_seconds_count{service="hone.greeter.v1.Greeter",method="Hello",code="OK"} 2
	// rpc_server_call_duration_seconds_count{service="hone.greeter.v1.Greeter",method="Hello",code="InvalidArgument"} 1
}
