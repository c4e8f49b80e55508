package limit

import (
	"container/heap"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func adaptive(t testing.TB, options AdaptiveOptions) *Adaptive {
	t.Helper()
	a, err := NewAdaptive(options)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// queue simulates a service of so many workers, each busy with a call for a time, behind a limit and a queue without end.
type queue struct {
	limit   *Adaptive
	random  *rand.Rand
	workers int
	service time.Duration // mean, spread by half
	now     time.Duration
	next    time.Duration // arrival
	ends    calls         // of calls that were let in
	free    []time.Duration
}

type call struct{ begun, ended time.Duration }
type calls []call

func (c calls) Len() int           { return len(c) }
func (c calls) Less(i, j int) bool { return c[i].ended < c[j].ended }
func (c calls) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *calls) Push(x any)        { *c = append(*c, x.(call)) }
func (c *calls) Pop() any {
	last := len(*c) - 1
	x := (*c)[last]
	*c = (*c)[:last]
	return x
}

// result of a stretch of simulated time.
type result struct {
	asked, refused, answered int
	latency                  time.Duration // mean
	least, most              int           // limits in the second half
}

// run lets calls arrive, a multiple of what the workers can do.
func (q *queue) run(duration time.Duration, load float64) result {
	var r result
	var sum time.Duration
	begun, end := q.now, q.now+duration
	r.least = 1 << 30
	between := float64(q.service) / float64(q.workers) / load
	q.next = max(q.next, q.now)
	for q.now < end {
		if len(q.ends) > 0 && q.ends[0].ended <= q.next {
			done := heap.Pop(&q.ends).(call)
			q.now = done.ended
			q.limit.Release(q.now, done.ended-done.begun, Answered)
			r.answered++
			sum += done.ended - done.begun
		} else {
			q.now = q.next
			q.next += time.Duration(q.random.ExpFloat64() * between)
			r.asked++
			if q.limit.Acquire() {
				heap.Push(&q.ends, call{q.now, q.serve()})
			} else {
				r.refused++
			}
		}
		if q.now > begun+duration/2 {
			r.least, r.most = min(r.least, q.limit.Limit()), max(r.most, q.limit.Limit())
		}
	}
	r.latency = sum / time.Duration(max(r.answered, 1))
	return r
}

// serve is when a call ends that arrives now: the worker that is free first takes it.
func (q *queue) serve() time.Duration {
	for len(q.free) < q.workers {
		q.free = append(q.free, 0)
	}
	q.free = q.free[:q.workers]
	first := 0
	for i := range q.free {
		if q.free[i] < q.free[first] {
			first = i
		}
	}
	q.free[first] = max(q.free[first], q.now) + time.Duration((0.5+q.random.Float64())*float64(q.service))
	return q.free[first]
}

// capacity is how many calls all workers can do in a time.
func (q *queue) capacity(d time.Duration) int { return q.workers * int(d/q.service) }

func newQueue(t *testing.T, seed uint64, workers int, service time.Duration, options AdaptiveOptions) *queue {
	return &queue{limit: adaptive(t, options), random: rand.New(rand.NewPCG(seed, 1)), workers: workers, service: service}
}

func TestWithoutOverloadAnAdaptiveLimitRefusesNearlyNothing(t *testing.T) {
	for _, workers := range []int{4, 16, 64} {
		q := newQueue(t, 1, workers, 30*ms, AdaptiveOptions{})
		q.run(10*time.Second, 0.7)
		if r := q.run(60*time.Second, 0.7); r.refused > r.asked/500 {
			t.Errorf("%d workers: %+v", workers, r)
		}
	}
}

// Under three times the load that the workers can do: their work is not less than without a limit, and the queue stays short, for long.
func TestUnderOverloadAnAdaptiveLimitKeepsWorkersBusyAndTheQueueShort(t *testing.T) {
	for _, workers := range []int{8, 64} {
		for seed := range uint64(2) {
			q := newQueue(t, seed, workers, 30*ms, AdaptiveOptions{Initial: 20})
			q.run(20*time.Second, 0.5)
			q.run(30*time.Second, 3)
			for minute := range 2 {
				r := q.run(time.Minute, 3)
				if r.answered < q.capacity(time.Minute)*95/100 {
					t.Errorf("%d workers, minute %d: idle: %+v", workers, minute, r)
				}
				if r.latency > 100*ms || r.most > 4*workers+20 {
					t.Errorf("%d workers, minute %d: a long queue: %+v", workers, minute, r)
				}
			}
		}
	}
}

func TestAnAdaptiveLimitFallsWhenLatencyGrows(t *testing.T) {
	q := newQueue(t, 1, 64, 30*ms, AdaptiveOptions{})
	q.run(20*time.Second, 0.5)
	before := q.run(60*time.Second, 2)
	q.service = 120 * ms
	q.run(2*time.Second, 2)
	if fallen := q.limit.Limit(); fallen > before.most*2/3 {
		t.Errorf("from %d to %d only", before.most, fallen)
	}
	// It is a slower service, and no longer queue: the probe finds that out.
	q.run(60*time.Second, 2)
	if r := q.run(60*time.Second, 2); r.answered < q.capacity(time.Minute)*95/100 {
		t.Errorf("workers of a service that became slower are idle: %+v", r)
	}
}

func TestAnAdaptiveLimitFollowsAServiceThatLosesWorkersAndGetsThemBack(t *testing.T) {
	q := newQueue(t, 1, 64, 30*ms, AdaptiveOptions{})
	q.run(20*time.Second, 0.5)
	before := q.run(60*time.Second, 3)
	q.workers = 16
	q.run(30*time.Second, 3)
	if r := q.run(60*time.Second, 3); r.most > before.most*2/3 || r.latency > 150*ms {
		t.Errorf("with a quarter of the workers: %+v, before: %+v", r, before)
	}
	q.workers = 64
	q.run(60*time.Second, 3)
	if r := q.run(60*time.Second, 3); r.answered < q.capacity(time.Minute)*95/100 {
		t.Errorf("with all workers again: %+v", r)
	}
}

func TestABaselineThatWasTakenInAQueueIsFoundOut(t *testing.T) {
	q := newQueue(t, 1, 16, 30*ms, AdaptiveOptions{Initial: 800})
	q.run(60*time.Second, 3)
	if r := q.run(60*time.Second, 3); r.most > 100 || r.latency > 180*ms {
		t.Errorf("%+v", r)
	}
}

func TestDroppedCallsLowerALimitToItsLeast(t *testing.T) {
	a := adaptive(t, AdaptiveOptions{Initial: 100, Min: 10, WindowCalls: 10})
	for i := range 1000 {
		a.Acquire()
		outcome := Answered
		if i%10 == 0 {
			outcome = Dropped
		}
		a.Release(time.Duration(i)*20*ms, ms, outcome)
	}
	if a.Limit() != 10 {
		t.Fatal(a.Limit())
	}
}

func TestGoroutinesNeverExceedAnAdaptiveLimitsMaximum(t *testing.T) {
	a := adaptive(t, AdaptiveOptions{Initial: 5, Max: 8, Window: ms, WindowCalls: 5})
	var clock, active, highest atomic.Int64
	var all sync.WaitGroup
	for i := range uint64(16) {
		all.Add(1)
		go func() {
			defer all.Done()
			r := rand.New(rand.NewPCG(i, 0))
			for range 5_000 {
				now := time.Duration(clock.Add(int64(ms) / 20))
				if a.Acquire() {
					n := active.Add(1)
					for old := highest.Load(); n > old && !highest.CompareAndSwap(old, n); old = highest.Load() {
					}
					active.Add(-1)
					a.Release(now, time.Duration(r.IntN(int(ms))), Outcome(r.IntN(3)))
				}
			}
		}()
	}
	all.Wait()
	if highest.Load() > 8 || a.Active() != 0 || a.Limit() < 5 || a.Limit() > 8 {
		t.Fatal(highest.Load(), a.Active(), a.Limit())
	}
}
