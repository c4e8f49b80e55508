// Package warmup lets an instance that has just started get its calls little by little, while its caches fill and its code is not
// warm yet.
//
// It is Envoy's slow start (https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/load_balancing/slow_start)
// with its defaults: weight * max(least, (age / window)^(1/aggression)). It is one pure function. Node.SetShare of package balance
// takes its result.
package warmup

import (
	"fmt"
	"math"
	"time"
)

// Policy says how the weight of a new instance grows. The zero value means no warm-up: every instance has all of its weight.
type Policy struct {
	// Window is the time that an instance warms up. 0 means no warm-up.
	Window time.Duration
	// Aggression says when the weight grows: above 1 it grows more at the start, below 1 more at the end; at 1 it grows evenly with
	// time. 0 means 1; it is from 0.1 to 10.
	Aggression float64
	// Least is the share of its weight that an instance has from the start. 0 means 0.1.
	Least float64
}

// Check returns the policy with defaults filled in, or an error that names the field that is wrong.
func (p Policy) Check() (Policy, error) {
	if p.Aggression == 0 {
		p.Aggression = 1
	}
	if p.Least == 0 {
		p.Least = 0.1
	}
	switch {
	case p.Window < 0:
		return p, fmt.Errorf("warmup: the window is %v; write a positive one, or 0 for none", p.Window)
	case !(p.Aggression >= 0.1 && p.Aggression <= 10):
		return p, fmt.Errorf("warmup: the aggression is %v; write a number from 0.1 to 10", p.Aggression)
	case !(p.Least > 0 && p.Least <= 1):
		return p, fmt.Errorf("warmup: the least share is %v; write a number above 0, at most 1", p.Least)
	}
	return p, nil
}

// Share returns the share of its weight that an instance has at an age: the time since it was first seen, or since it said that it
// started. The policy must be one that [Policy.Check] returned.
func (p Policy) Share(age time.Duration) float64 {
	if age >= p.Window {
		return 1
	}
	return max(p.Least, math.Pow(max(age.Seconds(), 0)/p.Window.Seconds(), 1/p.Aggression))
}
