package otelrpc_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/internal/sample/talk"
	otelrpc "hone/go/otel"
	"hone/go/rpc"
	"hone/go/stream"
)

var background = context.Background()

// collected holds the spans and metrics that a program's SDK receives.
type collected struct {
	spans     *tracetest.InMemoryExporter
	provider  *sdktrace.TracerProvider
	metrics   *sdkmetric.ManualReader
	telemetry *otelrpc.Telemetry
}

func collect(sampler sdktrace.Sampler) *collected {
	c := &collected{spans: tracetest.NewInMemoryExporter(), metrics: sdkmetric.NewManualReader()}
	c.provider = sdktrace.NewTracerProvider(sdktrace.WithSyncer(c.spans), sdktrace.WithSampler(sampler))
	c.telemetry = otelrpc.New(otelrpc.Options{
		TracerProvider: c.provider,
		MeterProvider:  sdkmetric.NewMeterProvider(sdkmetric.WithReader(c.metrics)),
		Propagator:     propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}),
	})
	return c
}

// shop answers Find by calling the shop behind it, and notes the contexts of calls.
type shop struct {
	api.Shop
	behind *api.ShopClient
	seen   chan context.Context
}

func (s *shop) Find(ctx context.Context, id api.ItemID, _ *base.Context) (*api.Item, error) {
	switch id {
	case -1:
		return nil, &base.NotFound{}
	case -2:
		return nil, errors.New("the shelf fell over")
	case -3:
		return nil, rpc.Errorf(rpc.PermissionDenied, "not you")
	}
	_, err := s.behind.Alive(ctx)
	return api.NewItem(), err
}

func (s *shop) Alive(ctx context.Context) (bool, error) {
	s.seen <- ctx
	return true, nil
}

// start serves a shop, and returns a client of it.
func start(t testing.TB, wire rpc.Wire, s api.Shop, interceptors ...rpc.Interceptor) *api.ShopClient {
	t.Helper()
	address := "unix://" + filepath.Join(t.TempDir(), "s")
	listener, err := rpc.Listen(address)
	if err != nil {
		t.Fatal(err)
	}
	server, client := rpc.NewServer(), rpc.Dial(address)
	server.Interceptors, client.Interceptors, client.Wire = interceptors, interceptors, wire
	api.RegisterShop(server, s)
	go server.Serve(listener)
	t.Cleanup(func() {
		client.Close()
		server.Shutdown(background)
	})
	return api.NewShopClient(client)
}

// startTwo serves a shop that calls another one.
func startTwo(t *testing.T, wire rpc.Wire, interceptors ...rpc.Interceptor) (front *api.ShopClient, seenBehind chan context.Context) {
	behind := &shop{seen: make(chan context.Context, 100)}
	return start(t, wire, &shop{behind: start(t, wire, behind, interceptors...)}, interceptors...), behind.seen
}

// named returns the span of a function on a side.
func (c *collected) named(t *testing.T, kind trace.SpanKind, name string) tracetest.SpanStub {
	t.Helper()
	for _, span := range c.spans.GetSpans() {
		if span.SpanKind == kind && span.Name == name {
			return span
		}
	}
	t.Fatalf("there is no span %v %s among %v", kind, name, c.spans.GetSpans())
	return tracetest.SpanStub{}
}

func attributesOf(span tracetest.SpanStub) map[attribute.Key]string {
	all := map[attribute.Key]string{}
	for _, one := range span.Attributes {
		all[one.Key] = one.Value.String()
	}
	return all
}

func TestCallsOfTwoServicesAreOneTrace(t *testing.T) {
	for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.TTHeaderFramed, rpc.TTHeaderCompact} {
		c := collect(sdktrace.AlwaysSample())
		front, _ := startTwo(t, wire, c.telemetry.Intercept)
		ctx, page := c.provider.Tracer("test").Start(background, "page")
		if _, err := front.Find(ctx, 1, nil); err != nil {
			t.Fatal(err)
		}
		page.End()
		parent := page.SpanContext().SpanID()
		for _, name := range []string{"Shop/find", "Shop/alive"} {
			for _, kind := range []trace.SpanKind{trace.SpanKindClient, trace.SpanKindServer} {
				span := c.named(t, kind, name)
				if span.SpanContext.TraceID() != page.SpanContext().TraceID() || span.Parent.SpanID() != parent {
					t.Errorf("%v: the span %v %s is of trace %v and parent %v", wire, kind, name, span.SpanContext.TraceID(), span.Parent.SpanID())
				}
				if span.Parent.IsRemote() != (kind == trace.SpanKindServer) {
					t.Errorf("%v: the parent of %v %s is remote: %v", wire, kind, name, span.Parent.IsRemote())
				}
				parent = span.SpanContext.SpanID()
			}
		}
	}
}

