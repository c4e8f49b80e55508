package harness

import (
	"fmt"
	"slices"
	"time"

	"hone/bench/gauge"
)

// Loaded is the result of a load of calls. Usages are those of both sides in the counted time.
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
	running, err := gauge.Start(calls, args.rate)
	if err != nil {
		return nil, err
	}
	time.Sleep(args.warmUp)
	var before, after moment
	run := func() (err error) {
		if before, err = momentNow(control); err != nil {
			return err
		}
		running.Count(args.duration)
		after, err = momentNow(control)
		return err
	}
	var parts *Parts
	if args.hasParts {
		parts, err = partsDuring(control, stack.Codec, run)
	} else {
		err = gauge.Profiled(control, args.profile, run)
	}
	running.Stop()
	if err != nil {
		return nil, err
	}
	failure := running.Wait()
	result := resultOf(running, before, after)
	result.ServerParts = parts
	if failure != nil {
		result.FirstError = failure.Error()
	}
	return result, nil
}

func resultOf(load *gauge.Load, before, after moment) *Loaded {
	us := func(share float64) float64 { return float64(load.Latency.Quantile(share)) / 1000 }
	return &Loaded{
		Seconds: after.at.Sub(before.at).Seconds(), Calls: load.Done.Load(), Errors: load.Errors.Load(), Unsent: load.Unsent.Load(),
		P50Us: us(0.5), P99Us: us(0.99), P999Us: us(0.999),
		ServerUsage: after.server.Since(before.server), ClientUsage: after.client.Since(before.client),
	}
}
