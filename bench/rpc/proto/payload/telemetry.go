package payload

import (
	"fmt"

	common "hone/go/compat/proto/ours/common/v1"
	logs "hone/go/compat/proto/ours/logs/v1"
	metrics "hone/go/compat/proto/ours/metrics/v1"
	resource "hone/go/compat/proto/ours/resource/v1"
	trace "hone/go/compat/proto/ours/trace/v1"
)

const startNs = 1_790_000_000_000_000_000

func text(key, value string) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: value}}}
}

func number(key string, value int64) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: value}}}
}

func (s source) resource() *resource.Resource {
	return &resource.Resource{Attributes: []*common.KeyValue{
		text("service.name", s.word(3)), text("service.version", "1.24.3"), text("host.name", s.word(4)+"-7"), text("telemetry.sdk.language", "go"),
		text("k8s.pod.name", s.word(3)+"-"+s.hex(5)), number("process.pid", int64(s.Intn(65536))),
	}}
}

// Spans returns 40 spans of one service.
func Spans() *trace.TracesData {
	s := newSource(5)
	scope := &trace.ScopeSpans{Scope: &common.InstrumentationScope{Name: "net/http", Version: "0.62.0"}}
	id := s.bytes(16)
	for i := range 40 {
		start := startNs + uint64(i)*1_000_000
		span := &trace.Span{
			TraceId: id, SpanId: s.bytes(8), ParentSpanId: s.bytes(8), Name: "GET /" + s.word(2) + "/{id}", Kind: trace.Span_SPAN_KIND_SERVER, Flags: 1,
			StartTimeUnixNano: start, EndTimeUnixNano: start + uint64(s.Intn(5_000_000)), Status: &trace.Status{},
			Attributes: []*common.KeyValue{
				text("http.request.method", "GET"), text("url.path", "/"+s.word(2)+"/"+fmt.Sprint(s.Intn(10000))), number("http.response.status_code", 200),
				text("server.address", s.word(3)+".internal"), number("server.port", 8443), text("user_agent.original", "Mozilla/5.0 (X11; Linux x86_64)"),
			},
		}
		if i%4 == 0 {
			span.Events = []*trace.Span_Event{{TimeUnixNano: start + 1000, Name: "cache.miss", Attributes: []*common.KeyValue{text("key", s.hex(8))}}}
			span.Status = &trace.Status{Code: trace.Status_STATUS_CODE_ERROR, Message: s.words(30)}
		}
		scope.Spans = append(scope.Spans, span)
	}
	return &trace.TracesData{ResourceSpans: []*trace.ResourceSpans{{Resource: s.resource(), ScopeSpans: []*trace.ScopeSpans{scope}}}}
}

// Metrics returns sums and histograms of one service.
func Metrics() *metrics.MetricsData {
	s := newSource(6)
	scope := &metrics.ScopeMetrics{Scope: &common.InstrumentationScope{Name: "runtime"}}
	for i := range 20 {
		metric := &metrics.Metric{Name: s.word(2) + "." + s.word(3), Description: s.words(40), Unit: "ms"}
		sum := &metrics.Sum{AggregationTemporality: metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE, IsMonotonic: true}
		histogram := &metrics.Histogram{AggregationTemporality: metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA}
		for range 5 {
			attributes := []*common.KeyValue{text("route", "/"+s.word(3)), number("status", int64(200+s.Intn(5)))}
			sum.DataPoints = append(sum.DataPoints, &metrics.NumberDataPoint{Attributes: attributes, StartTimeUnixNano: startNs, TimeUnixNano: startNs + 60_000_000_000,
				Value: &metrics.NumberDataPoint_AsInt{AsInt: s.Int63n(1 << 30)}})
			point := &metrics.HistogramDataPoint{Attributes: attributes, StartTimeUnixNano: startNs, TimeUnixNano: startNs + 60_000_000_000, Count: 900, Sum: pointer(s.Float64() * 1e4)}
			for bound := range 12 {
				point.ExplicitBounds = append(point.ExplicitBounds, float64(int(5)<<bound))
				point.BucketCounts = append(point.BucketCounts, uint64(s.Intn(300)))
			}
			histogram.DataPoints = append(histogram.DataPoints, point)
		}
		if i%2 == 0 {
			metric.Data = &metrics.Metric_Sum{Sum: sum}
		} else {
			metric.Data = &metrics.Metric_Histogram{Histogram: histogram}
		}
		scope.Metrics = append(scope.Metrics, metric)
	}
	return &metrics.MetricsData{ResourceMetrics: []*metrics.ResourceMetrics{{Resource: s.resource(), ScopeMetrics: []*metrics.ScopeMetrics{scope}}}}
}

// Logs returns 30 log lines of one service.
func Logs() *logs.LogsData {
	s := newSource(7)
	scope := &logs.ScopeLogs{Scope: &common.InstrumentationScope{Name: "slog"}}
	for i := range 30 {
		scope.LogRecords = append(scope.LogRecords, &logs.LogRecord{
			TimeUnixNano: startNs + uint64(i)*7_000, ObservedTimeUnixNano: startNs + uint64(i)*7_000 + 90, SeverityNumber: logs.SeverityNumber_SEVERITY_NUMBER_INFO, SeverityText: "INFO",
			Body:       &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: s.words(120)}},
			Attributes: []*common.KeyValue{text("user", s.word(3)), number("line", int64(s.Intn(900))), text("file", s.word(3)+".go")},
			TraceId:    s.bytes(16), SpanId: s.bytes(8),
		})
	}
	return &logs.LogsData{ResourceLogs: []*logs.ResourceLogs{{Resource: s.resource(), ScopeLogs: []*logs.ScopeLogs{scope}}}}
}
