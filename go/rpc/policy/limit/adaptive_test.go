package limit

import (
	"cmp"
	"math/rand/v2"
	"slices"
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

// queue simulates a service behind a limit and a queue without end. The service has a number of workers, each busy with a call for
// a time.
type queue struct {
	limit   *Adaptive
	random  *rand.Rand
	workers int
	service time.Duration // the mean, spread by half
	now     time.Duration
	next    time.Duration   // the next arrival
	ends    []call          // the calls that were let in, by their ends
	free    []time.Duration // the times at which workers are free, the first of them last
}

type call struct{ begun, ended time.Duration }

// add keeps the calls in the order of their ends. The first end comes last.
func (q *queue) add(c call) {
	at, _ := slices.BinarySearchFunc(q.ends, c, func(a, b call) int { return cmp.Compare(b.ended, a.ended) })
	q.ends = slices.Insert(q.ends, at, c)
}

// result is the result of a stretch of simulated time.
type result struct {
	asked, refused, answered int
	latency                  time.Duration // the mean
	least, most              int           // the limits in the second half
}

// run lets calls arrive. load is their number in relation to what the workers can do.
func (q *queue) run(duration time.Duration, load float64) result {
	var r result
	var sum time.Duration
	begun, end := q.now, q.now+duration
	r.least = 1 << 30
	between := float64(q.service) / float64(q.workers) / load
	q.next = max(q.next, q.now)
	for q.now < end {
		if last := len(q.ends) - 1; last >= 0 && q.ends[last].ended <= q.next {
			done := q.ends[last]
			q.ends = q.ends[:last]
			q.now = done.ended
			q.limit.Release(q.now, done.ended-done.begun, Answered)
			r.answered++
			sum += done.ended - done.begun
		} else {
			q.now = q.next
			q.next += time.Duration(q.random.ExpFloat64() * between)
			r.asked++
			if q.limit.Acquire() {
				q.add(call{q.now, q.serve()})
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

// serve returns the time at which a call ends that arrives now: the worker that is free first takes it.
func (q *queue) serve() time.Duration {
	for len(q.free) < q.workers {
		q.free = append(q.free, 0)
	}
	q.free = q.free[len(q.free)-q.workers:]
	last := len(q.free) - 1
	end := max(q.free[last], q.now) + time.Duration((0.5+q.random.Float64())*float64(q.service))
	at, _ := slices.BinarySearchFunc(q.free[:last], end, func(a, b time.Duration) int { return cmp.Compare(b, a) })
	q.free = slices.Insert(q.free[:last], at, end)
	return end
}

// capacity returns the number of calls that all workers can do in a time.
func (q *queue) capacity(d time.Duration) int { return q.workers * int(d/q.service) }

// stretch is long enough for several probes.
const stretch = 30 * time.Second

func newQueue(t *testing.T, seed uint64, workers int, service time.Duration, options AdaptiveOptions) *queue {
	return &queue{limit: adaptive(t, options), random: rand.New(rand.NewPCG(seed, 1)), workers: workers, service: service}
}

func TestWithoutOverloadAnAdaptiveLimitRefusesNearlyNothing(t *testing.T) {
	for _, workers := range []int{4, 16, 64} {
		q := newQueue(t, 1, workers, 30*ms, AdaptiveOptions{})
		q.run(10*time.Second, 0.7)
		if r := q.run(stretch, 0.7); r.refused > r.asked/500 {
			t.Errorf("%d workers: %+v", workers, r)
		}
	}
}

// The load is three times what the workers can do. For a long time they do as much work as without a limit, and the queue stays
// short.
func TestUnderOverloadAnAdaptiveLimitKeepsWorkersBusyAndTheQueueShort(t *testing.T) {
	for _, workers := range []int{8, 64} {
		for seed := range uint64(2) {
			q := newQueue(t, seed, workers, 30*ms, AdaptiveOptions{Initial: 20})
			q.run(20*time.Second, 0.5)
			q.run(30*time.Second, 3)
			for part := range 2 {
				r := q.run(stretch, 3)
				if r.answered < q.capacity(stretch)*95/100 {
					t.Errorf("%d workers, part %d: idle: %+v", workers, part, r)
				}
				if r.latency > 100*ms || r.most > 4*workers+20 {
					t.Errorf("%d workers, part %d: a long queue: %+v", workers, part, r)
				}
			}
		}
	}
}

func TestAnAdaptiveLimitFallsWhenLatencyGrows(t *testing.T) {
	q := newQueue(t, 1, 64, 30*ms, AdaptiveOptions{ProbeWindows: 1 << 30})
	q.run(20*time.Second, 0.5)
	before := q.run(stretch, 2)
	q.service = 120 * ms
	if after := q.run(5*time.Second, 2); after.most > before.least/2 {
		t.Errorf("from %d to %d only", before.least, after.most)
	}
}

// The probe finds out that the latency grows because the service is slower, and not because calls queue.
func TestAServiceThatBecameSlowerIsNotLeftIdle(t *testing.T) {
	q := newQueue(t, 1, 64, 30*ms, AdaptiveOptions{})
	q.run(20*time.Second, 0.5)
	q.run(stretch, 2)
	q.service = 120 * ms
	q.run(stretch, 2)
	if r := q.run(stretch, 2); r.answered < q.capacity(stretch)*95/100 {
		t.Errorf("%+v", r)
	}
}

func TestAnAdaptiveLimitFollowsAServiceThatLosesWorkersAndGetsThemBack(t *testing.T) {
	q := newQueue(t, 1, 64, 30*ms, AdaptiveOptions{})
	q.run(20*time.Second, 0.5)
	before := q.run(stretch, 3)
	q.workers = 16
	q.run(30*time.Second, 3)
	if r := q.run(stretch, 3); r.most > before.most*2/3 || r.latency > 150*ms {
		t.Errorf("with a quarter of the workers: %+v, before: %+v", r, before)
	}
	q.workers = 64
	q.run(stretch, 3)
	if r := q.run(stretch, 3); r.answered < q.capacity(stretch)*95/100 {
		t.Errorf("with all workers again: %+v", r)
	}
}

func TestABaselineThatWasTakenInAQueueIsFoundOut(t *testing.T) {
	q := newQueue(t, 1, 16, 30*ms, AdaptiveOptions{Initial: 800})
	q.run(stretch, 3)
	if r := q.run(stretch, 3); r.most > 100 || r.latency > 180*ms {
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
