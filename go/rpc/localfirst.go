package rpc

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"hone/go/rpc/policy/balance"
	"hone/go/rpc/policy/localfirst"
	"hone/go/rpc/resolve"
)

// LocalFirst sends calls to instances on the machine of their caller, as many as possible while every instance of the service gets its
// share, by its weight, of the calls of all callers: package localfirst describes how. Instances name their machine by the tag [resolve.Machine];
// an instance without the tag counts as being on a machine of its own.
//
// Each call draws its instance by the weights that result. If that instance is unhealthy, or the call has tried it, [Policies].Balance chooses
// among all instances, as it does before the callers are known.
type LocalFirst struct {
	// Machine is the name of this process's machine, as in the tag [resolve.Machine].
	Machine string
	// Callers reports where calls of the service come from. See [CallersOf].
	Callers Callers
	// Options set how far loads may be from fair shares, and how many instances of other machines are called. With a subset, each change costs
	// a hash for each pair of a machine with callers and an instance: about 30 ms of CPU time for 1,000 of each.
	localfirst.Options
}

// Callers reports where the calls of a service come from.
type Callers interface {
	// Watch reports the callers of a service, first the present ones and then each change, until ctx ends: then it returns nil. It returns an
	// error only if it could never report any. tell is called by one goroutine at a time.
	Watch(ctx context.Context, service string, tell func([]localfirst.Caller)) error
}

// CallersOf takes the instances of services that a resolver knows for the only callers. rates has, by the name of each calling service, the rate
// of calls of one of its instances with the default weight, in any unit that is the same for all. Real rates of calls are not known: loads are as
// far from fair shares as the real calls are from rates and weights. bench/results/routing has figures.
func CallersOf(resolver resolve.Resolver, rates map[string]float64) Callers {
	return &resolvedCallers{resolver, rates}
}

type resolvedCallers struct {
	resolver resolve.Resolver
	rates    map[string]float64
}

// Watch implements [Callers].
func (c *resolvedCallers) Watch(ctx context.Context, _ string, tell func([]localfirst.Caller)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	services := slices.Sorted(maps.Keys(c.rates))
	found, failures := make([][]localfirst.Caller, len(services)), make([]error, len(services))
	var mu sync.Mutex
	var watching sync.WaitGroup
	for i, service := range services {
		watching.Go(func() {
			failures[i] = c.resolver.Watch(ctx, service, func(told resolve.Update) {
				if told.Err != nil {
					return
				}
				mu.Lock()
				defer mu.Unlock()
				found[i] = callersAmong(told.Instances, c.rates[service])
				// Before all services are known, a part of the callers would be taken for all.
				if !slices.ContainsFunc(found, func(callers []localfirst.Caller) bool { return callers == nil }) {
					tell(slices.Concat(found...))
				}
			})
			if failures[i] != nil {
				stop()
			}
		})
	}
	watching.Wait()
	return errors.Join(failures...)
}

func callersAmong(instances []resolve.Instance, rate float64) []localfirst.Caller {
	callers := make([]localfirst.Caller, 0, len(instances))
	for _, one := range instances {
		callers = append(callers, localfirst.Caller{Host: one.Tags[resolve.Machine], Rate: rate * float64(one.Weight)})
	}
	return callers
}

func (l *LocalFirst) check(balance Balance) error {
	switch {
	case l.Machine == "":
		return fmt.Errorf("LocalFirst has no Machine; set it to the name that instances on this machine have in their tag %q", resolve.Machine)
	case l.Callers == nil:
		return errors.New(`LocalFirst has no Callers; say where calls of the service come from, such as rpc.CallersOf(resolver, map[string]float64{"web": 1})`)
	case balance == ConsistentHash:
		return errors.New("LocalFirst and ConsistentHash both choose the instance; take another Balance, or no LocalFirst")
	}
	_, err := localfirst.Weights(nil, nil, l.Options)
	return err
}

// weights returns the weights that this machine's callers give to instances, and the share of calls that stays on this machine.
func (l *LocalFirst) weights(instances []resolve.Instance, callers []localfirst.Caller) (weights []float64, local float64, err error) {
	callees := make([]localfirst.Callee, len(instances))
	for i, one := range instances {
		machine := one.Tags[resolve.Machine]
		if machine == "" {
			machine = "alone: " + one.Address
		}
		callees[i] = localfirst.Callee{ID: one.Address, Host: machine, Capacity: float64(one.Weight)}
	}
	summary, err := localfirst.Summarize(callees, callers, l.Options)
	if err != nil {
		return nil, 0, err
	}
	weights = summary.Weights(l.Machine)
	for i, weight := range weights {
		if callees[i].Host == l.Machine {
			local += weight
		}
	}
	return weights, local, nil
}

// wholeWeight is the sum of the weights of all instances: small enough for the sums of pickers, and large enough for small weights.
const wholeWeight = 1 << 30

// localPicker draws by weights that keep calls local, and uses another picker if the drawn instance is not fit.
type localPicker struct{ weighed, all balance.Picker }

// localFirst returns the picker of a client with LocalFirst, and its weights; it returns picker and all if no weights keep calls local.
func (r *route) localFirst(used []resolve.Instance, all []balance.Entry, picker balance.Picker) (balance.Picker, []balance.Entry) {
	g := r.client.governance
	weights, share, err := g.LocalFirst.weights(used, r.callers)
	entries := slices.Clone(all)
	for i, weight := range weights {
		entries[i].Weight = uint32(math.Round(weight * wholeWeight))
	}
	var weighed balance.Picker
	if err == nil {
		weighed, err = balance.NewRandom(entries, balance.Options{PanicThreshold: g.PanicThreshold}, rand.Uint64)
	}
	if r.localShare, r.localErr = share, err; err != nil {
		return picker, all
	}
	return localPicker{weighed, picker}, entries
}

// Pick implements [balance.Picker].
func (p localPicker) Pick(request balance.Request) *balance.Node {
	node := p.weighed.Pick(request)
	if node == nil || !node.IsHealthy() || slices.Contains(request.Tried, node) {
		return p.all.Pick(request)
	}
	return node
}

// LocalShare returns the share of calls that LocalFirst keeps on this machine now, or the error why it keeps none, such as unknown callers.
func (c *Client) LocalShare() (float64, error) {
	if err := c.start(); err != nil {
		return 0, err
	}
	if c.Policies.LocalFirst == nil {
		return 0, errors.New("calls go to all instances alike; set Policies.LocalFirst to keep them on this machine")
	}
	c.route.mu.Lock()
	defer c.route.mu.Unlock()
	return c.route.localShare, c.route.localErr
}

// watchCallers follows the callers of the service until the client is closed.
func (r *route) watchCallers(ctx context.Context, from Callers, service string) {
	err := from.Watch(ctx, service, func(callers []localfirst.Caller) { r.setCallers(callers, nil) })
	if err != nil {
		r.setCallers(nil, err)
	}
}

var errCallersUnknown = errors.New("the callers or the instances of the service are not known yet")

// setCallers stores the callers of the service. An error leaves the callers that were known before.
func (r *route) setCallers(callers []localfirst.Caller, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.localErr = err
		return
	}
	r.callers = append([]localfirst.Caller{}, callers...)
	if r.used == nil {
		return
	}
	if err := r.choose(r.used, r.instances); err != nil {
		r.localErr = err
	}
}
