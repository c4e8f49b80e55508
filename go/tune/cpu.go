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

// CPUOptions are the options of [CPU]. The zero value has the defaults.
type CPUOptions struct {
	// Reserve is the number of CPUs of the quota that are left to others under the same quota, such as a sidecar; ReserveShare is that number as a
	// share of the quota. Without a quota both refer to the CPUs that the process may run on. Only one of both may be set.
	Reserve, ReserveShare float64
	// Log, if not nil, is called with one line each time GOMAXPROCS changes and when the tuner leaves it alone.
	Log func(string)
}

// CPUTuner is a running tuner of GOMAXPROCS. Several goroutines may use it.
type CPUTuner struct {
	tuner
	policy  cpuPolicy
	runtime cpuRuntime
	quotas  cpuQuotas
	now     func() time.Time
	restore func() // sets GOMAXPROCS to its value before the tuner
	set     int    // GOMAXPROCS as the tuner set it
	stats   CPUStats

	// The last readings.
	readAt time.Time
	used   time.Duration
	waits  waits
	counts map[string]quota

	// After a trial of fewer CPUs failed, none is made before barredUntil. barredFor is the length of that wait.
	barredUntil time.Time
	barredFor   time.Duration
}

// cpuRuntime is Go's scheduler, or a substitute in tests.
type cpuRuntime interface {
	// cpus returns the number of CPUs that the process may run on.
	cpus() int
	// procs returns GOMAXPROCS.
	procs() int
	setProcs(int)
	// restorer returns a function that sets GOMAXPROCS back to its present value.
	restorer() func()
	// used returns the CPU time that this process has used.
	used() time.Duration
	waits() waits
}

// waits counts how often a goroutine waited until it ran (all), and how often for lateAfter or longer (late), since the program began. Both count a
// sample of the goroutines.
type waits struct{ all, late uint64 }

// fewWaits is the least number of waits that the late part is computed of: missing waits count as in time.
const fewWaits = 20

// lateSince returns the part of the waits since an earlier count that were late.
func (w waits) lateSince(before waits) float64 {
	return float64(minus(w.late, before.late)) / float64(max(minus(w.all, before.all), fewWaits))
}

// cpuQuotas reads the quotas of the host's control groups, or those of a test.
type cpuQuotas interface{ quotas() ([]quota, error) }

// CPUStats is the state of a tuner of GOMAXPROCS at a moment.
type CPUStats struct {
	// Procs is GOMAXPROCS.
	Procs int
	// Idle is the reason why the tuner leaves GOMAXPROCS alone, or empty.
	Idle string
	// Quota is the file with the tightest quota, or empty without any; QuotaCPUs is that quota, in CPUs.
	Quota     string
	QuotaCPUs float64
	// ReservedCPUs is the number of CPUs that are left to others.
	ReservedCPUs float64
	// UsedCPUs is the number of CPUs that this process used, HeldUp the part of periods that a quota cut short, and Late the part of goroutines that
	// waited 10 ms or longer until they ran, all over the last two seconds.
	UsedCPUs, HeldUp, Late float64
	// Periods is the number of periods of the group with the tightest quota, Throttled the number of those that were cut short, and ThrottledTime the
	// time for which the group was stopped, all since the group was made.
	Periods, Throttled uint64
	ThrottledTime      time.Duration
	// Changes is the number of changes of GOMAXPROCS so far.
	Changes uint64
	// Unread is the error of the quotas that could not be read, or nil.
	Unread error
}

// chooseEvery is the interval at which GOMAXPROCS is chosen anew: 20 periods of the usual quota. It is also the time for which too few CPUs delay
// requests.
const chooseEvery = 2 * time.Second

// hasCPUTuner is true while the program has a CPU tuner.
var hasCPUTuner atomic.Bool

// CPU starts a tuner that chooses GOMAXPROCS by the CPU quota, and by how often the quota holds the program up:
//
//	defer tune.CPU(tune.CPUOptions{Reserve: 0.5}).Stop()
//
// The quota is the tightest of the process' control group and all groups above it, and its changes are followed; Go itself sees only the quota of the
// process' own group. The tuner only reports, and changes nothing, if GOMAXPROCS is set in the environment, while another part of the program sets
// GOMAXPROCS, and on systems other than Linux. It also changes nothing if the options are wrong or another tuner runs: see [CPUTuner.Err].
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

// begin sets GOMAXPROCS for the first time, unless the environment sets it or the system is not Linux. environment is the environment variable
// GOMAXPROCS.
func (t *CPUTuner) begin(environment, system string) {
	t.locked(func() {
		switch {
		case environment != "":
			t.leave("GOMAXPROCS=" + environment + " is set in the environment; remove it to have it tuned")
		case system != "linux":
			t.leave("quotas of CPU time are known on Linux only")
		default:
			t.restore = t.runtime.restorer()
			// This is done even where it changes nothing: it keeps Go from following the quota too.
			t.runtime.setProcs(t.runtime.procs())
		}
		t.set = t.runtime.procs()
		t.choose(t.read(), t.set)
	})
}

// step reads quotas and use, and sets GOMAXPROCS.
func (t *CPUTuner) step() {
	procs, reading := t.runtime.procs(), t.read()
	reading.procs = procs
	t.choose(reading, procs)
}

// choose sets GOMAXPROCS. If another part of the program has changed GOMAXPROCS, it is left alone until that part sets it back.
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

// read reads the quotas and the use since the last reading, and writes them into the statistics.
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

// end sets GOMAXPROCS to its value before the tuner, unless somebody else has set it.
func (t *CPUTuner) end() {
	if t.idle == "" && t.runtime.procs() == t.set {
		t.restore()
	}
	t.idle = "the tuner was stopped"
	t.stats.Procs = t.runtime.procs()
}

// Stats returns the present state of the tuner.
func (t *CPUTuner) Stats() CPUStats {
	t.mu.Lock()
	defer t.mu.Unlock()
	stats := t.stats
	stats.Idle = cmp.Or(t.idle, stats.Idle)
	return stats
}
