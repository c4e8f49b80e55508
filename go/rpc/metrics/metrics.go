// Package metrics counts calls, for Prometheus and for programs that read its format.
//
//	calls := metrics.New()
//	server.Interceptors = append(server.Interceptors, calls.Intercept)
//	http.Handle("/metrics", calls)
//
// For each service, function and code there is a histogram of durations, rpc_server_call_duration_seconds or
// rpc_client_call_duration_seconds. Its count is the number of calls. For each side there is a gauge of calls under way. Calls that
// a fallback has answered have the code of the error that the fallback replaced, and the label fallback. Names follow
// OpenTelemetry's semantic conventions for RPC (https://opentelemetry.io/docs/specs/semconv/rpc/rpc-metrics/).
package metrics

import (
	"context"
	"sync/atomic"
	"time"

	"hone/go/rpc"
)

// Bounds are the upper bounds of the histograms' buckets. The last bucket has no bound.
var Bounds = [...]time.Duration{
	100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond,
	time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond,
	10 * time.Millisecond, 25 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2500 * time.Millisecond, 5 * time.Second, 10 * time.Second,
}

// Calls counts calls. Several goroutines may use it, and several servers and clients may share it.
type Calls struct {
	underWay [2]atomic.Int64
	series   *Series[histogram]
}

// histogram has buckets that are not cumulative.
type histogram struct {
	buckets [len(Bounds) + 1]atomic.Uint64
	sumNs   atomic.Int64
	// underWay is the counter of the calls' side. A call that is counted here leaves it.
	underWay *atomic.Int64
}

// New makes Calls that have counted nothing yet.
func New() *Calls {
	c := new(Calls)
	c.series = NewSeries(func(k Key) *histogram { return &histogram{underWay: &c.underWay[k.Side]} })
	return c
}

// Intercept is the [rpc.Interceptor] that counts the calls of its side.
func (c *Calls) Intercept(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
	c.underWay[call.Side].Add(1)
	return c.series.Observe(ctx, call, next, (*histogram).observe)
}

func (h *histogram) observe(took time.Duration) {
	bucket := 0
	for bucket < len(Bounds) && took > Bounds[bucket] {
		bucket++
	}
	h.buckets[bucket].Add(1)
	h.sumNs.Add(int64(took))
	h.underWay.Add(-1)
}
