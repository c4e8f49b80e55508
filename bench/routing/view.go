package main

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"hone/bench/routing/view"
)

// quantiles of the hosts that are looked at: the medians of three thirds.
var quantiles = []float64{1. / 6, 1. / 2, 5. / 6}

// weightScale makes weights of capacities, which are multiples of a half.
const weightScale = 100

// hostCalls are the calls to a service from a host with an instance of it: which share they are of all, and which of them stay by local first.
type hostCalls struct {
	host        int
	groups      []group
	part, local float64
}

var errNothingStays = errors.New("no call of the services that are looked at can stay on its host; take more -services, or a smaller -step")

// viewOf takes the service whose calls local first keeps on their host about as often as those of all services, and of the hosts that call it and have an
// instance of it those at quantiles by how much they keep. It is an error if there is no such host.
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

// callsFromHostsWithInstances are in the order of what stays.
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

// atQuantile is the host up to which this share of the calls come from.
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

// viewFrom is what each policy does for a host.
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
