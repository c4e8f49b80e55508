package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"hone/bench/gauge"
	"hone/bench/routing/generated/shop"
	"hone/bench/rpc/harness"
	"hone/go/rpc"
	"hone/go/rpc/policy/localfirst"
	"hone/go/rpc/resolve"
	"hone/go/shm"
)

// The payloads: those of bench/rpc, and a text of 64 bytes.
const (
	small = "small"
	echo  = string(harness.Echo)
	price = string(harness.Price)
)

const smallBytes = 64

// localFirst holds the policies whose weights package rpc computes. The simulator computes those of the others.
var localFirst = map[string]localfirst.Options{
	"local first":            {},
	"local first, 20 others": {Subset: 20},
}

// known is a list of callers that does not change.
type known []localfirst.Caller

// Watch implements [rpc.Callers].
func (k known) Watch(ctx context.Context, _ string, tell func([]localfirst.Caller)) error {
	tell(k)
	<-ctx.Done()
	return nil
}

// client returns the client of the callers on the host, ready to call.
func (p *place) client(policy, transport string) (*rpc.Client, error) {
	weights, isKnown := p.host.Weights[policy]
	if !isKnown {
		return nil, fmt.Errorf("-policy %q is not known; take one of the simulator's", policy)
	}
	client := rpc.Dial("shop")
	options, isLocalFirst := localFirst[policy]
	if !isLocalFirst {
		client.Policies.Balance = rpc.RoundRobin
		client.Resolver = resolve.Static{"shop": p.weighted(weights, transport)}
		return client, nil
	}
	var callers known
	for _, caller := range p.service.Callers {
		callers = append(callers, localfirst.Caller{Host: caller.Host, Rate: caller.Rate})
	}
	client.Policies.LocalFirst = &rpc.LocalFirst{Machine: p.host.Name, Callers: callers, Options: options}
	client.Resolver = resolve.Static{"shop": p.tagged(transport)}
	if transport == "shm" {
		client.SharedMemory = new(shm.Dialer)
	}
	return client, awaitShare(client, p.host.LocalShares[policy])
}

// tagged returns all instances as a resolver reports them to clients that call local ones first.
func (p *place) tagged(transport string) []resolve.Instance {
	instances := make([]resolve.Instance, len(p.service.Instances))
	for i, one := range p.service.Instances {
		instances[i] = resolve.Instance{Address: p.tcp(i), Weight: one.Weight, Tags: map[string]string{resolve.Machine: one.Host}}
	}
	for _, i := range p.host.Here {
		switch transport {
		case "shm":
			instances[i].Tags[resolve.SharedMemory] = p.socket(i)
		case "unix":
			instances[i].Address = "unix:" + p.socket(i)
		}
	}
	return instances
}

// weightScale converts weights that add up to 1 to whole numbers.
const weightScale = 1 << 24

// weighted returns all instances with the weights of a policy.
func (p *place) weighted(weights []float64, transport string) []resolve.Instance {
	instances := make([]resolve.Instance, len(weights))
	for i, weight := range weights {
		instances[i] = resolve.Instance{Address: p.tcp(i), Weight: uint32(math.Round(weight * weightScale))}
		if transport != "tcp" && slices.Contains(p.host.Here, i) {
			instances[i].Address = transport + ":" + p.socket(i)
		}
	}
	return instances
}

const (
	patience = 20 * time.Second
	// shareError is the largest difference between two computations of the same share.
	shareError = 1e-6
)

// awaitShare waits until the client knows its weights, and returns an error if it keeps another share of its calls than the simulator computed.
func awaitShare(client *rpc.Client, simulated float64) error {
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		share, err := client.LocalShare()
		switch {
		case err == nil && math.Abs(share-simulated) > shareError:
			return fmt.Errorf("package rpc keeps %v of the calls on the host, the simulator %v; make the view anew", share, simulated)
		case err == nil:
			return nil
		case time.Now().After(deadline):
			return err
		}
	}
}

// callOf returns a call that checks its answer.
func callOf(client *shop.ShopClient, payload string) (gauge.Call, error) {
	switch payload {
	case small:
		return echoing(client, harness.EchoText[:smallBytes]), nil
	case echo:
		return echoing(client, harness.EchoText), nil
	case price:
		order := shop.NewOrder()
		if err := harness.FillOrder(order, harness.Price); err != nil {
			return nil, err
		}
		return func(ctx context.Context) error {
			answer, err := client.Price(ctx, order)
			return harness.Price.CheckTotal(answer, err)
		}, nil
	}
	return nil, fmt.Errorf("-payload %q is not known; take %s, %s or %s", payload, small, echo, price)
}

func echoing(client *shop.ShopClient, text string) gauge.Call {
	return func(ctx context.Context) error {
		answer, err := client.Echo(ctx, &shop.Text{Text: text})
		if err == nil && answer.Text != text {
			err = fmt.Errorf("%d bytes are answered that are not the %d that were sent", len(answer.Text), len(text))
		}
		return err
	}
}
