package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"hone/go/rpc/policy/balance"
)

// figures are the results of a policy.
type figures struct {
	// LocalShare and ZoneShare are shares of all calls, with services weighted by their instances; LocalShareSmall is the local share of small
	// services.
	LocalShare      float64 `json:"local_share"`
	LocalShareSmall float64 `json:"local_share_small"`
	ZoneShare       float64 `json:"zone_share"`
	// These are loads of instances relative to their fair share.
	LoadLeast float64 `json:"load_least"`
	Load01    float64 `json:"load_p01"`
	Load99    float64 `json:"load_p99"`
	LoadMost  float64 `json:"load_most"`
	// CalledMean and CalledMost are the mean and largest number of instances that the callers on a host call, over services that have more instances
	// than the subset.
	CalledMean float64 `json:"called_mean"`
	CalledMost int     `json:"called_most"`
	// Churn is the share of weights that an event moves, relative to the share of the service that the event affects.
	Churn map[string]float64 `json:"churn"`
}

// result is the result of a seed.
type result struct {
	Hosts     int                 `json:"hosts"`
	Services  int                 `json:"services"`
	Instances int                 `json:"instances"`
	Sampled   []int               `json:"sampled_instances"`
	Policies  map[string]*figures `json:"policies"`
}

func measure(f *fleet, step int) result {
	found := result{Hosts: len(f.hosts), Services: len(f.services), Policies: map[string]*figures{}}
	for _, s := range f.services {
		found.Instances += len(s.instances)
	}
	problems, ranks := f.sample(step)
	for _, p := range problems {
		found.Sampled = append(found.Sampled, len(p.callees))
	}
	for _, policy := range policies {
		found.Policies[policy.name] = spread(policy, problems)
	}
	for _, event := range events {
		churn(f, event, problems, ranks, found.Policies)
	}
	return found
}

// sample returns the problems of one in step services, by rank of size, if other services call it.
func (f *fleet) sample(step int) (problems []*problem, ranks []int) {
	for rank := 0; rank < len(f.services); rank += step {
		if p := f.problemOf(rank); len(p.groups) > 0 {
			problems, ranks = append(problems, p), append(ranks, rank)
		}
	}
	return problems, ranks
}

// small is the number of instances below which services are small.
const small = 200

// spread measures loads and the destinations of calls.
func spread(policy policy, problems []*problem) *figures {
	var made figures
	var loads []float64
	instances, instancesSmall, hosts, called := 0.0, 0.0, 0, 0
	for _, p := range problems {
		size := float64(len(p.callees))
		instances += size
		local := 0.0
		weights, received := make([]float64, len(p.callees)), make([]float64, len(p.callees))
		weigh, rate := policy.weigh(p), p.rate()
		for host, groups := range p.byHost {
			weigh(host, groups, weights)
			share, count := groupsRate(groups)/rate, 0
			for j, weight := range weights {
				received[j] += share * weight
				if weight == 0 {
					continue
				}
				count++
				if p.callees[j].host == host {
					local += share * weight
				}
				if p.fleet.hosts[p.callees[j].host].zone == p.fleet.hosts[host].zone {
					made.ZoneShare += size * share * weight
				}
			}
			if len(p.callees) > subset {
				hosts, called, made.CalledMost = hosts+1, called+count, max(made.CalledMost, count)
			}
		}
		made.LocalShare += size * local
		if size < small {
			made.LocalShareSmall += size * local
			instancesSmall += size
		}
		capacity := p.capacity()
		for j, c := range p.callees {
			loads = append(loads, received[j]*capacity/c.capacity)
		}
	}
	slices.Sort(loads)
	made.LocalShare /= instances
	made.LocalShareSmall /= max(instancesSmall, 1)
	made.ZoneShare /= instances
	made.LoadLeast, made.LoadMost = loads[0], loads[len(loads)-1]
	made.Load01, made.Load99 = quantile(loads, 0.01), quantile(loads, 0.99)
	made.CalledMean = float64(called) / float64(max(hosts, 1))
	made.Churn = map[string]float64{}
	return &made
}

func groupsRate(groups []group) (total float64) {
	for _, g := range groups {
		total += g.rate
	}
	return total
}

