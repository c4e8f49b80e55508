// Package load puts a service under load and measures it.
//
// In an open loop calls begin at the times of a schedule, whatever became of earlier calls. The duration of a call counts from the time when it
// should have begun. So a service that stands still for a second is seen in all calls of that second, not in one: this avoids the coordinated
// omission that Gil Tene describes ("How NOT to Measure Latency", 2013, and the program wrk2). In a closed loop each caller begins its next call when
// its last one has ended, as in a batch.
package load

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"hone/go/internal/wait"
)

// Plan describes a run.
type Plan struct {
	// Rate is the number of calls that begin per second in an open loop; 0 means a closed loop.
	Rate float64
	// Callers is the number of concurrent calls, in an open loop the largest number.
	Callers int
	// Warmup is the time for which calls are made before they count, and Duration the time for which they count.
	Warmup, Duration time.Duration
	// Timeout is the time limit of a call; 0 means none.
	Timeout time.Duration
}

// total returns the time for which calls begin.
func (p Plan) total() time.Duration { return p.Warmup + p.Duration }

// intended returns the time when the nth call of an open loop should begin.
func (p Plan) intended(n int64) time.Duration {
	return time.Duration(float64(n) / p.Rate * float64(time.Second))
}

// scheduled returns the number of calls of an open loop that should begin before a time.
func (p Plan) scheduled(before time.Duration) int64 {
	n := int64(before.Seconds() * p.Rate)
	for p.intended(n) < before {
		n++
	}
	for n > 0 && p.intended(n-1) >= before {
		n--
	}
	return n
}

// Clock measures time since the start of a run.
type Clock interface {
	Now() time.Duration
	// SleepUntil waits until the time at, or until the context ends.
	SleepUntil(ctx context.Context, at time.Duration)
}

// Work is the work to measure.
type Work struct {
	// Call makes a call for a caller, counted from 0. The context has the plan's timeout.
	Call func(ctx context.Context, caller int) error
	// Kind returns the kind of an error, in a few words.
	Kind func(err error) string
	// CPU returns the CPU time of both sides so far.
	CPU func() CPU
}

// CPU is the CPU time that both sides used, user and system.
type CPU struct {
	Client time.Duration
	// Server has no meaning unless HasServer is true.
	Server    time.Duration
	HasServer bool
}

// run is a run under way.
type run struct {
	Plan
	Work
	clock  Clock
	record *recorder
	// next is the number of the next call of an open loop.
	next atomic.Int64
	// ended is the number of calls that have ended.
	ended atomic.Int64
	// before is the usage of both sides when the first call that counts began, after that when the time was over.
	before, after usage
	begins, ends  sync.Once
}

// usage is the CPU time that both sides used up to some moment, and the number of calls that had ended by then.
type usage struct {
	cpu   CPU
	calls int64
}

func (r *run) usage() usage { return usage{r.CPU(), r.ended.Load()} }

// since returns the usage since an earlier one.
func (u usage) since(before usage) usage {
	return usage{
		cpu: CPU{
			Client: u.cpu.Client - before.cpu.Client, Server: u.cpu.Server - before.cpu.Server,
			HasServer: u.cpu.HasServer && before.cpu.HasServer,
		},
		calls: u.calls - before.calls,
	}
}

// Run puts a service under load until the plan's time is over, or the context ends, and all calls have ended.
func Run(ctx context.Context, plan Plan, work Work, clock Clock) *Result {
	r := &run{Plan: plan, Work: work, clock: clock, record: newRecorder()}
	var all sync.WaitGroup
	for caller := range plan.Callers {
		all.Add(1)
		go func() {
			defer all.Done()
			r.call(ctx, caller)
		}()
	}
	all.Wait()
	result := r.record.result(plan)
	result.usage = r.after.since(r.before)
	if plan.Rate > 0 {
		result.NotBegun = max(0, plan.scheduled(plan.total())-r.next.Load())
	}
	return result
}

// call makes the calls of one caller.
func (r *run) call(ctx context.Context, caller int) {
	for ctx.Err() == nil {
		intended, isLate := r.begin(ctx)
		if intended >= r.total() {
			r.clock.SleepUntil(ctx, r.total())
			r.ends.Do(func() { r.after = r.usage() })
			return
		}
		if ctx.Err() != nil {
			return
		}
		if intended >= r.Warmup {
			r.begins.Do(func() { r.before = r.usage() })
		}
		began := r.clock.Now()
		err := r.one(ctx, caller)
		ended := r.clock.Now()
		r.ended.Add(1)
		if intended < r.Warmup {
			continue
		}
		r.record.call(caller, ended-intended)
		if err != nil {
			r.record.error(r.Kind(err))
		}
		if !isLate && r.Rate > 0 {
			r.record.late(caller, began-intended)
		}
	}
}

// begin waits for the time when the next call should begin, and returns that time. A call is late if no caller was free at that time. Once the run's
// time is over, no call is taken from the schedule.
func (r *run) begin(ctx context.Context) (intended time.Duration, isLate bool) {
	now := r.clock.Now()
	if r.Rate == 0 || now >= r.total() {
		return now, false
	}
	intended = r.intended(r.next.Add(1) - 1)
	if intended >= r.total() {
		return intended, false
	}
	if now >= intended {
		return intended, true
	}
	r.clock.SleepUntil(ctx, intended)
	return intended, false
}

// one makes a call.
func (r *run) one(ctx context.Context, caller int) error {
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Timeout)
		defer cancel()
	}
	return r.Call(ctx, caller)
}

// SystemClock returns a clock that begins at its first use, so that the time before a run's first call is not part of the run.
func SystemClock() Clock {
	return systemClock{sync.OnceValue(time.Now)}
}

type systemClock struct{ began func() time.Time }

func (c systemClock) Now() time.Duration {
	began := c.began()
	return time.Since(began)
}

func (c systemClock) SleepUntil(ctx context.Context, at time.Duration) {
	wait.For(ctx, at-c.Now())
}
