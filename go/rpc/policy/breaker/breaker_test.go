package breaker

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const ms = time.Millisecond

func breakerOf(t testing.TB, options Options) *Breaker {
	t.Helper()
	b, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func throttle(t testing.TB, options ThrottleOptions) *Throttle {
	t.Helper()
	throttle, err := NewThrottle(options)
	if err != nil {
		t.Fatal(err)
	}
	return throttle
}

// The state machine as a table. Each row is a list of steps: at a time, so many calls of an outcome, of which so many are let pass, and
// the state after them.
func TestABreakerGoesThroughItsStates(t *testing.T) {
	type step struct {
		at            time.Duration
		calls, passed int
		outcome       Outcome
		state         State
	}
	options := Options{Window: time.Second, FailureRatio: 0.5, MinCalls: 10, OpenFor: time.Second, MaxOpenFor: 3 * time.Second, Probes: 2}
	byRun := Options{FailureRatio: -1, Consecutive: 3, OpenFor: time.Second, Probes: 1}
	for name, row := range map[string]struct {
		options Options
		steps   []step
	}{
		"few calls say nothing":   {options, []step{{0, 9, 9, Failure, Closed}, {0, 1, 1, Failure, Open}, {0, 5, 0, Success, Open}}},
		"a ratio below the limit": {options, []step{{0, 20, 20, Success, Closed}, {0, 19, 19, Failure, Closed}, {0, 1, 1, Failure, Open}}},
		"old failures leave":      {options, []step{{0, 9, 9, Failure, Closed}, {1100 * ms, 9, 9, Failure, Closed}, {1200 * ms, 1, 1, Failure, Open}}},
		"probes close it": {options, []step{{0, 99, 10, Failure, Open}, {999 * ms, 9, 0, Success, Open}, {1000 * ms, 1, 1, Success, HalfOpen},
			{1000 * ms, 1, 1, Success, Closed}, {1001 * ms, 9, 9, Failure, Closed}}},
		"a probe opens it": {options, []step{{0, 99, 10, Failure, Open}, {1000 * ms, 1, 1, Success, HalfOpen}, {1000 * ms, 1, 1, Failure, Open},
			{2999 * ms, 1, 0, Success, Open}, {3000 * ms, 1, 1, Failure, Open}, {5999 * ms, 1, 0, Success, Open}, {6000 * ms, 2, 2, Success, Closed}}},
		"a row of failures": {byRun, []step{{0, 2, 2, Failure, Closed}, {0, 1, 1, Success, Closed}, {0, 2, 2, Failure, Closed},
			{0, 1, 1, Failure, Open}, {1000 * ms, 1, 1, Success, Closed}}},
		"ignored calls change nil": {byRun, []step{{0, 2, 2, Failure, Closed}, {0, 9, 9, Ignored, Closed}, {0, 1, 1, Failure, Open},
			{1000 * ms, 9, 9, Ignored, HalfOpen}, {1000 * ms, 1, 1, Success, Closed}}},
	} {
		b := breakerOf(t, row.options)
		for i, step := range row.steps {
			passed := 0
			for range step.calls {
				if ticket, may := b.Allow(step.at); may {
					passed++
					b.Done(step.at, ticket, step.outcome)
				}
			}
			if passed != step.passed || b.State() != step.state {
				t.Errorf("%s, step %d: %d passed, then %v; want %d, %v", name, i+1, passed, b.State(), step.passed, step.state)
			}
		}
	}
}

func TestOutcomesOfCallsFromBeforeAChangeAreNotCounted(t *testing.T) {
	b := breakerOf(t, Options{FailureRatio: -1, Consecutive: 1, OpenFor: time.Second, Probes: 1})
	early, _ := b.Allow(0)
	late, _ := b.Allow(0)
	b.Done(0, early, Failure)
	if b.State() != Open {
		t.Fatal(b.State())
	}
	probe, may := b.Allow(time.Second)
	b.Done(time.Second, late, Success)
	if !may || b.State() != HalfOpen {
		t.Fatal("the answer to a call from before the opening closed the breaker")
	}
	b.Done(time.Second, probe, Success)
	b.Done(time.Second, late, Failure)
	if b.State() != Closed {
		t.Fatal(b.State())
	}
}

func TestProbesThatAreLostDoNotKeepABreakerHalfOpen(t *testing.T) {
	b := breakerOf(t, Options{FailureRatio: -1, Consecutive: 1, OpenFor: time.Second, Probes: 1})
	ticket, _ := b.Allow(0)
	b.Done(0, ticket, Failure)
	lost, _ := b.Allow(time.Second)
	if _, may := b.Allow(1999 * ms); may || b.IsReady(1999*ms) {
		t.Fatal("two probes at once")
	}
	if !b.IsReady(2 * time.Second) {
		t.Fatal("not ready after a lost probe")
	}
	probe, may := b.Allow(2 * time.Second)
	if !may {
		t.Fatal("no probe after a lost one")
	}
	b.Done(2*time.Second, lost, Failure)
	b.Done(2*time.Second, probe, Success)
	if b.State() != Closed {
		t.Fatal(b.State())
	}
}

func TestOpenBreakersLetOnlyTheirProbesPassThoughManyAsk(t *testing.T) {
	b := breakerOf(t, Options{MinCalls: 1, OpenFor: time.Second, Probes: 3})
	ticket, _ := b.Allow(0)
	b.Done(0, ticket, Failure)
	var passed atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 1000 {
				if _, may := b.Allow(time.Second); may {
					passed.Add(1)
				}
			}
		}()
	}
	all.Wait()
	if passed.Load() != 3 {
		t.Fatal(passed.Load())
	}
}

