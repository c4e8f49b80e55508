package otelrpc_test

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"hone/go/internal/sample/shop/api"
	otelrpc "hone/go/otel"
	"hone/go/rpc"
)

// setups are the telemetry set-ups of a program, from the cheapest on.
var setups = []struct {
	name      string
	telemetry func() *otelrpc.Telemetry
}{
	{"no SDK", func() *otelrpc.Telemetry { return otelrpc.New(otelrpc.Options{}) }},
	{"sampled out", func() *otelrpc.Telemetry { return withSDK(sdktrace.NeverSample()) }},
	{"sampled", func() *otelrpc.Telemetry { return withSDK(sdktrace.AlwaysSample()) }},
}

// withSDK returns telemetry with an SDK that exports nothing, since the cost of an exporter is its own.
func withSDK(sampler sdktrace.Sampler) *otelrpc.Telemetry {
	return otelrpc.New(otelrpc.Options{
		TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSampler(sampler)),
		MeterProvider:  sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader())),
		Propagator:     propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}),
	})
}

// BenchmarkIntercept measures the time that the interceptor of one side adds to a call.
func BenchmarkIntercept(b *testing.B) {
	for _, setup := range setups {
		for _, side := range []rpc.Side{rpc.ClientSide, rpc.ServerSide} {
			b.Run(setup.name+"/"+side.String(), func(b *testing.B) {
				telemetry := setup.telemetry()
				call := &rpc.Call{Side: side, Service: "Shop", Method: "alive", Target: "tcp://10.0.0.1:9090"}
				next := func(context.Context) error { return nil }
				b.ReportAllocs()
				for b.Loop() {
					telemetry.Intercept(background, call, next)
				}
			})
		}
	}
}

// BenchmarkCall measures a whole call, by one caller, with the interceptor on both sides.
func BenchmarkCall(b *testing.B) {
	call := func(b *testing.B, interceptors ...rpc.Interceptor) {
		client := start(b, rpc.TTHeader, new(idleShop), interceptors...)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := client.Alive(background); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("without", func(b *testing.B) { call(b) })
	for _, setup := range setups {
		b.Run(setup.name, func(b *testing.B) { call(b, setup.telemetry().Intercept) })
	}
}

type idleShop struct{ api.Shop }

func (idleShop) Alive(context.Context) (bool, error) { return true, nil }
