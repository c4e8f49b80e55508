package rpc_test

import (
	"context"
	"maps"
	"runtime"
	"runtime/pprof"
	"testing"
	"time"

	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
)

// workersAndReader are a wire over which workers answer, and one over which the goroutine that reads the connection does.
var workersAndReader = []rpc.Wire{rpc.TTHeader, rpc.Framed}

// around makes a server run something around the handler of each call.
func around(run func(ctx context.Context, method string)) change {
	return func(server *rpc.Server, _ *rpc.Client) {
		server.Interceptors = []rpc.Interceptor{func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
			run(ctx, call.Method)
			return next(ctx)
		}}
	}
}

//go:noinline
func burnHere() int { return burn() }

//go:noinline
func burnElsewhere() int { return burn() }

// burn takes some milliseconds of CPU time.
//
//go:noinline
func burn() (sum int) {
	for i := range 5_000_000 {
		sum += i * i % 7
	}
	return sum
}

// labelsOf returns the labels that calls of a function of the sample's service have.
func labelsOf(method string) map[string]string {
	return map[string]string{"service": "Shop", "method": method}
}

func TestACPUProfileTellsFunctionsOfAServiceApart(t *testing.T) {
	if testing.Short() {
		t.Skip("finds by samples")
	}
	work := around(func(_ context.Context, method string) {
		if method == "find" {
			burnHere()
			return
		}
		done := make(chan int)
		go func() { done <- burnElsewhere() }()
		<-done
	})
	for _, wire := range workersAndReader {
		s := set(t, "unix", wire, work)
		seen := map[string]bool{}
		calls := func() {
			for range 10 {
				_, findErr := s.shopper.Find(background, 1, nil)
				_, aliveErr := s.shopper.Alive(background)
				if findErr != nil || aliveErr != nil {
					t.Fatal(findErr, aliveErr)
				}
			}
		}
		// On a busy machine each profile may have few samples.
		for ends := time.Now().Add(testPatience); len(seen) < 2 && time.Now().Before(ends); {
			for _, one := range cpuProfile(t, calls) {
				for function, method := range map[string]string{".burnHere": "find", ".burnElsewhere": "alive"} {
					if !one.passes(function) {
						continue
					}
					seen[function] = true
					if !maps.Equal(one.labels, labelsOf(method)) {
						t.Fatalf("%v: work of %s has the labels %v", wire, method, one.labels)
					}
				}
			}
		}
		if len(seen) < 2 {
			t.Errorf("%v: the profiles have samples only of %v", wire, seen)
		}
	}
}

// awaitNoLabels waits until no goroutine has labels: goroutines that are still ending may have some for a while.
func awaitNoLabels(t *testing.T) {
	t.Helper()
	var labelled []sample
	for ends := time.Now().Add(testPatience); time.Now().Before(ends); runtime.Gosched() {
		labelled = nil
		for _, one := range goroutines(t) {
			if len(one.labels) > 0 {
				labelled = append(labelled, one)
			}
		}
		if len(labelled) == 0 {
			return
		}
	}
	t.Errorf("goroutines that work on no call have labels: %v", labelled)
}

func TestNoGoroutineKeepsTheLabelsOfACallThatHasEnded(t *testing.T) {
	for _, wire := range workersAndReader {
		other := set(t, "unix", wire)
		// The first call of a client starts goroutines that stay: they open its connection and look for addresses.
		s := set(t, "unix", wire, around(func(ctx context.Context, method string) {
			if _, err := other.shopper.Alive(ctx); err != nil {
				t.Error(err)
			}
		}))
		for _, size := range []api.ItemID{1, 1 << 20} {
			if _, err := s.shopper.Find(background, size, nil); err != nil {
				t.Fatal(err)
			}
		}
		s.shopper.Find(background, -5, nil) // the handler panics
		awaitNoLabels(t)
	}
}

func TestLabelsOfAHandlersOwnStandBesideThoseOfItsCall(t *testing.T) {
	wanted := labelsOf("alive")
	wanted["customer"] = "kim"
	s := set(t, "unix", rpc.TTHeader, around(func(ctx context.Context, method string) {
		pprof.Do(ctx, pprof.Labels("customer", "kim"), func(context.Context) { expectLabels(t, wanted) })
		expectLabels(t, labelsOf("alive"))
	}))
	if _, err := s.shopper.Alive(background); err != nil {
		t.Fatal(err)
	}
}

// expectLabels looks for the labels of the goroutine that calls it.
func expectLabels(t *testing.T, wanted map[string]string) {
	for _, one := range goroutines(t) {
		if one.passes(".expectLabels") && !maps.Equal(one.labels, wanted) {
			t.Errorf("the labels are %v, not %v", one.labels, wanted)
		}
	}
}

// BenchmarkLabels measures the cost of labels for a call that is answered: they are set and taken away when it is read, and when it is handled.
func BenchmarkLabels(b *testing.B) {
	labels, none := pprof.WithLabels(background, pprof.Labels("service", "Shop", "method", "alive")), background
	b.ReportAllocs()
	for b.Loop() {
		for range 2 {
			pprof.SetGoroutineLabels(labels)
			pprof.SetGoroutineLabels(none)
		}
	}
}
