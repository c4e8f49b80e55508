package tune

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"sync/atomic"
	"time"
)

// GCOptions are the options of [GC]. The zero value has the defaults.
type GCOptions struct {
	// Threshold is the part of the memory limit up to which the heap, with all other memory below the limit, may grow before it is collected. 0 means
	// 0.7; at most 0.97.
	Threshold float64
	// MinPercent and MaxPercent are the bounds of GOGC, as long as the limit allows MinPercent. 0 means 50 and 500.
	MinPercent, MaxPercent int
	// MaxShare is the part of the CPU time of GOMAXPROCS CPUs that collections may take for long. Beyond it the heap may grow instead, though the
	// program may then be killed for its memory. 0 means 0.25; 1 is for programs that would rather be slow than be killed.
	MaxShare float64
	// LeastHeap is the number of bytes that the heap may grow to before it is collected, even if little of it is live: a service with short-lived
	// messages has almost no live memory. 0 means 32 MiB; Go itself uses 4 MiB.
	LeastHeap uint64
	// Log, if not nil, is called with one line when the tuner leaves GOGC alone, when memory becomes tight, and when it no longer is.
	Log func(string)
}

// GCTuner is a running tuner of the collector. Several goroutines may use it.
type GCTuner struct {
	tuner
	policy  gcPolicy
	runtime gcRuntime
	memory  memoryLimits
	now     func() time.Time
	before  gcSettings // the settings to restore
	set     gcSettings // as the tuner set them
	stats   GCStats

	state   gcState // when collections were measured last
	stateAt time.Time
	// survival is the part of recently allocated memory that is still live.
	survival float64
	limits   []gcLimit // of control groups
	readAt   time.Time
}

// memoryLimits reads the limits of the host's control groups, or those of a test.
type memoryLimits interface {
	limits() ([]memoryLimit, error)
	resident() uint64
}

// GCStats is the state of a tuner of the collector at a moment.
type GCStats struct {
	// Percent is GOGC, -1 if it is off. GoLimitBytes is Go's memory limit, math.MaxInt64 if there is none.
	Percent      int
	GoLimitBytes uint64
	// Idle is the reason why the tuner leaves GOGC alone, or empty.
	Idle string
	// Tight is true if the memory limit requires a GOGC below the smallest of the options: a service had better shed load.
	Tight bool
	// Limit is the file with the limit that leaves the least to the heap, or GOMEMLIMIT, or empty without any; LimitBytes is that limit.
	Limit      string
	LimitBytes uint64
	// LiveBytes is the number of bytes of the heap that were in use when the last collection ended.
	LiveBytes uint64
	// OtherBytes is the memory below the limit that is not the heap's: stacks, code, memory of C, other processes. ProcessesBytes is the part of
	// OtherBytes that belongs to other processes, and to the kernel for all of them.
	OtherBytes, ProcessesBytes uint64
	// Share is the part of the CPU time of GOMAXPROCS CPUs that collections take, smoothed over ten seconds.
	Share float64
	// Changes is the number of changes of GOGC so far.
	Changes uint64
	// Unread is the error of the limits that could not be read, or nil.
	Unread error
}

const (
	// lookEvery is the interval at which memory is checked without a collection: other processes may grow while this one does not collect.
	lookEvery = time.Second
	// readAfter is the least time between two readings of control groups, however often collections are: a reading costs some 0.1 ms.
	readAfter = 100 * time.Millisecond
)

// hasGCTuner is true while the program has a GC tuner.
var hasGCTuner atomic.Bool

// GC starts a tuner that sets GOGC anew after each collection, so that the heap uses the memory that the program may have and no more:
//
//	defer tune.GC(tune.GCOptions{}).Stop()
//
// The limit is the one that leaves the least to the heap, of GOMEMLIMIT and the limits of the process' control group and all groups above it, which
// are read again each time. Without a limit GOGC stays as it is, except for LeastHeap. The tuner only reports, and changes nothing, if GOGC is set in
// the environment or turned off, and while another part of the program sets GOGC. It also changes nothing if the options are wrong or another tuner
// runs: see [GCTuner.Err].
//
// Go's own memory limit is lowered to the tightest limit as well, and never raised above its earlier value.
func GC(options GCOptions) *GCTuner {
	t, err := newGCTuner(options, newGoRuntime(), newMemoryReader(hostFiles()), time.Now)
	if !t.claim(&hasGCTuner, err) {
		return t
	}
	t.begin(os.Getenv("GOGC"))
	rings, stopBell := newBell()
	ticker := time.NewTicker(lookEvery)
	t.start(rings, ticker.C, t.step, func() {
		ticker.Stop()
		stopBell()
		t.restore()
	})
	return t
}

func newGCTuner(options GCOptions, runtime gcRuntime, memory memoryLimits, now func() time.Time) (*GCTuner, error) {
	policy := gcPolicy{
		threshold:  cmp.Or(options.Threshold, 0.7),
		minPercent: cmp.Or(options.MinPercent, 50),
		maxPercent: cmp.Or(options.MaxPercent, max(500, options.MinPercent)),
		maxShare:   cmp.Or(options.MaxShare, 0.25),
		leastHeap:  cmp.Or(options.LeastHeap, 32<<20),
	}
	t := &GCTuner{tuner: tuner{setting: "GOGC", log: options.Log}, policy: policy, runtime: runtime, memory: memory, now: now}
	switch {
	case !(policy.threshold > 0 && policy.threshold <= ceiling):
		return t, fmt.Errorf("tune: threshold %v; write a part of the limit above 0, at most %v", policy.threshold, ceiling)
	case policy.minPercent < 1 || policy.maxPercent < policy.minPercent || policy.maxPercent > math.MaxInt32:
		return t, fmt.Errorf("tune: GOGC from %d to %d; write them in the order min <= max, from 1", policy.minPercent, policy.maxPercent)
	case !(policy.maxShare > 0 && policy.maxShare <= 1):
		return t, fmt.Errorf("tune: share %v of CPU time for collections; write one above 0, at most 1", policy.maxShare)
	}
	return t, nil
}

