package retry

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const ms = time.Millisecond

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func checked(t testing.TB, p Policy) Policy {
	t.Helper()
	p, err := p.Check()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func budget(t testing.TB, options BudgetOptions) *Budget {
	t.Helper()
	b, err := NewBudget(options)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func hedge(t testing.TB, options HedgeOptions) *Hedge {
	t.Helper()
	h, err := NewHedge(options)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestOnlyWhatCannotRunTwiceIsRetriedForMethodsThatAreNotIdempotent(t *testing.T) {
	safe := map[Class][2]bool{NotSent: {true, true}, Refused: {true, true}, Failed: {false, true}, Timeout: {false, true},
		Transient: {false, true}, Application: {false, false}, Cancelled: {false, false}, Class(200): {false, false}}
	for class, want := range safe {
		for i, isIdempotent := range []bool{false, true} {
			method := Method{IsIdempotent: isIdempotent, Policy: checked(t, Policy{})}
			call := method.Begin(NoDeadline)
			decision := call.Failed(0, Failure{Class: class}, 0)
			if (decision.Action == Send) != want[i] || class.IsSafe(isIdempotent) != want[i] {
				t.Errorf("%v, idempotent %v: %+v", class, isIdempotent, decision)
			}
		}
	}
}

func TestACallMakesNoMoreAttemptsThanItsPolicyAllowsAndNoneBeyondItsDeadline(t *testing.T) {
	r := random(1)
	for range 20_000 {
		policy := checked(t, Policy{Attempts: 1 + r.IntN(MaxAttempts), Base: time.Duration(1 + r.IntN(50)*int(ms)),
			AttemptTimeout: time.Duration(r.IntN(100)) * ms})
		method := Method{IsIdempotent: true, Policy: policy}
		if r.IntN(2) == 0 {
			method.Hedge = hedge(t, HedgeOptions{Delay: time.Duration(1+r.IntN(30)) * ms, Backups: 1 + r.IntN(3), Share: 1})
		}
		now, deadline := time.Duration(0), time.Duration(r.IntN(1000))*ms
		call := method.Begin(deadline)
		attempts, open := 1, 1
		for open > 0 {
			if at := call.AttemptDeadline(now); at > deadline || policy.AttemptTimeout != 0 && at > now+policy.AttemptTimeout {
				t.Fatal("an attempt ends too late:", at, now, deadline)
			}
			now += time.Duration(r.IntN(20)) * ms
			if after, may := call.BackupAfter(); may && r.IntN(2) == 0 {
				if call.Backup(now+after).Action == Send {
					now += after
					attempts, open = attempts+1, open+1
					if now > deadline {
						t.Fatal("a backup request after the deadline")
					}
				}
				continue
			}
			decision := call.Failed(now, Failure{Class: Class(r.IntN(5))}, r.Uint64())
			open--
			switch decision.Action {
			case Send:
				attempts, open = attempts+1, open+1
				if now += decision.After; now > deadline {
					t.Fatal("a retry after the deadline")
				}
			case GiveUp:
				if open != 0 || decision.Reason == None {
					t.Fatalf("%+v with %d attempts under way", decision, open)
				}
			case Wait:
				if open == 0 {
					t.Fatalf("%+v, but nothing is under way", decision)
				}
			}
		}
		if attempts > policy.Attempts {
			t.Fatalf("%d attempts of %d", attempts, policy.Attempts)
		}
	}
}

func TestAnAnswerOfTheApplicationEndsACallThoughABackupRequestIsUnderWay(t *testing.T) {
	method := Method{IsIdempotent: true, Policy: checked(t, Policy{}), Hedge: hedge(t, HedgeOptions{Delay: ms})}
	call := method.Begin(NoDeadline)
	if decision := call.Backup(ms); decision.Action != Send {
		t.Fatal(decision)
	}
	if decision := call.Failed(2*ms, Failure{Class: Application}, 0); decision.Action != GiveUp {
		t.Fatal(decision)
	}
}

func TestAFailureBesideABackupRequestIsRetriedThenWaitedFor(t *testing.T) {
	method := Method{IsIdempotent: true, Policy: checked(t, Policy{}), Hedge: hedge(t, HedgeOptions{Delay: ms})}
	call := method.Begin(NoDeadline)
	call.Backup(ms)
	want := []Decision{{Action: Send}, {Action: Wait, Reason: NoAttempts}, {Action: GiveUp, Reason: NoAttempts}}
	for i, want := range want {
		if decision := call.Failed(2*ms, Failure{Class: Failed}, 0); decision != want {
			t.Fatalf("failure %d: %+v, want %+v", i+1, decision, want)
		}
	}
}

func TestWaitsAreUniformBelowABoundThatGrows(t *testing.T) {
	policy, r := checked(t, Policy{Base: 10 * ms, Max: 55 * ms, Multiplier: 2}), random(2)
	for number, bound := range []time.Duration{0, 10 * ms, 20 * ms, 40 * ms, 55 * ms, 55 * ms} {
		if number == 0 {
			continue
		}
		sum := 0.0
		const draws = 20_000
		for range draws {
			wait := policy.Backoff(number, r.Uint64())
			if wait < 0 || wait >= bound {
				t.Fatalf("retry %d waits %v of %v", number, wait, bound)
			}
			sum += float64(wait) / float64(bound)
		}
		if mean := sum / draws; math.Abs(mean-0.5) > 0.02 {
			t.Errorf("retry %d waits %.3f of its bound on average", number, mean)
		}
	}
}

func TestTheServersWishReplacesTheWait(t *testing.T) {
	method := Method{Policy: checked(t, Policy{})}
	call := method.Begin(NoDeadline)
	if d := call.Failed(0, Failure{Class: Refused, HasPushback: true, Pushback: 300 * ms}, 7); d.Action != Send || d.After != 300*ms {
		t.Fatal(d)
	}
	if d := call.Failed(0, Failure{Class: Refused, HasPushback: true, Pushback: -1}, 7); d.Action != GiveUp || d.Reason != Forbidden {
		t.Fatal(d)
	}
}

func TestAnInstanceThatCannotBeReachedCostsNoWaitAndNoBudget(t *testing.T) {
	empty := budget(t, BudgetOptions{PerSecond: -1, Reserve: 1})
	for empty.Withdraw(0) {
	}
	method := Method{Policy: checked(t, Policy{}), Budget: empty}
	call := method.Begin(NoDeadline)
	if d := call.Failed(0, Failure{Class: NotSent}, math.MaxUint64); d.Action != Send || d.After != 0 {
		t.Fatal(d)
	}
	if d := call.Failed(0, Failure{Class: Refused}, 1); d.Action != GiveUp || d.Reason != NoBudget {
		t.Fatal(d)
	}
}

// The rule must hold for any sequence of calls, and for any part of it.
func TestExtraAttemptsNeverExceedTheBudget(t *testing.T) {
	for seed := range uint64(16) {
		r := random(seed)
		options := BudgetOptions{Ratio: 0.01 + 0.99*r.Float64(), PerSecond: float64(r.IntN(100)), Reserve: 1 + r.IntN(50)}
		if options.PerSecond == 0 {
			options.PerSecond = -1
		}
		b := budget(t, options)
		now, calls, extra := time.Duration(0), 0, 0
		for range 20_000 {
			now += time.Duration(r.ExpFloat64() * float64(ms))
			b.Deposit()
			calls++
			for range r.IntN(4) {
				if b.Withdraw(now) {
					extra++
				}
			}
			allowed := float64(options.Reserve) + options.Ratio*float64(calls) + max(options.PerSecond, 0)*now.Seconds() + 1e-6
			if float64(extra) > allowed {
				t.Fatalf("%+v: %d extra attempts of %d calls in %v", options, extra, calls, now)
			}
		}
		// Every call asked for 1.5 extra attempts on average, more than any ratio gives: so a bucket that does not overflow was used up.
		allowed := options.Ratio*float64(calls) + max(options.PerSecond, 0)*now.Seconds()
		if options.Reserve >= 5 && float64(extra) < 0.97*min(allowed, 1.4*float64(calls)) {
			t.Errorf("%+v: only %d extra attempts of %d calls in %v", options, extra, calls, now)
		}
	}
}

func TestGoroutinesTogetherDoNotExceedABudget(t *testing.T) {
	b := budget(t, BudgetOptions{Ratio: 0.1, PerSecond: -1, Reserve: 10})
	const goroutines, calls = 8, 5_000
	var extra atomic.Int64
	var all sync.WaitGroup
	for range goroutines {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range calls {
				b.Deposit()
				if b.Withdraw(time.Duration(i)) {
					extra.Add(1)
				}
			}
		}()
	}
	all.Wait()
	if got, most := extra.Load(), int64(10+goroutines*calls/10); got > most || got < most-20 {
		t.Fatalf("%d of %d", got, most)
	}
}

func TestBackupRequestsFollowThePercentileThatWasObserved(t *testing.T) {
	r := random(3)
	for _, percentile := range []float64{0.5, 0.9, 0.95, 0.99} {
		h := hedge(t, HedgeOptions{Percentile: percentile})
		if _, may := h.Delay(); may {
			t.Fatal("a delay before anything was observed")
		}
		now := time.Duration(0)
		observe := func(mean float64) {
			for range 40_000 {
				now += ms
				h.Observe(now, time.Duration(r.ExpFloat64()*mean*float64(ms)))
			}
		}
		for _, mean := range []float64{20, 200, 10} {
			observe(mean)
			exact := time.Duration(-math.Log(1-percentile) * mean * float64(ms))
			delay, may := h.Delay()
			if !may || float64(delay) < 0.9*float64(exact) || float64(delay) > 1.2*float64(exact) {
				t.Errorf("p%v of a mean of %v ms is %v, got %v", 100*percentile, mean, exact, delay)
			}
		}
	}
}

func TestLatenciesOfManyGoroutinesGiveOnePercentile(t *testing.T) {
	h := hedge(t, HedgeOptions{Percentile: 0.9})
	var clock atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range 5_000 {
				latency := 10 * ms
				if i%20 >= 17 {
					latency = 100 * ms
				}
				h.Observe(time.Duration(clock.Add(int64(ms))), latency)
				h.Delay()
			}
		}()
	}
	all.Wait()
	if delay, may := h.Delay(); !may || delay < 100*ms || delay > 113*ms {
		t.Fatal(delay, may)
	}
}

