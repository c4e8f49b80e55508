package limit

import (
	"cmp"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Adaptive bounds the number of calls at a time by a limit that follows their latency. While the latency is near the latency
// without a queue, the limit grows; as the latency grows, the limit falls in proportion. Servers use it to refuse calls that they
// could only queue.
//
// The rule is the gradient of Netflix's Gradient2Limit (https://github.com/Netflix/concurrency-limits), computed once for each
// window of calls: limit' = limit * min(1, tolerance * baseline / latency) + sqrt(limit), smoothed. The square root is the queue
// that is allowed, as in Envoy's adaptive concurrency filter.
//
// The baseline differs. Gradient2 averages over all calls of the last minutes, so under lasting overload the queue itself becomes
// the baseline and the limit climbs without end. Here latencies of windows that filled the limit can lower the baseline but not
// raise it. If the limit stays full for ProbeWindows, two windows run with half of the limit, and the latency of the second becomes
// the baseline. A service that has really become slower gets a new baseline in this way, and a baseline that was measured with a
// queue is halved each time. Envoy's filter does the same for its minRTT, but at a fixed interval, with a limit of 3, and also when
// there is no overload.
//
// Acquire changes one atomic number, Release four. The goroutine that ends a window computes the limit under a lock that nobody
// waits for.
type Adaptive struct {
	options       AdaptiveOptions
	limit, active atomic.Int64
	// These are the numbers of the window so far.
	samples, sum, drops, peak, begun atomic.Int64

	computing sync.Mutex
	exact     float64 // the limit before rounding
	baseline  float64 // nanoseconds; 0 as long as nothing is known
	full      int     // windows in a row that filled the limit
	probing   float64 // the limit to return to after a probe, or else 0
	isDrained bool    // the calls from before the probe have ended
}

// AdaptiveOptions are the options of an [Adaptive]. The zero value means the defaults.
type AdaptiveOptions struct {
	// Initial is the first limit; Min and Max are its bounds. 0 means: 20 at first, from 5 to 1000. With too small a Min the latency
	// of single calls is noise.
	Initial, Min, Max int
	// Tolerance says how many times the baseline a latency may be before the limit falls. 0 means 1.5, as in Gradient2; it is at least
	// 1.
	Tolerance float64
	// Smoothing is the share of a new limit that is taken over from one window. 0 means 0.2, as in Gradient2; it is at most 1.
	Smoothing float64
	// Window is the least time for which calls are gathered for one step. 0 means 100 ms.
	Window time.Duration
	// WindowCalls is the least number of calls that a step needs. 0 means 20.
	WindowCalls int
	// ProbeWindows is the number of windows with a full limit after which the baseline is measured anew. 0 means 50.
	ProbeWindows int
}

// Outcome is the outcome of a call that an [Adaptive] let in.
type Outcome uint8

const (
	// Answered calls have a latency that shows the load.
	Answered Outcome = iota
	// Dropped calls ran into a timeout or were refused elsewhere for overload. A window with such calls lowers the limit by a tenth at
	// least.
	Dropped
	// Ignored calls show nothing: they failed at once, or the caller went away.
	Ignored
)

const (
	// forget is the share by which the baseline follows latencies without a queue: it follows most of the way within 20 windows.
	forget = 0.1
	// dropShare is the share of the limit that a window with dropped calls leaves, as in TCP's and Netflix's AIMD.
	dropShare = 0.9
	// steepest is the smallest gradient: one window never takes more than half of the limit, as in Gradient2.
	steepest = 0.5
	// fullShare is the share of the limit that must be in use for the limit to count as full. Below it, the latency is that without a
	// queue, and a higher limit changes nothing.
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

// Limit returns the number of calls that may be active now.
func (a *Adaptive) Limit() int { return int(a.limit.Load()) }

// Active returns the present number of calls.
func (a *Adaptive) Active() int { return int(a.active.Load()) }

// Acquire reports whether a call may begin. The caller then passes the call's end to [Adaptive.Release], once.
func (a *Adaptive) Acquire() bool {
	if !acquire(&a.active, a.limit.Load()) {
		// A full limit may show in none of the calls that end.
		a.peak.Store(a.limit.Load())
		return false
	}
	return true
}

// Release records the end of a call that was let in, and how long the call took.
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

// step ends a window. The lock is held. Calls that end meanwhile may count in either window.
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

// follow moves a limit that was full, or whose calls were dropped, towards a limit with a tolerable latency. It begins a probe when
// one is due.
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