func quantile(sorted []float64, q float64) float64 {
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// event changes a problem, and returns the share of the service that it affects.
type event struct {
	name   string
	happen func(r *rand.Rand, rank int, p *problem) (after *problem, size float64)
}

var events = []event{{"failure", fail}, {"deploy", deploy}, {"rates", changeRates}}

const (
	// eventsPerService is the number of events of each kind for a service.
	eventsPerService = 3
	// mostPairs is the largest number of pairs of hosts and instances of a service whose churn is measured.
	mostPairs = 1_000_000
	// deployed is the share of instances that one step of a deploy moves, and rateSpread the standard deviation of the logarithm by which the calls
	// of each calling service change.
	deployed, rateSpread = 0.05, 0.1
)

// fail removes a host of the service with everything on it.
func fail(r *rand.Rand, _ int, p *problem) (*problem, float64) {
	gone := p.callees[r.IntN(len(p.callees))].host
	after := &problem{fleet: p.fleet}
	for _, c := range p.callees {
		if c.host != gone {
			after.callees = append(after.callees, c)
		}
	}
	for _, g := range p.groups {
		if g.host != gone {
			after.groups = append(after.groups, g)
		}
	}
	return after, 1 - after.capacity()/p.capacity()
}

// deploy moves some of the instances to other hosts, under other names.
func deploy(r *rand.Rand, rank int, p *problem) (*problem, float64) {
	after := &problem{p.fleet, slices.Clone(p.callees), p.groups}
	count := max(1, int(deployed*float64(len(p.callees))))
	moved := 0.0
	places := p.fleet.place(&p.fleet.services[rank], count)
	for i, j := range r.Perm(len(p.callees))[:count] {
		moved += p.callees[j].capacity
		after.callees[j] = callee{p.fleet.newInstance(places[i]), p.fleet.hosts[places[i]].capacity}
	}
	return after, moved / p.capacity()
}

// changeRates changes the rate of each calling service. The size is the share of calls that then come from other hosts.
func changeRates(r *rand.Rand, rank int, p *problem) (*problem, float64) {
	after := &problem{p.fleet, p.callees, slices.Clone(p.groups)}
	factors := map[int]float64{}
	for _, from := range p.fleet.services[rank].callers {
		factors[from.service] = math.Exp(rateSpread * r.NormFloat64())
	}
	for i := range after.groups {
		after.groups[i].rate *= factors[after.groups[i].service]
	}
	before, rateBefore, rateAfter, size := map[int]float64{}, p.rate(), after.rate(), 0.0
	for host, groups := range p.byHost {
		before[host] = groupsRate(groups) / rateBefore
	}
	for host, groups := range after.byHost {
		size += math.Abs(groupsRate(groups)/rateAfter-before[host]) / 2
	}
	return after, size
}

// churn measures one kind of event for all policies: the same events for each.
func churn(f *fleet, event event, problems []*problem, ranks []int, found map[string]*figures) {
	sizes, moved := 0.0, map[string]float64{}
	for i, p := range problems {
		if len(p.groups)*len(p.callees) > mostPairs {
			continue
		}
		r := rand.New(rand.NewPCG(f.seed, balance.Hash(event.name)+uint64(ranks[i])))
		for range eventsPerService {
			after, size := event.happen(r, ranks[i], p)
			if len(after.callees) == 0 || len(after.groups) == 0 || size == 0 {
				continue
			}
			sizes += size
			for _, policy := range policies {
				moved[policy.name] += movedWeights(policy, p, after)
			}
		}
	}
	for policy, share := range moved {
		found[policy].Churn[event.name] = math.Round(share/sizes*1e9) / 1e9
	}
}

// movedWeights returns the share of calls, by the rates after an event, whose weights are no longer on the same instance. Hosts that are gone do not
// count.
func movedWeights(policy policy, before, after *problem) (moved float64) {
	// places holds the position of each instance after the event, or -1.
	places, names := make([]int, len(before.callees)), map[string]int{}
	for j, c := range after.callees {
		names[c.name] = j
	}
	for j, c := range before.callees {
		place, isThere := names[c.name]
		if !isThere {
			place = -1
		}
		places[j] = place
	}
	was, is := make([]float64, len(before.callees)), make([]float64, len(after.callees))
	weighBefore, weighAfter, rate := policy.weigh(before), policy.weigh(after), after.rate()
	groupsAfter := map[int][]group{}
	for host, groups := range after.byHost {
		groupsAfter[host] = groups
	}
	for host, groups := range before.byHost {
		rest := groupsAfter[host]
		if len(rest) == 0 {
			continue
		}
		weighBefore(host, groups, was)
		weighAfter(host, rest, is)
		stays := 0.0
		for j, weight := range was {
			if places[j] >= 0 {
				stays += min(weight, is[places[j]])
			}
		}
		moved += groupsRate(rest) / rate * (1 - stays)
	}
	return moved
}
