package tune

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"sync/atomic"
	"time"
)

// CPUOptions are what [CPU] goes by. The zero value has the defaults.
type CPUOptions struct {
	// Reserve CPUs of the quota, or a ReserveShare of it, are left to others under the same quota, such as a sidecar. Without a quota they are of
	// the CPUs that the process may run on. Only one of both may be set.
	Reserve, ReserveShare float64
	// Log, if not nil, is told in a line each when GOMAXPROCS changes and when the tuner leaves it alone.
	Log func(string)
}

// CPUTuner is a running tuner of GOMAXPROCS. Several goroutines may use it.
type CPUTuner struct {
	tuner
	policy  cpuPolicy
	runtime cpuRuntime
	quotas  cpuQuotas
	now     func() time.Time
	restore func() // sets GOMAXPROCS to what it was before
	set     int    // GOMAXPROCS by the tuner
	stats   CPUStats

	// What was read last.
	readAt time.Time
	used   time.Duration
	waits  waits
	counts map[string]quota

	// Fewer CPUs that were too few are not tried again before barredUntil, which was barredFor away.
	barredUntil time.Time
	barredFor   time.Duration
}

// cpuRuntime is Go's scheduler, or a test's.
type cpuRuntime interface {
	// cpus that the process may run on.
	cpus() int
	// procs is GOMAXPROCS.
	procs() int
	setProcs(int)
	// restorer sets GOMAXPROCS to what it is now.
	restorer() func()
	// used CPU time of this process.
	used() time.Duration
	waits() waits
}

// waits count how often a goroutine waited until it ran, and how often for lateAfter or longer, since the program began. Both are of a sample.
type waits struct{ all, late uint64 }

// fewWaits are too few to tell which part of them was late: the rest is taken to be in time.
const fewWaits = 20

// lateSince is the part that was late since they were counted before.
func (w waits) lateSince(before waits) float64 {
	return float64(minus(w.late, before.late)) / float64(max(minus(w.all, before.all), fewWaits))
}

// cpuQuotas are those of the host's control groups, or a test's.
type cpuQuotas interface{ quotas() ([]quota, error) }

// CPUStats is what a tuner of GOMAXPROCS does at a moment.
type CPUStats struct {
	// Procs is GOMAXPROCS.
	Procs int
	// Idle is why the tuner leaves GOMAXPROCS alone, or empty.
	Idle string
	// Quota is the file with the tightest quota, or empty without any; QuotaCPUs is that quota, in CPUs.
	Quota     string
	QuotaCPUs float64
	// ReservedCPUs are left to others.
	ReservedCPUs float64
	// UsedCPUs of this process, the part of periods that a quota cut short, and the part of goroutines that waited 10 ms or longer until they
	// ran, over the last two seconds.
	UsedCPUs, HeldUp, Late float64
	// Periods of the group with the tightest quota, those that were cut short, and how long the group was stopped in all, since there is the group.
	Periods, Throttled uint64
	ThrottledTime      time.Duration
	// Changes of GOMAXPROCS so far.
	Changes uint64
	// Unread is what of the quotas could not be read, or nil.
	Unread error
}

// chooseEvery is how often GOMAXPROCS is chosen anew: 20 periods of the usual quota. It is also for how long too few CPUs delay requests.
const chooseEvery = 2 * time.Second

// hasCPUTuner is true while there is one.
var hasCPUTuner atomic.Bool

// CPU chooses GOMAXPROCS by the CPU quota, and by how often the quota holds the program up:
//
//	defer tune.CPU(tune.CPUOptions{Reserve: 0.5}).Stop()
//
// The quota is the tightest of the process' control group and all above it, and is followed as it changes; Go itself sees only that of the
// process' own group. A GOMAXPROCS that was set in the environment holds, and the tuner only reports; so it does while another part of
// the program sets GOMAXPROCS, and on other systems than Linux. Wrong options, and a second tuner, leave it alone too: [CPUTuner.Err].
func CPU(options CPUOptions) *CPUTuner {
	t, err := newCPUTuner(options, goScheduler{}, newQuotaReader(hostFiles()), time.Now)
	if !t.claim(&hasCPUTuner, err) {
		return t
	}
	t.begin(os.Getenv("GOMAXPROCS"), runtime.GOOS)
	ticker := time.NewTicker(chooseEvery)
	t.start(nil, ticker.C, t.step, func() {
		ticker.Stop()
		t.end()
	})
	return t
}