func TestManyGoroutinesOpenAndCloseABreaker(t *testing.T) {
	b := breakerOf(t, Options{Window: 100 * ms, MinCalls: 10, OpenFor: 10 * ms, Probes: 2})
	var clock atomic.Int64
	var all sync.WaitGroup
	for i := range uint64(8) {
		all.Add(1)
		go func() {
			defer all.Done()
			r := rand.New(rand.NewPCG(i, 0))
			for range 20_000 {
				now := time.Duration(clock.Add(int64(ms) / 10))
				outcome := Success
				if now/time.Second%2 == 0 && r.IntN(4) > 0 {
					outcome = Failure
				}
				if ticket, may := b.Allow(now); may {
					b.Done(now, ticket, outcome)
				}
				b.IsReady(now)
			}
		}()
	}
	all.Wait()
	for now := time.Duration(clock.Load()) + time.Hour; b.State() != Closed; now += ms {
		if ticket, may := b.Allow(now); may {
			b.Done(now, ticket, Success)
		}
		if now > 200*time.Hour {
			t.Fatal("successes do not close it:", b.State())
		}
	}
}

func TestAWindowCountsExactlyTheEventsOfItsPeriods(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	w := newWindow(time.Second)
	type event struct {
		period        time.Duration
		first, second uint64
	}
	var events []event
	now := time.Duration(0)
	for range 5_000 {
		now += time.Duration(r.IntN(int(30 * ms)))
		if r.IntN(200) == 0 {
			now += time.Duration(r.Int64N(int64(3 * time.Second)))
		}
		e := event{now / (100 * ms), 1, uint64(r.IntN(2))}
		events = append(events, e)
		w.add(now, e.first, e.second)
		var first, second uint64
		for _, e := range events {
			if now/(100*ms)-e.period < bucketCount {
				first, second = first+e.first, second+e.second
			}
		}
		if gotFirst, gotSecond := w.sums(now); gotFirst != first || gotSecond != second {
			t.Fatal(now, gotFirst, gotSecond, first, second)
		}
	}
}

func TestAWindowLosesNoEventOfGoroutines(t *testing.T) {
	w := newWindow(time.Second)
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range 10_000 {
				w.add(time.Duration(i)*ms/20, 1, uint64(i%2))
			}
		}()
	}
	all.Wait()
	if first, second := w.sums(500 * ms); first != 80_000 || second != 40_000 {
		t.Fatal(first, second)
	}
}

func TestAFullBucketKeepsTheRatio(t *testing.T) {
	w := newWindow(time.Second)
	for i := range 3 * maxCount {
		w.add(0, 1, uint64(i%4/3))
	}
	first, second := w.sums(0)
	if ratio := float64(second) / float64(first); first > maxCount || math.Abs(ratio-0.25) > 0.001 {
		t.Fatal(first, second)
	}
}

