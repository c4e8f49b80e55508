package limit

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

// Rate is a token bucket: tokens come at a constant rate up to a burst, and each call takes one. In any time t at most burst +
// rate*t calls are let in.
//
// It is kept as one number, the time at which the bucket will be full (the "generic cell rate algorithm" of ITU-T I.371). So it
// needs no lock, and no goroutine that fills it.
type Rate struct {
	interval atomic.Int64 // the time between tokens, in nanoseconds, rounded up
	burst    atomic.Int64 // the time to fill an empty bucket, in nanoseconds
	full     atomic.Int64 // the time at which the bucket is full
}

const (
	minRate = 0.001
	// maxRate is the rate at which rounding the interval to nanoseconds costs at most 1 % of the rate.
	maxRate    = 1e7
	maxFilling = math.MaxInt64 / 4
)

// NewRate makes a full bucket. The rate is in calls per second, from 0.001 to 10 million; the burst is at least 1.
func NewRate(perSecond float64, burst int) (*Rate, error) {
	r := new(Rate)
	return r, r.Set(perSecond, burst)
}

// Set changes rate and burst; calls that were let in before still count.
func (r *Rate) Set(perSecond float64, burst int) error {
	if !(perSecond >= minRate && perSecond <= maxRate) {
		return fmt.Errorf("limit: the rate is %v per second; write a number from %v to %.0f", perSecond, minRate, maxRate)
	}
	interval := math.Ceil(float64(time.Second) / perSecond)
	if burst < 1 || interval*float64(burst) > maxFilling {
		return fmt.Errorf("limit: the burst is %d at %v per second; write a number from 1 to %.0f", burst, perSecond, maxFilling/interval)
	}
	r.interval.Store(int64(interval))
	r.burst.Store(int64(interval) * int64(burst))
	return nil
}

// Allow takes a token, and returns false if there is none.
func (r *Rate) Allow(now time.Duration) bool {
	interval, burst := r.interval.Load(), r.burst.Load()
	for {
		full := r.full.Load()
		next := max(full, int64(now)) + interval
		if next-int64(now) > burst {
			return false
		}
		if r.full.CompareAndSwap(full, next) {
			return true
		}
	}
}
