package otelrpc_test

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"hone/go/internal/greeter"
	otelrpc "hone/go/otel"
	"hone/go/rpc"
)

// traced implements a method of the service Greeter.
type traced struct{ greeter.UnimplementedGreeter }

func (traced) Hello(_ context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Text: "Hello, " + request.Name}, nil
}

// A call has a span of the client and, as its child, one of the server.
func ExampleNew() {
	spans := tracetest.NewInMemoryExporter() // a program has an exporter to its collector
	telemetry := otelrpc.New(otelrpc.Options{
		TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)),
		Propagator:     propagation.TraceContext{},
	})
	server := rpc.NewServer()
	defer server.Close()
	server.Interceptors = []rpc.Interceptor{telemetry.Intercept}
	greeter.RegisterGreeter(server, traced{})
	client := rpc.Local(server)
	client.Wire, client.Interceptors = rpc.GRPC, []rpc.Interceptor{telemetry.Intercept}
	defer client.Close()

	reply, err := greeter.NewGreeterClient(client).Hello(context.Background(), &greeter.HelloRequest{Name: "Ada"})
	fmt.Println(reply.GetText(), err)
	ended := spans.GetSpans() // the server's span ends first
	fmt.Println(ended[0].SpanKind, ended[0].Name)
	fmt.Println(ended[1].SpanKind, ended[1].Name)
	fmt.Println("parent and child:", ended[0].Parent.SpanID() == ended[1].SpanContext.SpanID())
	// Output:
	// Hello, Ada <nil>
	// server hone.greeter.v1.Greeter/Hello
	// client hone.greeter.v1.Greeter/Hello
	// parent and child: true
}