func newCPUTuner(options CPUOptions, runtime cpuRuntime, quotas cpuQuotas, now func() time.Time) (*CPUTuner, error) {
	t := &CPUTuner{tuner: tuner{setting: "GOMAXPROCS", log: options.Log}, runtime: runtime, quotas: quotas, now: now,
		policy: cpuPolicy{options.Reserve, options.ReserveShare}}
	switch {
	case !(options.Reserve >= 0 && options.Reserve <= math.MaxInt32) || !(options.ReserveShare >= 0 && options.ReserveShare < 1):
		return t, fmt.Errorf("tune: %v CPUs or a share of %v reserved; write CPUs from 0, or a share from 0 and below 1",
			options.Reserve, options.ReserveShare)
	case options.Reserve > 0 && options.ReserveShare > 0:
		return t, errors.New("tune: CPUs and a share of them are reserved; set one of both")
	}
	return t, nil
}

// begin sets GOMAXPROCS for the first time, unless somebody has said what it is to be. environment is GOMAXPROCS of the environment.
func (t *CPUTuner) begin(environment, system string) {
	t.locked(func() {
		switch {
		case environment != "":
			t.leave("GOMAXPROCS=" + environment + " is set in the environment; remove it to have it tuned")
		case system != "linux":
			t.leave("quotas of CPU time are known on Linux only")
		default:
			t.restore = t.runtime.restorer()
			// Also where that changes nothing: it keeps Go from following the quota too.
			t.runtime.setProcs(t.runtime.procs())
		}
		t.set = t.runtime.procs()
		t.choose(t.read(), t.set)
	})
}

// step reads what there is to read, and sets GOMAXPROCS.
func (t *CPUTuner) step() {
	procs, reading := t.runtime.procs(), t.read()
	reading.procs = procs
	t.choose(reading, procs)
}

// choose sets GOMAXPROCS. One that is no longer the tuner's is another part's of the program, until that sets it back.
func (t *CPUTuner) choose(r cpuReading, procs int) {
	s := &t.stats
	s.Procs = procs
	t.yield(&s.Idle, t.set, procs)
	choice := t.policy.decide(r)
	if t.idle != "" || s.Idle != "" || choice.procs == procs {
		return
	}
	if choice.isFailed {
		t.barredFor = min(max(2*t.barredFor, tryAgain), tryAgainMost)
		t.barredUntil = t.readAt.Add(t.barredFor)
	}
	t.runtime.setProcs(choice.procs)
	t.set, s.Procs = choice.procs, choice.procs
	s.Changes++
	t.note("GOMAXPROCS is %d, after %d: the quota is %.4g CPUs (0: none), %.4g are reserved, %.3g %% of periods were cut short, and %.3g %% of goroutines waited %v",
		choice.procs, procs, r.quota, s.ReservedCPUs, 100*r.heldUp, 100*r.late, lateAfter)
}

// read reads quotas and what was used since they were read last, and writes them into the statistics.
func (t *CPUTuner) read() cpuReading {
	now, used, waits := t.now(), t.runtime.used(), t.runtime.waits()
	quotas, err := t.quotas.quotas()
	s := &t.stats
	if took := now.Sub(t.readAt); !t.readAt.IsZero() && took > 0 {
		s.UsedCPUs, s.Late = (used-t.used).Seconds()/took.Seconds(), waits.lateSince(t.waits)
	}
	var tightest quota
	s.HeldUp = 0
	counts := make(map[string]quota, len(quotas))
	for _, q := range quotas {
		if tightest.cpus == 0 || q.cpus < tightest.cpus {
			tightest = q
		}
		if before, isKnown := t.counts[q.name]; isKnown {
			s.HeldUp = max(s.HeldUp, q.heldUpSince(before))
		}
		counts[q.name] = q
	}
	t.readAt, t.used, t.waits, t.counts = now, used, waits, counts
	reading := cpuReading{cpus: t.runtime.cpus(), quota: tightest.cpus, heldUp: s.HeldUp, used: s.UsedCPUs,
		late: s.Late, isBarred: now.Before(t.barredUntil)}
	s.Quota, s.QuotaCPUs, s.ReservedCPUs, s.Unread = tightest.name, tightest.cpus, t.policy.reserved(reading), err
	s.Periods, s.Throttled, s.ThrottledTime = tightest.periods, tightest.throttled, tightest.throttledTime
	return reading
}

// end sets GOMAXPROCS to what it was, unless somebody else has set it.
func (t *CPUTuner) end() {
	if t.idle == "" && t.runtime.procs() == t.set {
		t.restore()
	}
	t.idle = "the tuner was stopped"
	t.stats.Procs = t.runtime.procs()
}

// Stats tells what the tuner does now.
func (t *CPUTuner) Stats() CPUStats {
	t.mu.Lock()
	defer t.mu.Unlock()
	stats := t.stats
	stats.Idle = cmp.Or(t.idle, stats.Idle)
	return stats
}