func TestWhereAWireHasNoMetadataServersBeginTraces(t *testing.T) {
	c := collect(sdktrace.AlwaysSample())
	front, _ := startTwo(t, rpc.Framed, c.telemetry.Intercept)
	if _, err := front.Find(background, 1, nil); err != nil {
		t.Fatal(err)
	}
	if span := c.named(t, trace.SpanKindServer, "Shop/find"); span.Parent.IsValid() {
		t.Error("a parent came from nowhere:", span.Parent)
	}
	if called, answered := c.named(t, trace.SpanKindClient, "Shop/alive"), c.named(t, trace.SpanKindServer, "Shop/find"); called.Parent.SpanID() != answered.SpanContext.SpanID() {
		t.Error("the call of a handler is no child of the handler's span")
	}
}

func TestBaggageAndMetadataGoBesideATrace(t *testing.T) {
	c := collect(sdktrace.AlwaysSample())
	front, seenBehind := startTwo(t, rpc.TTHeader, c.telemetry.Intercept)
	member, _ := baggage.NewMember("customer", "kim")
	carried, _ := baggage.New(member)
	ctx := baggage.ContextWithBaggage(background, carried)
	ctx = rpc.WithMetadata(rpc.WithPropagated(ctx, "tenant", "t1"), "only-here", "x")
	if _, err := front.Find(ctx, 1, nil); err != nil {
		t.Fatal(err)
	}
	seen := <-seenBehind
	if got := baggage.FromContext(seen).Member("customer").Value(); got != "kim" {
		t.Errorf("the baggage is %q", got)
	}
	if tenant := rpc.Propagated(seen).Get("tenant"); tenant != "t1" {
		t.Errorf("the tenant is %q", tenant)
	}
	var names []string
	for _, pair := range rpc.Incoming(seen) {
		names = append(names, pair.Name)
	}
	slices.Sort(names)
	if fmt.Sprint(names) != "[baggage traceparent]" {
		t.Errorf("the metadata of the second call is %v", names)
	}
}

// OpenTelemetry for Kitex writes the fields as transient metadata, with the same names.
func TestATraceOfACallerWithAnotherLibraryGoesOn(t *testing.T) {
	c := collect(sdktrace.ParentBased(sdktrace.NeverSample()))
	client := start(t, rpc.TTHeader, &shop{seen: make(chan context.Context, 1)}, func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
		if call.Side == rpc.ServerSide {
			return c.telemetry.Intercept(ctx, call, next)
		}
		return next(rpc.WithMetadata(ctx, "traceparent", "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"))
	})
	if _, err := client.Alive(background); err != nil {
		t.Fatal(err)
	}
	if parent := c.named(t, trace.SpanKindServer, "Shop/alive").Parent; parent.SpanID().String() != "0123456789abcdef" || !parent.IsRemote() {
		t.Error(parent)
	}
}

func TestSpansTellHowCallsEnd(t *testing.T) {
	for _, test := range []struct {
		id             api.ItemID
		server, client codes.Code
		codes          [2]string
	}{
		{1, codes.Unset, codes.Unset, [2]string{"OK", "OK"}},
		{-1, codes.Unset, codes.Unset, [2]string{"OK", "OK"}},
		{-2, codes.Error, codes.Error, [2]string{"UNKNOWN", "INTERNAL"}},
		{-3, codes.Unset, codes.Error, [2]string{"PERMISSION_DENIED", "PERMISSION_DENIED"}},
	} {
		c := collect(sdktrace.AlwaysSample())
		front, _ := startTwo(t, rpc.TTHeader, c.telemetry.Intercept)
		front.Find(background, test.id, nil)
		for i, kind := range []trace.SpanKind{trace.SpanKindServer, trace.SpanKindClient} {
			span := c.named(t, kind, "Shop/find")
			want := []codes.Code{test.server, test.client}[i]
			attributes := attributesOf(span)
			if span.Status.Code != want || attributes["rpc.response.status_code"] != test.codes[i] {
				t.Errorf("find(%d): %v has the status %v and code %s", test.id, kind, span.Status, attributes["rpc.response.status_code"])
			}
			if hasType, hasEvent := attributes["error.type"] == test.codes[i], len(span.Events) == 1; hasType != (want == codes.Error) || hasEvent != hasType {
				t.Errorf("find(%d): %v has the attributes %v and events %v", test.id, kind, attributes, span.Events)
			}
			if attributes["rpc.system.name"] != "thrift" || attributes["rpc.method"] != "Shop/find" {
				t.Error(attributes)
			}
		}
	}
}

func TestSpansTellTheOtherSide(t *testing.T) {
	for target, want := range map[string]string{
		"tcp://10.0.0.1:9090":                     "10.0.0.1 9090",
		"dns:///stock.example.org:9090":           "stock.example.org 9090",
		"unix:///run/stock.sock":                  "/run/stock.sock ",
		"stock":                                   "stock ",
		"tcp://10.0.0.1:9090,tcp://10.0.0.2:9090": "tcp://10.0.0.1:9090,tcp://10.0.0.2:9090 ",
	} {
		c := collect(sdktrace.AlwaysSample())
		c.telemetry.Intercept(background, &rpc.Call{Side: rpc.ClientSide, Method: "count", Target: target}, func(context.Context) error { return nil })
		attributes := attributesOf(c.named(t, trace.SpanKindClient, "count"))
		if got := attributes["server.address"] + " " + attributes["server.port"]; got != want {
			t.Errorf("%s: %q", target, got)
		}
	}
}

