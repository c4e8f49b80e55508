package limit

import (
	"cmp"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Adaptive bounds how many calls there are at once by a limit that follows their latency: while latency is near what it is without a
// queue, the limit grows; as latency grows, it falls in proportion. Servers use it to refuse what they could only queue.
//
// The rule is the gradient of Netflix's Gradient2Limit (https://github.com/Netflix/concurrency-limits), computed once for each window of
// calls: limit' = limit * min(1, tolerance * baseline / latency) + sqrt(limit), smoothed. The square root is the queue that is allowed, as
// in Envoy's adaptive concurrency filter.
//
// The baseline differs. Gradient2 averages over all calls of the last minutes, so under lasting overload the queue itself becomes the
// baseline and the limit climbs without end. Here latencies of windows that filled the limit can lower the baseline but not raise it. If
// the limit stays full for ProbeWindows, two windows run with half of the limit, and the latency of the second becomes the baseline: a service that has
// really become slower gets a new baseline that way, and a baseline that was taken in a queue is halved each time. Envoy's filter does the
// same for its minRTT, but at a fixed interval, with a limit of 3, and also when there is no overload.
//
// Acquire changes one atomic number, Release four; the goroutine that ends a window computes the limit under a lock that nobody waits for.
type Adaptive struct {
	options       AdaptiveOptions
	limit, active atomic.Int64
	// The window so far.
	samples, sum, drops, peak, begun atomic.Int64

	computing sync.Mutex
	exact     float64 // the limit before rounding
	baseline  float64 // nanoseconds; 0 as long as nothing is known
	full      int     // windows in a row that filled the limit
	probing   float64 // the limit to return to after a probe, else 0
	isDrained bool    // the calls from before the probe have ended
}

// AdaptiveOptions are what an [Adaptive] is made of. The zero value has the defaults.
type AdaptiveOptions struct {
	// Initial limit, and its bounds. 0: 20 at first, from 5 to 1000. With a least limit that is too small, latency of single calls is noise.
	Initial, Min, Max int
	// Tolerance is how many times the baseline a latency may be before the limit falls. 0 is 1.5, Gradient2's; at least 1.
	Tolerance float64
	// Smoothing is the share of a new limit that is taken over from one window. 0 is 0.2, Gradient2's; at most 1.
	Smoothing float64
	// Window is how long calls are gathered for one step, at least. 0 is 100 ms.
	Window time.Duration
	// WindowCalls are the calls that a step needs, at least. 0 is 20.
	WindowCalls int
	// ProbeWindows is after how many windows with a full limit the baseline is measured anew. 0 is 50.
	ProbeWindows int
}

// Outcome of a call that an [Adaptive] let in.
type Outcome uint8

const (
	// Answered calls have a latency that says something of the load.
	Answered Outcome = iota
	// Dropped calls ran into a timeout or were refused elsewhere for overload. A window with them lowers the limit by a tenth at least.
	Dropped
	// Ignored calls say nothing: they failed at once, or the caller went away.
	Ignored
)

const (
	// forget is the share by which the baseline follows latencies without a queue: most of it within 20 windows.
	forget = 0.1
	// dropShare is what a window with dropped calls leaves of the limit, as TCP's and Netflix's AIMD do.
	dropShare = 0.9
	// steepest is the smallest gradient: one window never takes more than half, as in Gradient2.
	steepest = 0.5
	// fullShare of the limit that is in use makes it full: below it, latency is that of no queue, and a higher limit changes nothing.
	fullShare = 0.8
)

// NewAdaptive makes a limit that knows no latency yet.
func NewAdaptive(options AdaptiveOptions) (*Adaptive, error) {
	options.Min = cmp.Or(options.Min, 5)
	options.Max = cmp.Or(options.Max, max(1000, options.Min, options.Initial))
	options.Initial = cmp.Or(options.Initial, min(max(20, options.Min), options.Max))
	options.Tolerance = cmp.Or(options.Tolerance, 1.5)
	options.Smoothing = cmp.Or(options.Smoothing, 0.2)
	options.Window = cmp.Or(options.Window, 100*time.Millisecond)
	options.WindowCalls = cmp.Or(options.WindowCalls, 20)
	options.ProbeWindows = cmp.Or(options.ProbeWindows, 50)
	switch {
	case options.Min < 1 || options.Initial < options.Min || options.Max < options.Initial:
		return nil, fmt.Errorf("limit: the adaptive limit is %d at first, from %d to %d; write them in the order min <= initial <= max, from 1",
			options.Initial, options.Min, options.Max)
	case !(options.Tolerance >= 1 && options.Tolerance <= 100) || !(options.Smoothing > 0 && options.Smoothing <= 1):
		return nil, fmt.Errorf("limit: tolerance %v, smoothing %v; write a tolerance from 1 to 100 and a smoothing above 0, at most 1",
			options.Tolerance, options.Smoothing)
	case options.Window < 0 || options.WindowCalls < 1 || options.ProbeWindows < 1:
		return nil, fmt.Errorf("limit: windows of %v and %d calls, a probe after %d; write positive numbers",
			options.Window, options.WindowCalls, options.ProbeWindows)
	}
	a := &Adaptive{options: options, exact: float64(options.Initial)}
	a.limit.Store(int64(options.Initial))
	return a, nil
}

// Limit is how many calls may be active now.
func (a *Adaptive) Limit() int { return int(a.limit.Load()) }

// Active is how many calls there are now.
func (a *Adaptive) Active() int { return int(a.active.Load()) }

// Acquire is true if a call may begin, whose end is then told to [Adaptive.Release], once.
func (a *Adaptive) Acquire() bool {
	if !acquire(&a.active, a.limit.Load()) {
		// A full limit may show in no call that ends.
		a.peak.Store(a.limit.Load())
		return false
	}
	return true
}

// Release tells the end of a call that was let in, and how long it took.
func (a *Adaptive) Release(now, latency time.Duration, outcome Outcome) {
	active := a.active.Add(-1) + 1
	switch outcome {
	case Ignored:
		return
	case Dropped:
		a.drops.Add(1)
	}
	if active > a.peak.Load() {
		a.peak.Store(active)
	}
	a.sum.Add(int64(latency))
	if a.samples.Add(1) >= int64(a.options.WindowCalls) && int64(now)-a.begun.Load() >= int64(a.options.Window) && a.computing.TryLock() {
		a.step(now)
		a.computing.Unlock()
	}
}

// step ends a window. The lock is held. Calls that end meanwhile count in either window.
func (a *Adaptive) step(now time.Duration) {
	if a.samples.Load() < int64(a.options.WindowCalls) {
		// Another goroutine has just ended the window.
		return
	}
	samples, sum, drops, peak := a.samples.Swap(0), a.sum.Swap(0), a.drops.Swap(0), a.peak.Swap(0)
	a.begun.Store(int64(now))
	latency := max(float64(sum)/float64(samples), 1)
	isFull := float64(peak) >= fullShare*float64(a.limit.Load())
	if a.probing != 0 && !a.isDrained {
		a.isDrained = true
		return
	}
	a.learn(latency, isFull)
	if isFull || drops > 0 {
		a.follow(latency, drops > 0)
	}
	a.limit.Store(int64(a.exact))
}

// learn takes the latency of a window into the baseline, and ends a probe.
func (a *Adaptive) learn(latency float64, isFull bool) {
	switch {
	case a.probing != 0:
		a.exact, a.probing, a.full = a.probing, 0, 0
		a.baseline = latency
	case a.baseline == 0 || latency < a.baseline:
		a.baseline = latency
	case !isFull:
		a.baseline += forget * (latency - a.baseline)
	}
	if !isFull {
		a.full = 0
	} else {
		a.full++
	}
}

// follow moves a limit that was full towards where its latency is tolerable, and begins a probe when one is due.
func (a *Adaptive) follow(latency float64, isDropping bool) {
	gradient := max(steepest, min(1, a.options.Tolerance*a.baseline/latency))
	next := a.exact*gradient + math.Sqrt(a.exact)
	next = a.exact + a.options.Smoothing*(next-a.exact)
	if isDropping {
		next = min(next, a.exact*dropShare)
	}
	a.exact = min(max(next, float64(a.options.Min)), float64(a.options.Max))
	if a.full >= a.options.ProbeWindows {
		a.probing, a.isDrained = a.exact, false
		a.exact = max(a.exact/2, float64(a.options.Min))
	}
}
