// Package otelrpc makes spans of calls and measures them, by the API of OpenTelemetry: what comes of them is up to the SDK that the program
// sets up. Without an SDK nothing comes of them, and they cost little.
//
//	otel.SetTracerProvider(provider) // of the SDK, with an exporter
//	otel.SetTextMapPropagator(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}))
//
//	telemetry := otelrpc.New(otelrpc.Options{})
//	server.Interceptors = append(server.Interceptors, telemetry.Intercept)
//	client.Interceptors = append(client.Interceptors, telemetry.Intercept)
//
// A call is a span of the client and one of the server, both named SERVICE/METHOD. The server's is a child of the client's, which is one of
// what the caller's context is in: a handler passes its context on to the calls that it makes. A client's span is over all attempts of a
// call, and over a stream as a whole. The propagator's fields, such as traceparent and baggage, are metadata for one hop, as OpenTelemetry for Kitex has them; wires
// without metadata do not carry them, and the server's spans are roots then.
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

// Options say where spans and measurements go. What is nil is the one that package go.opentelemetry.io/otel has for the whole program.
type Options struct {
	TracerProvider trace.TracerProvider
	MeterProvider  metric.MeterProvider
	// Propagator writes a call's context into its metadata, and reads it there.
	Propagator propagation.TextMapPropagator
}

// Telemetry makes spans of calls and measures them. Several goroutines may use it, and several servers and clients share it.
type Telemetry struct {
	tracer     trace.Tracer
	propagator propagation.TextMapPropagator
	// durations are histograms of seconds, by side.
	durations [2]metric.Float64Histogram
	// What is known of calls beforehand, by what speaks them.
	thrift, grpc *metrics.Series[series]
}

// scope is the name of what made a span.
const scope = "hone/go/otel"

// New takes the providers that there are now. The error of an instrument goes to OpenTelemetry's handler of errors.
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
		thrift:     newSeries("thrift"),
		grpc:       newSeries(string(rpcconv.SystemNameGRPC)),
	}
}

// Intercept is the [rpc.Interceptor] for servers and clients. It stands first among them, so that it sees what the others do.
func (t *Telemetry) Intercept(ctx context.Context, call *rpc.Call, next func(context.Context) error) (err error) {
	if call.Side == rpc.ClientSide && call.Stream != nil {
		return t.openStream(ctx, call, next)
	}
	began := time.Now()
	ctx, span := t.begin(ctx, call)
	// Of a panic, which is none of ours, End makes an event.
	defer span.End()
	code := rpc.Internal
	defer func() { t.tell(ctx, call, span, began, code, err) }()
	err = next(ctx)
	code = rpc.CodeOf(err)
	return err
}

// openStream is Intercept for a client's stream, whose span ends with it.
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

// tell measures a call, and says in its span how it ended.
func (t *Telemetry) tell(ctx context.Context, call *rpc.Call, span trace.Span, began time.Time, code rpc.Code, err error) {
	known := t.series(call, code)
	if histogram := t.durations[call.Side]; histogram.Enabled(ctx) {
		histogram.Record(ctx, time.Since(began).Seconds(), known.record...)
	}
	known.end(span, cmp.Or(err, call.FallbackFor))
}

// begin begins the span of a call. The context is for what the call does: on the client to be sent, on the server to be handled.
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
	if call.Wire == rpc.GRPC {
		return t.grpc.Of(metrics.KeyOf(call, code))
	}
	return t.thrift.Of(metrics.KeyOf(call, code))
}