// begin sets GOGC for the first time, unless the environment sets it or the program has turned it off. environment is the environment variable GOGC.
func (t *GCTuner) begin(environment string) {
	t.locked(func() {
		t.state, t.stateAt = t.runtime.read(), t.now()
		t.before, t.set = t.state.gcSettings, t.state.gcSettings
		switch {
		case environment != "":
			t.leave("GOGC=" + environment + " is set in the environment; remove it to have it tuned")
		case t.before.percent < 0:
			t.leave("the program has turned it off; remove that to have it tuned")
		}
		t.step()
	})
}

// step reads the state of memory, and sets GOGC and Go's memory limit by it.
func (t *GCTuner) step() {
	state, now := t.runtime.read(), t.now()
	t.measure(state, now)
	limits := t.readLimits(state, now)
	decision := t.policy.decide(gcReading{
		limits: limits, isUnsure: t.stats.Unread != nil, live: state.live, roots: state.roots, besides: minus(state.total, state.heap),
		survival: t.survival, share: t.stats.Share, before: t.before,
	})
	if t.idle == "" {
		t.apply(decision.gcSettings, &state)
	}
	t.report(decision, state)
}

// apply sets the settings that differ. If another part of the program has changed a setting, it is left alone until that part sets it back.
func (t *GCTuner) apply(to gcSettings, state *gcState) {
	if state.percent == t.set.percent && state.percent != to.percent {
		t.runtime.setPercent(to.percent)
		t.set.percent, state.percent = to.percent, to.percent
		t.stats.Changes++
	}
	if state.limit == t.set.limit && state.limit != to.limit {
		t.runtime.setLimit(to.limit)
		t.set.limit, state.limit = to.limit, to.limit
	}
}

// measure updates the share of CPU time and the survival of memory by the collections since the last measurement.
func (t *GCTuner) measure(state gcState, now time.Time) {
	if state.cycles == t.state.cycles {
		return
	}
	if available := state.available - t.state.available; available > 0 {
		t.stats.Share = smoothed(t.stats.Share, (state.collecting-t.state.collecting)/available, now.Sub(t.stateAt))
	}
	t.survival = survived(t.survival, t.state.live, state.live, state.allocated-t.state.allocated)
	t.state, t.stateAt = state, now
}

// readLimits returns the limits of control groups, read anew after readAfter, and GOMEMLIMIT.
func (t *GCTuner) readLimits(state gcState, now time.Time) []gcLimit {
	if t.readAt.IsZero() || now.Sub(t.readAt) >= readAfter {
		limits, err := t.memory.limits()
		resident := t.memory.resident()
		t.limits, t.readAt, t.stats.Unread = nil, now, err
		for _, limit := range limits {
			t.limits = append(t.limits, limitOf(limit, state, resident))
		}
	}
	user := t.before.limit
	if state.limit != t.set.limit {
		user = state.limit
	}
	if user >= unlimited {
		return t.limits
	}
	return append(slices.Clone(t.limits), gcLimit{name: "GOMEMLIMIT", bytes: user, other: minus(state.total, state.heap)})
}

// limitOf splits the memory that is used below a limit. Memory that Go holds but never touched is not used yet: so the memory besides the heap is
// also no less than the memory of other processes plus Go's own memory besides the heap.
func limitOf(limit memoryLimit, state gcState, resident uint64) gcLimit {
	processes := minus(limit.used, resident)
	other := max(minus(limit.used, state.heap), processes+minus(state.total, state.heap))
	return gcLimit{limit.name, limit.bytes, other, processes}
}

// report writes a decision into the statistics, and notable changes into the log.
func (t *GCTuner) report(d gcDecision, state gcState) {
	s := &t.stats
	var limit gcLimit
	if d.tightest != nil {
		limit = *d.tightest
	}
	s.Limit, s.LimitBytes, s.OtherBytes, s.ProcessesBytes = limit.name, limit.bytes, limit.other, limit.processes
	s.Percent, s.GoLimitBytes, s.LiveBytes = state.percent, state.limit, state.live
	if d.isTight && !s.Tight {
		t.note("memory is tight: %d MiB are live, and of %d MiB in %s %d MiB are not the heap's; shed load or raise the limit",
			s.LiveBytes>>20, limit.bytes>>20, limit.name, limit.other>>20)
	} else if s.Tight && !d.isTight {
		t.note("memory is no longer tight")
	}
	s.Tight = d.isTight
	t.yield(&s.Idle, t.set.percent, state.percent)
}

// restore sets the settings from before the tuner, unless somebody else has changed them.
func (t *GCTuner) restore() {
	state := t.runtime.read()
	if t.idle == "" {
		t.apply(t.before, &state)
	}
	t.idle = "the tuner was stopped"
	t.stats.Percent, t.stats.GoLimitBytes = state.percent, state.limit
}

// Stats returns the present state of the tuner.
func (t *GCTuner) Stats() GCStats {
	t.mu.Lock()
	defer t.mu.Unlock()
	stats := t.stats
	stats.Idle = cmp.Or(t.idle, stats.Idle)
	return stats
}
