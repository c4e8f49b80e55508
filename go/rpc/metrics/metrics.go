// Package metrics counts calls, and tells them to Prometheus and to what reads its format.
//
//	calls := metrics.New()
//	server.Interceptors = append(server.Interceptors, calls.Intercept)
//	http.Handle("/metrics", calls)
//
// For each service, function and code there is a histogram of durations, rpc_server_call_duration_seconds or
// rpc_client_call_duration_seconds, whose count is the number of calls; and for each side a gauge of calls under way. Calls that a fallback has answered
// have the code of the error that it stood in for, and the label fallback. Names follow
// OpenTelemetry's semantic conventions for RPC (https://opentelemetry.io/docs/specs/semconv/rpc/rpc-metrics/).
package metrics

import (
	"context"
	"sync/atomic"
	"time"

	"hone/go/rpc"
)

// Bounds are the upper bounds of the histograms' buckets. The last bucket has none.
var Bounds = [...]time.Duration{
	100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond,
	time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond,
	10 * time.Millisecond, 25 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2500 * time.Millisecond, 5 * time.Second, 10 * time.Second,
}

// Calls counts calls. Several goroutines may use it, and several servers and clients share it.
type Calls struct {
	underWay [2]atomic.Int64
	series   *Series[histogram]
}

// histogram has buckets that are not cumulative.
type histogram struct {
	buckets [len(Bounds) + 1]atomic.Uint64
	sumNs   atomic.Int64
	// underWay is that of the calls' side, which a call leaves as it is counted here.
	underWay *atomic.Int64
}

// New counts nothing yet.
func New() *Calls {
	c := new(Calls)
	c.series = NewSeries(func(k Key) *histogram { return &histogram{underWay: &c.underWay[k.Side]} })
	return c
}

// Intercept is the [rpc.Interceptor] that counts calls of the side that it stands on.
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
