package main

import (
	"strconv"

	"hone/go/rpc/policy/localfirst"
)

// policy spreads the calls of a problem: weigh returns a function that fills in the weights of all calls of a host, which add up to 1.
type policy struct {
	name  string
	weigh func(p *problem) func(host int, groups []group, weights []float64)
}

// subset is the subset size of "local first, 20 others".
const subset = 20

var policies = []policy{
	{"round robin", roundRobin},
	{"zone aware", zoneAware},
	{"naive local", naiveLocal},
	localFirstKnown,
	{"local first, 20 others", func(p *problem) func(int, []group, []float64) {
		return localFirst(p, knownRates, localfirst.Options{Subset: subset})
	}},
	{"local first, rates of services", func(p *problem) func(int, []group, []float64) {
		return localFirst(p, serviceRates, localfirst.Options{})
	}},
	{"local first, equal rates", func(p *problem) func(int, []group, []float64) { return localFirst(p, equalRates, localfirst.Options{}) }},
}

// localFirstKnown knows the rates of all callers.
var localFirstKnown = policy{"local first", func(p *problem) func(int, []group, []float64) {
	return localFirst(p, knownRates, localfirst.Options{})
}}

// roundRobin takes turns by capacity.
func roundRobin(p *problem) func(int, []group, []float64) {
	capacity := p.capacity()
	return func(_ int, _ []group, weights []float64) {
		for j, c := range p.callees {
			weights[j] = c.capacity / capacity
		}
	}
}

// naiveLocal calls the instances of the caller's host if there are any, and else all.
func naiveLocal(p *problem) func(int, []group, []float64) {
	all, local := roundRobin(p), map[int]float64{}
	for _, c := range p.callees {
		local[c.host] += c.capacity
	}
	return func(host int, groups []group, weights []float64) {
		if local[host] == 0 {
			all(host, groups, weights)
			return
		}
		for j, c := range p.callees {
			weights[j] = 0
			if c.host == host {
				weights[j] = c.capacity / local[host]
			}
		}
	}
}

// minimumSize is the number of instances from which Envoy takes zones into account.
const minimumSize = 6

// zoneAware is Envoy's policy (docs/internals/local-first.md): each calling service by itself counts its own instances and the called ones in each
// zone. If the share of the called service in the caller's zone is at least that of the calling one, all calls stay in the zone; else as many as the
// ratio of both shares, and the rest goes to zones with a larger share of the called service than of the calling one, in proportion to the
// difference. Within a zone turns are taken by capacity.
func zoneAware(p *problem) func(int, []group, []float64) {
	if len(p.callees) < minimumSize {
		return roundRobin(p)
	}
	zones := len(zoneShares)
	capacity, upstream := make([]float64, zones), make([]float64, zones)
	for _, c := range p.callees {
		zone := p.fleet.hosts[c.host].zone
		capacity[zone] += c.capacity
		upstream[zone] += 1 / float64(len(p.callees))
	}
	routes := map[int][][]float64{}
	for service, counts := range p.callersInZones() {
		routes[service] = zoneRoutes(counts, upstream)
	}
	return func(host int, groups []group, weights []float64) {
		total, to := 0.0, make([]float64, zones)
		for _, g := range groups {
			total += g.rate
			for zone, share := range routes[g.service][p.fleet.hosts[host].zone] {
				to[zone] += g.rate * share
			}
		}
		for j, c := range p.callees {
			zone := p.fleet.hosts[c.host].zone
			weights[j] = to[zone] / total * c.capacity / capacity[zone]
		}
	}
}

// callersInZones counts the instances of each calling service by zone.
func (p *problem) callersInZones() map[int][]float64 {
	counts := map[int][]float64{}
	for _, g := range p.groups {
		if counts[g.service] == nil {
			counts[g.service] = make([]float64, len(zoneShares))
		}
		counts[g.service][p.fleet.hosts[g.host].zone] += float64(g.instances)
	}
	return counts
}

// zoneRoutes returns for each zone of callers the shares of their calls that go to each zone. callers are counts, upstream are shares.
func zoneRoutes(callers, upstream []float64) [][]float64 {
	total, residual := 0.0, 0.0
	for _, count := range callers {
		total += count
	}
	for zone := range callers {
		residual += max(upstream[zone]-callers[zone]/total, 0)
	}
	routes := make([][]float64, len(callers))
	for from := range callers {
		routes[from] = make([]float64, len(callers))
		own := callers[from] / total
		if upstream[from] >= own || residual == 0 {
			// Without a residual both shares differ by rounding only.
			routes[from][from] = 1
			continue
		}
		routes[from][from] = upstream[from] / own
		for to := range callers {
			routes[from][to] += (1 - upstream[from]/own) * max(upstream[to]-callers[to]/total, 0) / residual
		}
	}
	return routes
}

func knownRates(g group) float64 { return g.rate }

// serviceRates returns rates for which only the mean of each calling service is known, and equalRates rates for which not even that is known: as
// rpc.CallersOf, with the rates of services or without.
func serviceRates(g group) float64 { return g.serviceRate * g.capacity }

func equalRates(g group) float64 { return g.capacity }

// localFirst is the policy of package localfirst.
func localFirst(p *problem, rate func(group) float64, options localfirst.Options) func(int, []group, []float64) {
	var callees []localfirst.Callee
	for _, c := range p.callees {
		callees = append(callees, localfirst.Callee{ID: c.name, Host: hostName(c.host), Capacity: c.capacity})
	}
	var callers []localfirst.Caller
	for _, g := range p.groups {
		callers = append(callers, localfirst.Caller{Host: hostName(g.host), Rate: rate(g)})
	}
	summary, err := localfirst.Summarize(callees, callers, options)
	if err != nil {
		panic(err)
	}
	return func(host int, _ []group, weights []float64) { copy(weights, summary.Weights(hostName(host))) }
}

func hostName(host int) string { return "host-" + strconv.Itoa(host) }