func TestBackupRequestsStayBelowTheirShareWhenEverythingIsSlow(t *testing.T) {
	h := hedge(t, HedgeOptions{Delay: ms, Share: 0.05})
	method := Method{IsIdempotent: true, Policy: checked(t, Policy{}), Hedge: h}
	backups := 0
	const calls = 10_000
	for i := range calls {
		call := method.Begin(NoDeadline)
		if call.Backup(time.Duration(i)*ms).Action == Send {
			backups++
		}
	}
	if backups > calls/20+10 || backups < calls/20-1 {
		t.Fatal(backups)
	}
}

func TestBucketsHoldTheDurationsThatTheyNameWithinAnEighth(t *testing.T) {
	for d := time.Duration(1 << shortestBits); d < 70*time.Hour; d += d/37 + 1 {
		end := endOf(bucketOf(d))
		if end <= d || float64(end) > 1.126*float64(d) {
			t.Fatalf("%v ends at %v", d, end)
		}
	}
	for _, d := range []time.Duration{math.MinInt64, -1, 0, math.MaxInt64} {
		if bucket := bucketOf(d); bucket < 0 || bucket >= bucketCount {
			t.Fatal(d, bucket)
		}
	}
}

func TestWrongOptionsAreToldWithWhatToWrite(t *testing.T) {
	for _, p := range []Policy{{Attempts: -1}, {Attempts: 11}, {Base: -1}, {Multiplier: 0.5}, {Multiplier: math.NaN()}, {Base: time.Second, Max: ms}} {
		if _, err := p.Check(); err == nil {
			t.Errorf("%+v passes", p)
		}
	}
	for _, o := range []BudgetOptions{{Ratio: 2}, {Ratio: math.NaN()}, {Reserve: -1}, {PerSecond: math.Inf(1)}, {PerSecond: math.NaN()}} {
		if _, err := NewBudget(o); err == nil {
			t.Errorf("%+v passes", o)
		}
	}
	for _, o := range []HedgeOptions{{}, {Delay: -1}, {Percentile: 0.2}, {Percentile: 1}, {Delay: ms, Share: 3}, {Delay: ms, Backups: 20}} {
		if _, err := NewHedge(o); err == nil {
			t.Errorf("%+v passes", o)
		}
	}
	if (&Method{Hedge: hedge(t, HedgeOptions{Delay: ms})}).Check() == nil {
		t.Error("backup requests of a method that is not idempotent pass")
	}
}

