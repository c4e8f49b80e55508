package metrics_test

import (
	"context"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"hone/go/rpc"
	"hone/go/rpc/metrics"
)

func intercept(calls *metrics.Calls, side rpc.Side, method string, err error) {
	call := &rpc.Call{Side: side, Service: "Shop", Method: method}
	calls.Intercept(context.Background(), call, func(context.Context) error { return err })
}

func TestPrometheusSeesCallsByServiceMethodAndCode(t *testing.T) {
	calls := metrics.New()
	intercept(calls, rpc.ServerSide, "find", nil)
	intercept(calls, rpc.ServerSide, "find", nil)
	intercept(calls, rpc.ServerSide, "find", rpc.Errorf(rpc.NotFound, "no"))
	intercept(calls, rpc.ClientSide, "or\"der\n", nil)
	answer := httptest.NewRecorder()
	calls.ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	text := answer.Body.String()
	for _, want := range []string{
		`rpc_server_call_duration_seconds_count{service="Shop",method="find",code="OK"} 2`,
		`rpc_server_call_duration_seconds_bucket{service="Shop",method="find",code="OK",le="+Inf"} 2`,
		`rpc_server_call_duration_seconds_count{service="Shop",method="find",code="NotFound"} 1`,
		`rpc_client_call_duration_seconds_count{service="Shop",method="or\"der?",code="OK"} 1`,
		`rpc_server_calls_under_way 0`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %s in\n%s", want, text)
		}
	}
	line := regexp.MustCompile(`^(# (HELP|TYPE) \S+ .+|[a-z_]+(\{([a-z]+="([^"\\]|\\.)*",?)+\})? [0-9.e+-]+)$`)
	for _, one := range strings.Split(strings.TrimSpace(text), "\n") {
		if !line.MatchString(one) {
			t.Errorf("%q is no line of the format", one)
		}
	}
}

func TestAPanicIsCountedAndGoesOn(t *testing.T) {
	calls := metrics.New()
	func() {
		defer func() {
			if recover() != "torn" {
				t.Error("the panic is gone")
			}
		}()
		calls.Intercept(context.Background(), &rpc.Call{Side: rpc.ServerSide}, func(context.Context) error { panic("torn") })
	}()
	var text strings.Builder
	calls.Write(&text)
	if !strings.Contains(text.String(), `code="Internal"} 1`) || !strings.Contains(text.String(), "rpc_server_calls_under_way 0") {
		t.Fatal(text.String())
	}
}

func TestNamesThatCallersMakeUpDoNotGrowMemoryWithoutEnd(t *testing.T) {
	calls := metrics.New()
	var all sync.WaitGroup
	for worker := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range 5000 {
				intercept(calls, rpc.ServerSide, strings.Repeat("x", worker+1)+string(rune('a'+i%26))+strings.Repeat("y", i/26), nil)
			}
		}()
	}
	all.Wait()
	var text strings.Builder
	calls.Write(&text)
	if lines := strings.Count(text.String(), "_count{"); lines > 10_010 || !strings.Contains(text.String(), `service="other"`) {
		t.Fatal(lines)
	}
}

func TestACallIsCountedWithoutAnAllocation(t *testing.T) {
	calls := metrics.New()
	call := &rpc.Call{Side: rpc.ServerSide, Service: "Shop", Method: "find"}
	next := func(context.Context) error { return nil }
	if n := testing.AllocsPerRun(100, func() { calls.Intercept(context.Background(), call, next) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestCallsOfAKeyAreCountedTogetherHoweverManyCountAtOnce(t *testing.T) {
	series := metrics.NewSeries(func(metrics.Key) *atomic.Int64 { return new(atomic.Int64) })
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range 3000 {
				series.Of(metrics.Key{Method: strconv.Itoa(i % 100)}).Add(1)
			}
		}()
	}
	all.Wait()
	counts := series.All()
	for key, count := range counts {
		if count.Load() != 120 {
			t.Errorf("%v was counted %d times, not 120", key, count.Load())
		}
	}
	if len(counts) != 100 {
		t.Errorf("%d keys, not 100", len(counts))
	}
}

func BenchmarkIntercept(b *testing.B) {
	calls := metrics.New()
	call := &rpc.Call{Side: rpc.ServerSide, Service: "Shop", Method: "find"}
	next := func(context.Context) error { return nil }
	b.ReportAllocs()
	for b.Loop() {
		calls.Intercept(context.Background(), call, next)
	}
}
