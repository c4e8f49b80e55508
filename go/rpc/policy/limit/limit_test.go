package limit

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const ms = time.Millisecond

func rate(t testing.TB, perSecond float64, burst int) *Rate {
	t.Helper()
	r, err := NewRate(perSecond, burst)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// In every stretch of time t that begins with a call that was let in, at most burst + rate*t calls are let in.
func TestARateLimitLetsInBurstPlusRateTimesTimeInEveryStretch(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		perSecond, burst := math.Pow(10, 4*r.Float64()), 1+r.IntN(20)
		limit, now := rate(t, perSecond, burst), time.Duration(0)
		var let []time.Duration
		asked := 0
		for len(let) < 500 {
			now += time.Duration(r.ExpFloat64() * float64(time.Second) / perSecond / 2)
			if r.IntN(100) == 0 {
				now += time.Duration(10 * float64(time.Second) / perSecond)
			}
			asked++
			if limit.Allow(now) {
				let = append(let, now)
			}
		}
		for i := range let {
			for j := i; j < len(let); j++ {
				if most := float64(burst) + perSecond*(let[j]-let[i]).Seconds() + 1e-6; float64(j-i+1) > most {
					t.Fatalf("%v per second, burst %d: %d let in within %v", perSecond, burst, j-i+1, let[j]-let[i])
				}
			}
		}
		if least := 0.5 * perSecond * now.Seconds(); float64(len(let)) < least {
			t.Errorf("%v per second, burst %d: %d of %d let in within %v", perSecond, burst, len(let), asked, now)
		}
	}
}

func TestGoroutinesTogetherDoNotExceedARate(t *testing.T) {
	limit := rate(t, 1000, 50)
	var let atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range 10_000 {
				if limit.Allow(time.Duration(i) * 100 * time.Microsecond) {
					let.Add(1)
				}
			}
		}()
	}
	all.Wait()
	if n := let.Load(); n > 1050 || n < 1000 {
		t.Fatal(n)
	}
}

func TestAConcurrencyLimitIsFullExactlyAtItsLimit(t *testing.T) {
	limit, err := NewConcurrency(7)
	if err != nil {
		t.Fatal(err)
	}
	var highest, let, active atomic.Int64
	var all sync.WaitGroup
	for range 16 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 5_000 {
				if !limit.Acquire() {
					continue
				}
				let.Add(1)
				n := active.Add(1)
				for old := highest.Load(); n > old && !highest.CompareAndSwap(old, n); old = highest.Load() {
				}
				active.Add(-1)
				limit.Release()
			}
		}()
	}
	all.Wait()
	if highest.Load() > 7 || let.Load() < 7 || limit.Active() != 0 {
		t.Fatal(highest.Load(), let.Load(), limit.Active())
	}
	for i := range 8 {
		if limit.Acquire() != (i < 7) {
			t.Fatal(i)
		}
	}
	limit.Set(3)
	for range 5 {
		limit.Release()
	}
	if !limit.Acquire() || limit.Acquire() {
		t.Fatal("a lower limit does not count what was there before")
	}
}

func TestWrongLimitsAreRefused(t *testing.T) {
	for _, r := range []struct {
		perSecond float64
		burst     int
	}{{0, 1}, {math.NaN(), 1}, {math.Inf(1), 1}, {1, 0}, {0.001, math.MaxInt}} {
		if _, err := NewRate(r.perSecond, r.burst); err == nil {
			t.Errorf("%+v passes", r)
		}
	}
	if _, err := NewConcurrency(0); err == nil {
		t.Error("a limit of 0 passes")
	}
	for _, o := range []AdaptiveOptions{{Min: -1}, {Min: 10, Initial: 5}, {Initial: 50, Max: 20}, {Tolerance: 0.5}, {Smoothing: 2},
		{Smoothing: math.NaN()}, {Window: -1}, {WindowCalls: -1}, {ProbeWindows: -1}} {
		if _, err := NewAdaptive(o); err == nil {
			t.Errorf("%+v passes", o)
		}
	}
}

func TestLimitsAllocateNothing(t *testing.T) {
	r, a := rate(t, 1000, 10), adaptive(t, AdaptiveOptions{WindowCalls: 1, Window: 1})
	now := time.Duration(0)
	if allocations := testing.AllocsPerRun(1000, func() {
		now += ms
		r.Allow(now)
		a.Acquire()
		a.Release(now, ms, Answered)
	}); allocations != 0 {
		t.Fatal(allocations)
	}
}

func BenchmarkRate(b *testing.B) {
	r := rate(b, 1e7, 10)
	b.ReportAllocs()
	for i := range b.N {
		r.Allow(time.Duration(i) * 100)
	}
}

func BenchmarkConcurrency(b *testing.B) {
	c, _ := NewConcurrency(10)
	b.ReportAllocs()
	for range b.N {
		c.Acquire()
		c.Release()
	}
}

func BenchmarkAdaptive(b *testing.B) {
	a := adaptive(b, AdaptiveOptions{})
	b.ReportAllocs()
	for i := range b.N {
		a.Acquire()
		a.Release(time.Duration(i)*100, ms, Answered)
	}
}
