// Package otelrpc makes spans of calls and measures them, by the API of OpenTelemetry. The SDK that the program sets up decides what happens to the
// spans and measurements. Without an SDK they are dropped, and cost little.
//
//	otel.SetTracerProvider(provider) // of the SDK, with an exporter
//	otel.SetTextMapPropagator(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}))
//
//	telemetry := otelrpc.New(otelrpc.Options{})
//	server.Interceptors = append(server.Interceptors, telemetry.Intercept)
//	client.Interceptors = append(client.Interceptors, telemetry.Intercept)
//
// A call has a span of the client and one of the server, both named SERVICE/METHOD. The server's is a child of the client's, which is a child of the
// span in the caller's context: a handler passes its context on to the calls that it makes. A client's span covers all attempts of a call, and a
// stream as a whole. The propagator's fields, such as traceparent and baggage, are metadata for one hop, as in OpenTelemetry for Kitex; wires without
// metadata do not carry them, and the server's spans are then roots.
//
// Attributes and metrics follow the semantic conventions for RPC (https://opentelemetry.io/docs/specs/semconv/rpc/) in the version of
// [semconv.SchemaURL]. Exceptions that the IDL declares are answers, not errors. Where there are more than 10,000 functions and codes, further
// ones are called other/other.
//
// It is a module of its own, so that programs without OpenTelemetry do not have its dependencies.
package otelrpc

import (
	"cmp"
	"context"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/semconv/v1.43.0/rpcconv"
	"go.opentelemetry.io/otel/trace"

	"hone/go/rpc"
	"hone/go/rpc/metrics"
)

// Options say where spans and measurements go. A nil field means the global one of package go.opentelemetry.io/otel.
type Options struct {
	TracerProvider trace.TracerProvider
	MeterProvider  metric.MeterProvider
	// Propagator writes a call's context into its metadata, and reads it from there.
	Propagator propagation.TextMapPropagator
}

// Telemetry makes spans of calls and measures them. Several goroutines may use it, and several servers and clients share it.
type Telemetry struct {
	tracer     trace.Tracer
	propagator propagation.TextMapPropagator
	// durations are the histograms of seconds, by side.
	durations [2]metric.Float64Histogram
	// systems holds the attributes of calls, which are made in advance, by the name of the RPC system.
	systems map[string]*metrics.Series[series]
}

// scope is the name of the instrumentation that makes spans and metrics.
const scope = "hone/go/otel"

// New uses the providers that are set at the time of the call. The error of an instrument goes to OpenTelemetry's error handler.
func New(options Options) *Telemetry {
	if options.TracerProvider == nil {
		options.TracerProvider = otel.GetTracerProvider()
	}
	if options.MeterProvider == nil {
		options.MeterProvider = otel.GetMeterProvider()
	}
	if options.Propagator == nil {
		options.Propagator = otel.GetTextMapPropagator()
	}
	meter := options.MeterProvider.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL))
	made, err := rpcconv.NewClientCallDuration(meter)
	if err != nil {
		otel.Handle(err)
	}
	taken, err := rpcconv.NewServerCallDuration(meter)
	if err != nil {
		otel.Handle(err)
	}
	return &Telemetry{
		tracer:     options.TracerProvider.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL)),
		propagator: options.Propagator,
		durations:  [...]metric.Float64Histogram{rpc.ClientSide: made.Inst(), rpc.ServerSide: taken.Inst()},
		systems:    map[string]*metrics.Series[series]{"thrift": newSeries("thrift"), "grpc": newSeries("grpc")},
	}
}

// Intercept is the [rpc.Interceptor] for servers and clients. Put it first among the interceptors, so that it covers the others.
func (t *Telemetry) Intercept(ctx context.Context, call *rpc.Call, next func(context.Context) error) (err error) {
	if call.Side == rpc.ClientSide && call.Stream != nil {
		return t.openStream(ctx, call, next)
	}
	began := time.Now()
	ctx, span := t.begin(ctx, call)
	// End records a panic, which is not handled here, as an event.
	defer span.End()
	code := rpc.Internal
	defer func() { t.tell(ctx, call, span, began, code, err) }()
	err = next(ctx)
	code = rpc.CodeOf(err)
	return err
}

// openStream is like Intercept, for a client's stream. The span ends with the stream.
func (t *Telemetry) openStream(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
	began := time.Now()
	ctx, span := t.begin(ctx, call)
	end := func(err error) {
		t.tell(ctx, call, span, began, rpc.CodeOf(err), err)
		span.End()
	}
	err := next(ctx)
	if err != nil || !call.OnStreamEnd(end) {
		end(err)
	}
	return err
}

// tell measures a call, and writes its result into its span.
func (t *Telemetry) tell(ctx context.Context, call *rpc.Call, span trace.Span, began time.Time, code rpc.Code, err error) {
	known := t.series(call, code)
	if histogram := t.durations[call.Side]; histogram.Enabled(ctx) {
		histogram.Record(ctx, time.Since(began).Seconds(), known.record...)
	}
	known.end(span, cmp.Or(err, call.FallbackFor))
}

// begin starts the span of a call. It returns the context to send the call with (client) or to handle it with (server).
func (t *Telemetry) begin(ctx context.Context, call *rpc.Call) (context.Context, trace.Span) {
	known := t.series(call, rpc.OK)
	if call.Side == rpc.ServerSide {
		ctx = t.propagator.Extract(ctx, &carrier{ctx})
	}
	ctx, span := t.tracer.Start(ctx, known.name, known.start...)
	if span.IsRecording() {
		span.SetAttributes(otherSide(call)...)
	}
	if call.Side == rpc.ClientSide {
		sent := &carrier{ctx}
		t.propagator.Inject(ctx, sent)
		ctx = sent.ctx
	}
	return ctx, span
}

func (t *Telemetry) series(call *rpc.Call, code rpc.Code) *series {
	return t.systems[call.Wire.System()].Of(metrics.KeyOf(call, code))
}
