// Package outlier finds instances that fail more than the others of their service, and has them ejected for a while.
//
// It follows Envoy's outlier detection (https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/outlier) with its
// defaults. An instance is ejected at once after several failures in a row, or at the end of an interval if its success rate is far
// below that of the others or its share of failures is too high. An ejection takes the base time, multiplied by the number of times
// that the instance has been ejected lately. Envoy's probabilities of enforcement are left out: switch off a test that you do not
// want.
//
// Nothing reads a clock: times are those of a monotonic clock, as durations since any fixed moment. Several goroutines may call the
// methods. A report changes at most three atomic numbers of its instance; only ejections and [Detector.Sweep] take a lock.
package outlier

import (
	"cmp"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Options are the options of a [Detector]. The zero value means the defaults, which are Envoy's.
type Options struct {
	// Consecutive is the number of failures in a row that eject an instance at once. 0 means 5; a negative number means never.
	Consecutive int
	// BaseEjection is the time of a first ejection. 0 means 30 s.
	BaseEjection time.Duration
	// MaxEjection is the longest time of an ejection. 0 means 300 s.
	MaxEjection time.Duration
	// MaxEjected is the share of ejected instances below which one more may be ejected, so at least one may. 0 means 0.1.
	MaxEjected float64

	// SuccessDeviations is the number of standard deviations, below the mean of all instances, under which a success rate must be. 0
	// means 1.9; a negative number means never.
	SuccessDeviations float64
	// SuccessHosts is the number of instances with enough calls that are needed to compare success rates. 0 means 5.
	SuccessHosts int
	// SuccessCalls is the number of calls of an instance within an interval from which its success rate counts. 0 means 100.
	SuccessCalls int

	// FailureShare is the share of failures, of an instance's calls, that ejects it whatever the other instances do, such as 0.85. 0
	// means never, as in Envoy.
	FailureShare float64
	// FailureHosts and FailureCalls are for FailureShare what SuccessHosts and SuccessCalls are for success rates. 0 means 5 and 50.
	FailureHosts, FailureCalls int
}

// Interval is the time between calls of [Detector.Sweep]. The caller must keep to it. It is the same as Envoy's.
const Interval = 10 * time.Second

// Detector watches the instances of one service.
type Detector struct {
	options Options
	lock    sync.Mutex
	hosts   map[*Host]struct{}
	ejected int
}

// Host is one instance.
type Host struct {
	detector *Detector
	changed  func(isEjected bool)
	// These are numbers of the interval so far.
	calls, failures atomic.Int64
	consecutive     atomic.Int64

	// The fields below are under the detector's lock.
	isEjected, isRemoved bool
	until                time.Duration
	ejections            int // the number of ejections lately
}

// New makes a detector without instances.
func New(options Options) (*Detector, error) {
	options.Consecutive = cmp.Or(options.Consecutive, 5)
	options.BaseEjection = cmp.Or(options.BaseEjection, 30*time.Second)
	options.MaxEjection = cmp.Or(options.MaxEjection, max(300*time.Second, options.BaseEjection))
	options.MaxEjected = cmp.Or(options.MaxEjected, 0.1)
	options.SuccessDeviations = cmp.Or(options.SuccessDeviations, 1.9)
	options.SuccessHosts = cmp.Or(options.SuccessHosts, 5)
	options.SuccessCalls = cmp.Or(options.SuccessCalls, 100)
	options.FailureHosts = cmp.Or(options.FailureHosts, 5)
	options.FailureCalls = cmp.Or(options.FailureCalls, 50)
	switch {
	case options.BaseEjection < 0 || options.MaxEjection < options.BaseEjection:
		return nil, fmt.Errorf("outlier: ejections take %v, at most %v; write a base that is not above the most",
			options.BaseEjection, options.MaxEjection)
	case !(options.MaxEjected > 0 && options.MaxEjected <= 1) || !(options.FailureShare >= 0 && options.FailureShare <= 1):
		return nil, fmt.Errorf("outlier: at most %v ejected, by a share of failures of %v; write shares from 0 to 1",
			options.MaxEjected, options.FailureShare)
	case math.IsNaN(options.SuccessDeviations):
		return nil, fmt.Errorf("outlier: SuccessDeviations is no number; write 1.9, or -1 to ignore success rates")
	case min(options.SuccessHosts, options.SuccessCalls, options.FailureHosts, options.FailureCalls) < 1:
		return nil, fmt.Errorf("outlier: success rates of %d hosts with %d calls, failures of %d with %d; write numbers of at least 1",
			options.SuccessHosts, options.SuccessCalls, options.FailureHosts, options.FailureCalls)
	}
	return &Detector{options: options, hosts: map[*Host]struct{}{}}, nil
}

// Add begins to watch an instance. changed is called when the instance is ejected and when it comes back, under the detector's
// lock: it must not call the detector.
func (d *Detector) Add(changed func(isEjected bool)) *Host {
	h := &Host{detector: d, changed: changed}
	d.lock.Lock()
	defer d.lock.Unlock()
	d.hosts[h] = struct{}{}
	return h
}

// Remove ends watching an instance. If the instance is ejected, the ejection ends too, and changed is not called.
func (d *Detector) Remove(h *Host) {
	d.lock.Lock()
	defer d.lock.Unlock()
	if _, isWatched := d.hosts[h]; !isWatched {
		return
	}
	delete(d.hosts, h)
	h.isRemoved = true
	if h.isEjected {
		d.ejected--
	}
}

// Ejected returns the number of instances that are ejected now.
func (d *Detector) Ejected() int {
	d.lock.Lock()
	defer d.lock.Unlock()
	return d.ejected
}

// Report records the outcome of a call. Errors of the application are successes: the instance works.
func (h *Host) Report(now time.Duration, isFailure bool) {
	h.calls.Add(1)
	if !isFailure {
		if h.consecutive.Load() != 0 {
			h.consecutive.Store(0)
		}
		return
	}
	h.failures.Add(1)
	consecutive := h.consecutive.Add(1)
	if limit := h.detector.options.Consecutive; limit > 0 && consecutive >= int64(limit) {
		h.consecutive.Store(0)
		h.detector.lock.Lock()
		defer h.detector.lock.Unlock()
		h.detector.eject(now, h)
	}
}

// eject ejects an instance, unless too many are ejected already. The lock is held.
func (d *Detector) eject(now time.Duration, h *Host) {
	if h.isEjected || h.isRemoved || float64(d.ejected) >= d.options.MaxEjected*float64(len(d.hosts)) {
		return
	}
	d.ejected++
	h.isEjected = true
	h.ejections++
	// The product is computed as a float64, which no such product exceeds.
	h.until = now + time.Duration(min(float64(d.options.BaseEjection)*float64(h.ejections), float64(d.options.MaxEjection)))
	h.changed(true)
}

// Sweep ends an interval. Ejections that are over end, instances that were not ejected lately are trusted more again, and instances
// with too low a success rate or too many failures in the interval are ejected.
func (d *Detector) Sweep(now time.Duration) {
	d.lock.Lock()
	defer d.lock.Unlock()
	var tallies []tally
	for h := range d.hosts {
		calls, failures := h.calls.Swap(0), h.failures.Swap(0)
		switch {
		case h.isEjected && now >= h.until:
			d.ejected--
			h.isEjected = false
			h.consecutive.Store(0)
			h.changed(false)
		case !h.isEjected:
			if h.ejections > 0 && now-h.until >= Interval {
				h.ejections--
			}
			// Because of a report between the two swaps there may be more failures than calls.
			tallies = append(tallies, tally{h, float64(calls), float64(min(failures, calls))})
		}
	}
	d.ejectBySuccess(now, tallies)
	d.ejectByFailures(now, tallies)
}

// tally has the numbers of an instance, in an interval, that is not ejected.
type tally struct {
	host            *Host
	calls, failures float64
}

func (d *Detector) ejectBySuccess(now time.Duration, tallies []tally) {
	tallies = withCalls(tallies, d.options.SuccessCalls)
	if d.options.SuccessDeviations < 0 || len(tallies) < d.options.SuccessHosts {
		return
	}
	rate := func(t tally) float64 { return 1 - t.failures/t.calls }
	mean, variance := 0.0, 0.0
	for _, t := range tallies {
		mean += rate(t) / float64(len(tallies))
	}
	for _, t := range tallies {
		variance += (rate(t) - mean) * (rate(t) - mean) / float64(len(tallies))
	}
	least := mean - d.options.SuccessDeviations*math.Sqrt(variance)
	for _, t := range tallies {
		if rate(t) < least {
			d.eject(now, t.host)
		}
	}
}

func (d *Detector) ejectByFailures(now time.Duration, tallies []tally) {
	tallies = withCalls(tallies, d.options.FailureCalls)
	if d.options.FailureShare == 0 || len(tallies) < d.options.FailureHosts {
		return
	}
	for _, t := range tallies {
		if t.failures >= d.options.FailureShare*t.calls {
			d.eject(now, t.host)
		}
	}
}

func withCalls(tallies []tally, least int) []tally {
	var enough []tally
	for _, t := range tallies {
		if t.calls >= float64(least) {
			enough = append(enough, t)
		}
	}
	return enough
}
