package fanout

import (
	"math"
	"time"

	"hone/go/rpc/limit"
)

// seen is what the last calls tell of the service: their mean latency and mean deviation from it, in nanoseconds and smoothed, as TCP keeps
// round trips (V. Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988), and the share that was dropped. All is 0 as long as nothing is
// known.
type seen struct{ mean, deviation, drops float64 }

const (
	// smoothing is the share that one call has of the latency: the last 16 calls or so count.
	smoothing = 1.0 / 16
	// deviations above the mean are what nearly all calls take at most: 97 % where latencies are exponential, all where they are uniform.
	deviations = 3
	// dropSmoothing is the share that one call has of the dropped ones: the last 64 or so count.
	dropSmoothing = 1.0 / 64
	// fewDrops is the share of dropped calls up to which the bound is not lowered for them. Calls that waited here until little time was left
	// are dropped now and then however low the bound is: to lower it for each would make them wait longer, and more of them be dropped.
	fewDrops = 0.05
)

// observe learns from a call that has ended, and gives what the bound is to be told of it.
func (s *seen) observe(latency time.Duration, outcome limit.Outcome) limit.Outcome {
	took := float64(latency)
	if outcome == limit.Ignored || outcome == limit.Dropped && took < s.mean {
		// A call that had less time than others need says nothing of the service.
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

// most is how long nearly all calls take.
func (s *seen) most() float64 { return s.mean + deviations*s.deviation }
