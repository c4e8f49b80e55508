package rpc

import (
	"cmp"
	"context"
	"errors"
	"time"

	"hone/go/rpc/policy/limit"
)

// Limits bound the load of a server: a call beyond them is refused at once, with [ResourceExhausted], so that clients may go elsewhere. The
// zero value bounds nothing.
type Limits struct {
	// PerSecond is the number of calls that are accepted per second, and Burst the number that are accepted at once after a silence; a Burst of 0
	// is a tenth of PerSecond.
	PerSecond float64
	Burst     int
	// Concurrent is the number of calls that may be answered at the same time.
	Concurrent int
	// Adaptive finds, by the latency of calls, the number that may be answered at the same time. Nil turns this off.
	Adaptive *limit.AdaptiveOptions
}

// admission is the checked form of [Limits].
type admission struct {
	began      time.Time
	rate       *limit.Rate
	concurrent *limit.Concurrency
	adaptive   *limit.Adaptive
}

// newAdmission makes an admission of limits. It returns nil if nothing is bounded.
func newAdmission(limits Limits) (*admission, error) {
	if limits == (Limits{}) {
		return nil, nil
	}
	a := &admission{began: time.Now()}
	var err error
	if limits.PerSecond > 0 {
		burst := cmp.Or(limits.Burst, max(1, int(limits.PerSecond/10)))
		if a.rate, err = limit.NewRate(limits.PerSecond, burst); err != nil {
			return nil, err
		}
	}
	if limits.Concurrent > 0 {
		if a.concurrent, err = limit.NewConcurrency(limits.Concurrent); err != nil {
			return nil, err
		}
	}
	if limits.Adaptive != nil {
		if a.adaptive, err = limit.NewAdaptive(*limits.Adaptive); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func refused(message string) *Error {
	return &Error{Code: ResourceExhausted, IsRefused: true, Message: message}
}

// around runs a handler if the limits have room for the call.
func (a *admission) around(handle func() error) error {
	began := time.Since(a.began)
	if a.rate != nil && !a.rate.Allow(began) {
		return refused("the server takes no more calls in this second")
	}
	if a.concurrent != nil {
		if !a.concurrent.Acquire() {
			return refused("the server answers as many calls as it may")
		}
		defer a.concurrent.Release()
	}
	if a.adaptive == nil {
		return handle()
	}
	if !a.adaptive.Acquire() {
		return refused("the server answers as many calls as it can without a queue")
	}
	end := limit.Ignored
	// This must also be done if the handler panics.
	defer func() {
		now := time.Since(a.began)
		a.adaptive.Release(now, now-began, end)
	}()
	err := handle()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		end = limit.Dropped
	case !errors.Is(err, context.Canceled):
		end = limit.Answered
	}
	return err
}
