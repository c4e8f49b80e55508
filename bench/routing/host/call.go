package main

import (
	netrpc "net/rpc"
	"slices"
	"time"

	"hone/bench/gauge"
	"hone/bench/routing/generated/shop"
	"hone/bench/rpc/harness"
)

// settling is the time for which a load runs before it counts.
const settling = 200 * time.Millisecond

// called is the result of a load of calls. Usages are those of the counted time.
type called struct {
	Seconds    float64 `json:"seconds"`
	Calls      int64   `json:"calls"`
	Errors     int64   `json:"errors"`
	FirstError string  `json:"first_error,omitempty"`
	Unsent     int64   `json:"unsent"`
	P50Us      float64 `json:"p50_us"`
	P99Us      float64 `json:"p99_us"`
	// Promised is the share of calls that should stay on the host by the weights.
	Promised float64         `json:"promised_local_share"`
	Callers  harness.Usage   `json:"callers"`
	Here     []harness.Usage `json:"here"`
	// Elsewhere is the usage of the instances of other hosts.
	Elsewhere harness.Usage `json:"elsewhere"`
}

// usage holds the usage of the processes up to a moment: of the callers, the instances of other hosts, and the host's own.
type usage struct {
	at        time.Time
	processes []harness.Usage
}

func (p *place) call(args arguments) (*called, error) {
	controls, err := p.controls()
	if err != nil {
		return nil, err
	}
	client, err := p.client(args.policy, args.transport)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	one, err := callOf(shop.NewShopClient(client), args.payload)
	if err != nil {
		return nil, err
	}
	calls := slices.Repeat([]gauge.Call{one}, args.callers)
	if err := warmUp(calls, args.warmUp); err != nil {
		return nil, err
	}
	load, err := gauge.Start(calls, args.rate)
	if err != nil {
		return nil, err
	}
	time.Sleep(settling)
	before, err := usageNow(controls)
	if err != nil {
		return nil, err
	}
	load.Count(args.counted)
	after, err := usageNow(controls)
	if err != nil {
		return nil, err
	}
	load.Stop()
	made := came(load, before, after)
	if failure := load.Wait(); failure != nil {
		made.FirstError = failure.Error()
	}
	made.Promised = p.host.LocalShares[args.policy]
	return made, nil
}

// controls returns the controls of the instances of other hosts and of each of the host's own.
func (p *place) controls() ([]*netrpc.Client, error) {
	var controls []*netrpc.Client
	for _, instance := range append([]int{elsewhere}, p.host.Here...) {
		control, err := gauge.DialControl(p.control(instance))
		if err != nil {
			return nil, err
		}
		controls = append(controls, control)
	}
	// The control listens before the instances do.
	for i := range p.service.Instances {
		if err := gauge.AwaitListener("tcp", p.tcp(i)); err != nil {
			return nil, err
		}
	}
	for _, i := range p.host.Here {
		if err := gauge.AwaitListener("shm", p.socket(i)); err != nil {
			return nil, err
		}
	}
	return controls, nil
}

// warmUp opens the connections by calls at full speed: at a low rate some would be opened while calls count.
func warmUp(calls []gauge.Call, during time.Duration) error {
	load, err := gauge.Start(calls, 0)
	if err != nil {
		return err
	}
	time.Sleep(during)
	load.Stop()
	return load.Wait()
}

func usageNow(controls []*netrpc.Client) (usage, error) {
	used := usage{processes: make([]harness.Usage, 1+len(controls))}
	if err := new(harness.Control).Usage(gauge.Nothing{}, &used.processes[0]); err != nil {
		return used, err
	}
	for i, control := range controls {
		if err := control.Call("Control.Usage", gauge.Nothing{}, &used.processes[1+i]); err != nil {
			return used, err
		}
	}
	used.at = time.Now()
	return used, nil
}

func came(load *gauge.Load, before, after usage) *called {
	us := func(share float64) float64 { return float64(load.Latency.Quantile(share)) / 1000 }
	var used []harness.Usage
	for i, now := range after.processes {
		used = append(used, now.Since(before.processes[i]))
	}
	return &called{
		Seconds: after.at.Sub(before.at).Seconds(), Calls: load.Done.Load(), Errors: load.Errors.Load(), Unsent: load.Unsent.Load(),
		P50Us: us(0.5), P99Us: us(0.99), Callers: used[0], Elsewhere: used[1], Here: used[2:],
	}
}
