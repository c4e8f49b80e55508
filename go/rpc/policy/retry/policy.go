package retry

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// Policy says how often and when an attempt is repeated after a failure. The zero value means the defaults.
type Policy struct {
	// Attempts is the number of attempts of a call in all, with the first attempt and backup requests. 0 means 3, 1 means no retry; it
	// is at most [MaxAttempts].
	Attempts int
	// Base bounds the wait before the second attempt. 0 means 25 ms, as in Envoy.
	Base time.Duration
	// Max bounds every wait. 0 means ten times Base, as in Envoy.
	Max time.Duration
	// Multiplier is the factor of the bound from one wait to the next. 0 means 2; it is at least 1.
	Multiplier float64
	// AttemptTimeout ends an attempt that takes longer. 0 means that an attempt may take all the time that is left of the call.
	AttemptTimeout time.Duration
	// MinAttempt is the shortest time worth an attempt. If less would be left after the wait, the call fails at once. 0 means 1 ms.
	MinAttempt time.Duration
}

// MaxAttempts is the largest number of attempts that a policy may have: more attempts only add load.
const MaxAttempts = 10

const (
	defaultAttempts   = 3
	defaultBase       = 25 * time.Millisecond
	defaultMultiplier = 2
	defaultMinAttempt = time.Millisecond
)

// Check returns the policy with defaults filled in, or an error that names the field that is wrong.
func (p Policy) Check() (Policy, error) {
	switch {
	case p.Attempts < 0 || p.Attempts > MaxAttempts:
		return p, fmt.Errorf("retry: %d attempts; write 1 (no retry) to %d", p.Attempts, MaxAttempts)
	case p.Base < 0 || p.Max < 0 || p.AttemptTimeout < 0 || p.MinAttempt < 0:
		return p, fmt.Errorf("retry: a duration is negative (base %v, max %v, attempt timeout %v, least attempt %v); write 0 for the default",
			p.Base, p.Max, p.AttemptTimeout, p.MinAttempt)
	case p.Multiplier != 0 && !(p.Multiplier >= 1 && p.Multiplier <= 100):
		return p, fmt.Errorf("retry: the multiplier is %v; write a number from 1 to 100", p.Multiplier)
	}
	p.Attempts = cmp.Or(p.Attempts, defaultAttempts)
	p.Base = cmp.Or(p.Base, defaultBase)
	p.Max = cmp.Or(p.Max, saturate(10*float64(p.Base)))
	p.Multiplier = cmp.Or(p.Multiplier, defaultMultiplier)
	p.MinAttempt = cmp.Or(p.MinAttempt, defaultMinAttempt)
	if p.Max < p.Base {
		return p, fmt.Errorf("retry: the longest wait %v is shorter than the base %v; raise Max or lower Base", p.Max, p.Base)
	}
	return p, nil
}

// Backoff returns the wait before a retry: a uniform share of min(Max, Base * Multiplier^(number-1)). The first retry has number 1.
// This is "full jitter" of https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/, which needs the fewest calls
// to let competing clients through. The policy must be one that [Policy.Check] returned.
func (p *Policy) Backoff(number int, random uint64) time.Duration {
	bound := float64(p.Base)
	for ; number > 1 && bound < float64(p.Max); number-- {
		bound *= p.Multiplier
	}
	return time.Duration(fraction(random) * min(bound, float64(p.Max)))
}

// fraction returns a random number as a float64 from 0 (inclusive) to 1 (exclusive).
func fraction(random uint64) float64 { return float64(random>>11) / (1 << 53) }

func saturate(d float64) time.Duration {
	if d >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(d)
}
