package fanout

import (
	"math"
	"time"

	"hone/go/rpc/policy/limit"
)

// seen is what the last calls show of the service: their mean latency and the mean deviation from it, in nanoseconds and smoothed,
// as TCP keeps round trips (V. Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988), and the share of calls that were
// dropped. All are 0 as long as nothing is known.
type seen struct{ mean, deviation, drops float64 }

const (
	// smoothing is the share of one call in the latency: the last 16 calls or so count.
	smoothing = 1.0 / 16
	// deviations is the number of deviations above the mean that nearly all calls stay below: 97 % where latencies are exponential,
	// all where they are uniform.
	deviations = 3
	// dropSmoothing is the share of one call in drops: the last 64 calls or so count.
	dropSmoothing = 1.0 / 64
	// fewDrops is the share of dropped calls up to which the bound is not lowered for them. Calls that waited at the caller until
	// little time was left are dropped now and then, however low the bound is. If the bound were lowered for each of them, calls would
	// wait longer, and more of them would be dropped.
	fewDrops = 0.05
)

// observe learns from a call that has ended, and returns the outcome that the bound should be given.
func (s *seen) observe(latency time.Duration, outcome limit.Outcome) limit.Outcome {
	took := float64(latency)
	if outcome == limit.Ignored || outcome == limit.Dropped && took < s.mean {
		// A call that had less time than other calls need says nothing about the service.
		return limit.Ignored
	}
	if s.mean == 0 {
		s.mean = took
	}
	off := took - s.mean
	s.mean += smoothing * off
	s.deviation += smoothing * (math.Abs(off) - s.deviation)
	s.drops -= dropSmoothing * s.drops
	if outcome == limit.Dropped {
		s.drops += dropSmoothing
	}
	if s.drops <= fewDrops {
		return limit.Answered
	}
	return outcome
}

// most returns a time within which nearly all calls end.
func (s *seen) most() float64 { return s.mean + deviations*s.deviation }