// A server that takes so many calls per second gets at most K times as many, and nearly all that it can take.
func TestAThrottleSendsAboutKTimesWhatIsAccepted(t *testing.T) {
	for _, k := range []float64{1.1, 1.5, 2} {
		throttle, r := throttle(t, ThrottleOptions{K: k, Window: 10 * time.Second}), rand.New(rand.NewPCG(1, 1))
		const perSecond, capacity = 1000, 100
		sent, accepted, taken := 0, 0, 0
		for i := range 120 * perSecond {
			now := time.Duration(i) * time.Second / perSecond
			if i%(perSecond/10) == 0 {
				taken = 0
			}
			if !throttle.Allow(now, r.Uint64()) {
				continue
			}
			isTaken := taken < capacity/10
			if isTaken {
				taken++
			}
			throttle.Done(now, isTaken)
			if i >= 60*perSecond {
				sent++
				if isTaken {
					accepted++
				}
			}
		}
		if ratio := float64(sent) / float64(accepted); math.Abs(ratio-k) > 0.15 || accepted < 60*capacity*8/10 {
			t.Errorf("K %v: %d sent, %d accepted", k, sent, accepted)
		}
	}
}

func TestAThrottleDropsNothingFromAHealthyServerAndRecovers(t *testing.T) {
	throttle, r := throttle(t, ThrottleOptions{Window: 10 * time.Second}), rand.New(rand.NewPCG(1, 1))
	run := func(from, to time.Duration, isUp bool) (share float64) {
		sent, all := 0, 0
		for now := from; now < to; now += ms {
			all++
			if throttle.Allow(now, r.Uint64()) {
				sent++
				throttle.Done(now, isUp)
			}
		}
		return float64(sent) / float64(all)
	}
	if share := run(0, 20*time.Second, true); share != 1 {
		t.Error("a healthy server gets a share of", share)
	}
	run(20*time.Second, 35*time.Second, false)
	if share := run(35*time.Second, 40*time.Second, false); share > 0.02 || share < 0.005 {
		t.Error("a dead server gets a share of", share)
	}
	run(40*time.Second, 100*time.Second, true)
	if share := run(100*time.Second, 110*time.Second, true); share != 1 {
		t.Error("a server that is back gets a share of", share)
	}
}

// Calls that wait for their answers are no refusals, however many there are.
func TestAThrottleDropsNothingForCallsUnderWay(t *testing.T) {
	throttle, r := throttle(t, ThrottleOptions{}), rand.New(rand.NewPCG(1, 1))
	const together = 100
	for round := range 50 {
		now := time.Duration(round) * 10 * ms
		for call := range together {
			if !throttle.Allow(now, r.Uint64()) {
				t.Fatalf("call %d of round %d is dropped by a healthy server's client", call, round)
			}
		}
		for range together {
			throttle.Done(now+5*ms, true)
		}
	}
}

func TestWrongOptionsAreRefused(t *testing.T) {
	for _, o := range []Options{{Window: 1}, {FailureRatio: 2}, {FailureRatio: math.NaN()}, {MinCalls: -1}, {Consecutive: -1}, {Probes: -1},
		{OpenFor: -1}, {OpenFor: 2, MaxOpenFor: 1}, {MinCalls: 1 << 30}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v passes", o)
		}
	}
	for _, o := range []ThrottleOptions{{K: 0.5}, {K: math.NaN()}, {Window: 1}, {Floor: 2}} {
		if _, err := NewThrottle(o); err == nil {
			t.Errorf("%+v passes", o)
		}
	}
}

func TestDecisionsAllocateNothing(t *testing.T) {
	b, throttle := breakerOf(t, Options{}), throttle(t, ThrottleOptions{})
	if allocations := testing.AllocsPerRun(1000, func() {
		ticket, _ := b.Allow(0)
		b.Done(0, ticket, Failure)
		throttle.Allow(0, 1)
		throttle.Done(0, true)
	}); allocations != 0 {
		t.Fatal(allocations)
	}
}

func BenchmarkBreaker(b *testing.B) {
	for name, outcome := range map[string]Outcome{"success": Success, "failure": Failure} {
		b.Run(name, func(b *testing.B) {
			breaker := breakerOf(b, Options{FailureRatio: -1})
			b.ReportAllocs()
			for i := range b.N {
				ticket, _ := breaker.Allow(time.Duration(i) * 1000)
				breaker.Done(time.Duration(i)*1000, ticket, outcome)
			}
		})
	}
}

func BenchmarkThrottle(b *testing.B) {
	throttle := throttle(b, ThrottleOptions{})
	b.ReportAllocs()
	for i := range b.N {
		throttle.Allow(time.Duration(i)*1000, uint64(i)<<32)
		throttle.Done(time.Duration(i)*1000, true)
	}
}
