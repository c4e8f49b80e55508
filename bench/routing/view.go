package main

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"hone/bench/routing/view"
)

// quantiles are the quantiles of the selected hosts: the medians of three thirds.
var quantiles = []float64{1. / 6, 1. / 2, 5. / 6}

// weightScale converts capacities, which are multiples of a half, to whole weights.
const weightScale = 100

// hostCalls describes the calls to a service from a host with an instance of it: part is their share of all calls, local the share of them that stays
// on the host by local first.
type hostCalls struct {
	host        int
	groups      []group
	part, local float64
}

var errNothingStays = errors.New("no call of the services that are looked at can stay on its host; take more -services, or a smaller -step")

// viewOf takes the service for which local first keeps about the same share of calls on their host as for all services. It selects hosts that call
// the service and have an instance of it, at quantiles of the share that they keep. It returns an error if there is no such host.
func viewOf(f *fleet, step int) (*view.Service, error) {
	problems, ranks := f.sample(step)
	if len(problems) == 0 {
		return nil, errNothingStays
	}
	seen := &view.Service{FleetShare: spread(localFirstKnown, problems).LocalShare}
	var p *problem
	for i, one := range problems {
		share := spread(localFirstKnown, []*problem{one}).LocalShare
		if math.Abs(share-seen.FleetShare) < math.Abs(seen.LocalShare-seen.FleetShare) {
			p, seen.LocalShare, seen.Rank = one, share, ranks[i]
		}
	}
	if p == nil {
		return nil, errNothingStays
	}
	for _, c := range p.callees {
		seen.Instances = append(seen.Instances, view.Instance{Host: hostName(c.host), Weight: uint32(math.Round(weightScale * c.capacity))})
	}
	for _, g := range p.groups {
		seen.Callers = append(seen.Callers, view.Caller{Host: hostName(g.host), Rate: g.rate})
	}
	calls := p.callsFromHostsWithInstances()
	for _, quantile := range quantiles {
		seen.Hosts = append(seen.Hosts, p.viewFrom(atQuantile(calls, quantile), quantile))
	}
	return seen, nil
}

// callsFromHostsWithInstances returns the calls from hosts with an instance, in the order of the share that stays.
func (p *problem) callsFromHostsWithInstances() []hostCalls {
	var calls []hostCalls
	weigh, rate, weights := localFirstKnown.weigh(p), p.rate(), make([]float64, len(p.callees))
	for host, groups := range p.byHost {
		if here := p.instancesOn(host); len(here) > 0 {
			weigh(host, groups, weights)
			calls = append(calls, hostCalls{host, groups, groupsRate(groups) / rate, sumAt(weights, here)})
		}
	}
	slices.SortStableFunc(calls, func(a, b hostCalls) int { return cmp.Compare(a.local, b.local) })
	return calls
}

// atQuantile returns the first host up to which the given share of the calls come.
func atQuantile(calls []hostCalls, quantile float64) hostCalls {
	all, below := 0.0, 0.0
	for _, c := range calls {
		all += c.part
	}
	for _, c := range calls {
		if below += c.part; below >= quantile*all {
			return c
		}
	}
	return calls[len(calls)-1]
}

// viewFrom returns the weights of each policy for a host.
func (p *problem) viewFrom(from hostCalls, quantile float64) view.Host {
	seen := view.Host{
		Name: hostName(from.host), Quantile: quantile, Here: p.instancesOn(from.host),
		Weights: map[string][]float64{}, LocalShares: map[string]float64{},
	}
	for _, policy := range policies {
		weights := make([]float64, len(p.callees))
		policy.weigh(p)(from.host, from.groups, weights)
		seen.Weights[policy.name], seen.LocalShares[policy.name] = weights, sumAt(weights, seen.Here)
	}
	return seen
}

func (p *problem) instancesOn(host int) (here []int) {
	for j, c := range p.callees {
		if c.host == host {
			here = append(here, j)
		}
	}
	return here
}

func sumAt(weights []float64, places []int) (sum float64) {
	for _, j := range places {
		sum += weights[j]
	}
	return sum
}
