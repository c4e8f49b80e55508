package harness

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Loaded is what a load of calls came to. Usage is of both sides, and of the time that counts.
type Loaded struct {
	Seconds     float64 `json:"seconds"`
	Calls       int64   `json:"calls"`
	Errors      int64   `json:"errors"`
	FirstError  string  `json:"first_error,omitempty"`
	P50Us       float64 `json:"p50_us"`
	P99Us       float64 `json:"p99_us"`
	P999Us      float64 `json:"p999_us"`
	Unsent      int64   `json:"unsent"`
	ServerUsage Usage   `json:"server"`
	ServerParts *Parts  `json:"server_parts,omitempty"`
	ClientUsage Usage   `json:"client"`
}

// loader makes calls and counts them.
type loader struct {
	ctx     context.Context
	counts  atomic.Bool
	done    atomic.Int64
	errors  atomic.Int64
	unsent  atomic.Int64
	latency Histogram
	first   sync.Once
	err     error
}

func load(stack Stack, args arguments) (*Loaded, error) {
	control, err := controlOf(args)
	if err != nil {
		return nil, err
	}
	defer control.Close()
	if !slices.Contains(stack.Payloads, Payload(args.payload)) {
		return nil, fmt.Errorf("this stack has no payload %q; take one of %v", args.payload, stack.Payloads)
	}
	calls, err := stack.Dial(args.variant, args.address, Payload(args.payload), args.callers)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &loader{ctx: ctx}
	running, err := l.start(calls, args.rate)
	if err != nil {
		cancel()
		return nil, err
	}
	time.Sleep(args.warmUp)
	var before, after moment
	run := func() (err error) {
		if before, err = momentNow(control); err != nil {
			return err
		}
		l.counts.Store(true)
		time.Sleep(args.duration)
		l.counts.Store(false)
		after, err = momentNow(control)
		return err
	}
	var parts *Parts
	if args.hasParts {
		parts, err = partsDuring(control, stack.Codec, run)
	} else {
		err = profiled(control, args.profile, run)
	}
	cancel()
	if err != nil {
		return nil, err
	}
	running.Wait()
	result := l.result(before, after)
	result.ServerParts = parts
	return result, nil
}

func (l *loader) result(before, after moment) *Loaded {
	us := func(share float64) float64 { return float64(l.latency.Quantile(share)) / 1000 }
	result := &Loaded{
		Seconds: after.at.Sub(before.at).Seconds(), Calls: l.done.Load(), Errors: l.errors.Load(), Unsent: l.unsent.Load(),
		P50Us: us(0.5), P99Us: us(0.99), P999Us: us(0.999),
		ServerUsage: after.server.Since(before.server), ClientUsage: after.client.Since(before.client),
	}
	if l.err != nil {
		result.FirstError = l.err.Error()
	}
	return result
}

// start makes calls until the loader's context ends: each caller one after the other, or all of them at a rate.
func (l *loader) start(calls []Call, rate float64) (*sync.WaitGroup, error) {
	var running sync.WaitGroup
	if rate > 0 {
		due, err := arrivals(l.ctx, rate, &l.unsent)
		if err != nil {
			return nil, err
		}
		for _, call := range calls {
			running.Go(func() {
				for began := range due {
					l.call(call, began)
				}
			})
		}
		return &running, nil
	}
	for _, call := range calls {
		running.Go(func() {
			for l.ctx.Err() == nil {
				l.call(call, time.Now())
			}
		})
	}
	return &running, nil
}

// call makes a call that began, or should have begun, at a moment.
func (l *loader) call(call Call, began time.Time) {
	// Not the loader's own context, which ends while the last calls are made.
	err := call(context.Background())
	if err != nil {
		l.errors.Add(1)
		l.first.Do(func() { l.err = err })
		return
	}
	if l.counts.Load() {
		l.latency.Record(time.Since(began))
		l.done.Add(1)
	}
}