func TestDecisionsAllocateNothing(t *testing.T) {
	method := Method{IsIdempotent: true, Policy: checked(t, Policy{}), Budget: budget(t, BudgetOptions{}),
		Hedge: hedge(t, HedgeOptions{Percentile: 0.95})}
	now := time.Duration(0)
	if allocations := testing.AllocsPerRun(1000, func() {
		now += 100 * ms
		call := method.Begin(NoDeadline)
		call.BackupAfter()
		call.Backup(now)
		call.Failed(now, Failure{Class: Timeout}, 1)
		method.Hedge.Observe(now, ms)
	}); allocations != 0 {
		t.Fatal(allocations)
	}
}

func BenchmarkACallThatSucceeds(b *testing.B) {
	method := Method{IsIdempotent: true, Policy: checked(b, Policy{}), Budget: budget(b, BudgetOptions{}),
		Hedge: hedge(b, HedgeOptions{Percentile: 0.95})}
	b.ReportAllocs()
	for i := range b.N {
		call := method.Begin(NoDeadline)
		call.BackupAfter()
		method.Hedge.Observe(time.Duration(i)*1000, ms)
	}
}

func BenchmarkAFailure(b *testing.B) {
	method := Method{IsIdempotent: true, Policy: checked(b, Policy{}), Budget: budget(b, BudgetOptions{})}
	b.ReportAllocs()
	for i := range b.N {
		call := method.Begin(NoDeadline)
		call.Failed(time.Duration(i)*1000, Failure{Class: Timeout}, uint64(i)<<40)
	}
}