func TestAPanicIsTheEndOfItsSpanAndGoesOn(t *testing.T) {
	c := collect(sdktrace.AlwaysSample())
	func() {
		defer func() {
			if recover() != "torn" {
				t.Error("the panic is gone")
			}
		}()
		c.telemetry.Intercept(background, &rpc.Call{Side: rpc.ServerSide, Method: "tear"}, func(context.Context) error { panic("torn") })
	}()
	if span := c.named(t, trace.SpanKindServer, "tear"); span.Status.Code != codes.Error || len(span.Events) != 1 {
		t.Error(span.Status, span.Events)
	}
}

func TestATraceThatIsNotSampledIsSampledNowhere(t *testing.T) {
	c := collect(sdktrace.ParentBased(sdktrace.NeverSample()))
	front, seenBehind := startTwo(t, rpc.TTHeader, c.telemetry.Intercept)
	if _, err := front.Find(background, 1, nil); err != nil {
		t.Fatal(err)
	}
	if span := trace.SpanContextFromContext(<-seenBehind); !span.IsValid() || span.IsSampled() {
		t.Error(span)
	}
	if spans := c.spans.GetSpans(); len(spans) != 0 {
		t.Error(spans)
	}
}

func TestWithoutAnSDKCallsGoTheirWay(t *testing.T) {
	front, seenBehind := startTwo(t, rpc.TTHeader, otelrpc.New(otelrpc.Options{}).Intercept)
	if _, err := front.Find(background, 1, nil); err != nil {
		t.Fatal(err)
	}
	if got := rpc.Incoming(<-seenBehind); len(got) != 0 {
		t.Error(got)
	}
}

func TestDurationsAreMeasuredByMethodAndCode(t *testing.T) {
	c := collect(sdktrace.NeverSample())
	front, _ := startTwo(t, rpc.TTHeader, c.telemetry.Intercept)
	for _, id := range []api.ItemID{1, 1, -3} {
		front.Find(background, id, nil)
	}
	var read metricdata.ResourceMetrics
	if err := c.metrics.Collect(background, &read); err != nil {
		t.Fatal(err)
	}
	counts := map[string]uint64{}
	for _, one := range read.ScopeMetrics[0].Metrics {
		if one.Unit != "s" {
			t.Error(one.Name, one.Unit)
		}
		for _, point := range one.Data.(metricdata.Histogram[float64]).DataPoints {
			method, _ := point.Attributes.Value("rpc.method")
			code, _ := point.Attributes.Value("rpc.response.status_code")
			counts[one.Name+" "+method.AsString()+" "+code.AsString()] = point.Count
		}
	}
	want := map[string]uint64{
		"rpc.client.call.duration Shop/find OK": 2, "rpc.server.call.duration Shop/find OK": 2,
		"rpc.client.call.duration Shop/alive OK": 2, "rpc.server.call.duration Shop/alive OK": 2,
		"rpc.client.call.duration Shop/find PERMISSION_DENIED": 1, "rpc.server.call.duration Shop/find PERMISSION_DENIED": 1,
	}
	if fmt.Sprint(counts) != fmt.Sprint(want) {
		t.Errorf("%v, not %v", counts, want)
	}
}

func TestTheSpanOfAClientsStreamEndsWithIt(t *testing.T) {
	c := collect(sdktrace.AlwaysSample())
	address := "unix://" + filepath.Join(t.TempDir(), "s")
	listener, err := rpc.Listen(address)
	if err != nil {
		t.Fatal(err)
	}
	server, client := rpc.NewServer(), rpc.Dial(address)
	client.Interceptors = []rpc.Interceptor{c.telemetry.Intercept}
	talk.RegisterTalk(server, talker{})
	go server.Serve(listener)
	defer server.Close()
	defer client.Close()
	chat, err := talk.NewTalkClient(client).Chat(background)
	if err != nil {
		t.Fatal(err)
	}
	if spans := c.spans.GetSpans(); len(spans) != 0 {
		t.Error("the span has ended before the stream:", spans)
	}
	chat.Send(new(talk.Words))
	if _, err := chat.Recv(); rpc.CodeOf(err) != rpc.PermissionDenied {
		t.Fatal(err)
	}
	if span := c.named(t, trace.SpanKindClient, "Talk/chat"); attributesOf(span)["rpc.response.status_code"] != "PERMISSION_DENIED" || span.Status.Code != codes.Error {
		t.Error(span.Status, span.Attributes)
	}
}

// talker refuses to talk.
type talker struct{ talk.Talk }

func (talker) Chat(s stream.BidiStreamingServer[talk.Words, talk.Words]) error {
	s.Recv()
	return rpc.Errorf(rpc.PermissionDenied, "not you")
}
