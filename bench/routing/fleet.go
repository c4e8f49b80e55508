package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	instancesPerHost = 10
	// sizeSkew and placeSkew are exponents of Zipf's law: of the sizes of services by rank, and of the frequency with which a host is drawn for a
	// service.
	sizeSkew, placeSkew = 0.8, 0.6
	// hostsPerPool is the number of hosts that the services of a pool share; a service spreads over one pool for every instancesPerPool of its
	// instances.
	hostsPerPool, instancesPerPool = 200, 300
	// calleesPerService is the number of services that a service calls. With pools, nearShare of them are in the caller's pools.
	calleesPerService = 5
	nearShare         = 0.8
	// edgeSpread and instanceSpread are standard deviations of logarithms: of a service's calls to one other service, and of one instance's calls
	// relative to the mean.
	edgeSpread, instanceSpread = 1.0, 0.3
)

// zoneShares are shares of hosts; generations are capacities of instances by the age of their host.
var (
	zoneShares  = []float64{0.4, 0.35, 0.25}
	generations = []float64{1, 1.5, 2}
)

type host struct {
	zone     int
	capacity float64
}

// instance is an instance of a service. Its name is unique.
type instance struct {
	name string
	host int
}

type service struct {
	instances []instance
	// firstPool and pools are the pools of its instances.
	firstPool, pools int
	// callers are the services that call it, with the rate of calls of each instance of mean size.
	callers []edge
}

type edge struct {
	service int
	rate    float64
}

type fleet struct {
	random   *rand.Rand
	seed     uint64
	hosts    []host
	services []service
	inPools  bool
	// named is the number of instances that have names.
	named int
}

func newFleet(seed uint64, hosts, services int, inPools bool) *fleet {
	f := &fleet{random: rand.New(rand.NewPCG(seed, 0)), seed: seed, inPools: inPools}
	for range hosts {
		f.hosts = append(f.hosts, host{f.zone(), generations[f.random.IntN(len(generations))]})
	}
	total := 0.0
	for rank := range services {
		total += math.Pow(float64(1+rank), -sizeSkew)
	}
	for rank := range services {
		count := int(math.Round(float64(instancesPerHost*hosts) * math.Pow(float64(1+rank), -sizeSkew) / total))
		f.services = append(f.services, f.newService(max(count, 2)))
	}
	f.connect()
	return f
}

func (f *fleet) zone() int {
	at := f.random.Float64()
	for zone, share := range zoneShares {
		if at -= share; at < 0 {
			return zone
		}
	}
	return 0
}

func (f *fleet) newService(count int) service {
	all := max(len(f.hosts)/hostsPerPool, 1)
	s := service{pools: all}
	if f.inPools {
		s.firstPool, s.pools = f.random.IntN(all), min(1+count/instancesPerPool, all)
	}
	for _, h := range f.place(&s, count) {
		s.instances = append(s.instances, f.newInstance(h))
	}
	return s
}

func (f *fleet) newInstance(host int) instance {
	f.named++
	return instance{fmt.Sprintf("10.%d.%d.%d:%d", host>>16, host>>8&255, host&255, f.named), host}
}

// place draws the hosts of instances from the service's pools, in an order of the service: the first are drawn more often.
func (f *fleet) place(s *service, count int) []int {
	size := min(s.pools*hostsPerPool, len(f.hosts))
	order := f.random.Perm(size)
	// Sums of the hosts' weights; a draw is a place among them.
	sums, sum := make([]float64, size), 0.0
	for rank := range size {
		sum += math.Pow(float64(1+rank), -placeSkew)
		sums[rank] = sum
	}
	var hosts []int
	for range count {
		rank, _ := slices.BinarySearch(sums, f.random.Float64()*sum)
		hosts = append(hosts, (s.firstPool*hostsPerPool+order[min(rank, size-1)])%len(f.hosts))
	}
	return hosts
}

// connect chooses the services that each service calls: large services more often.
func (f *fleet) connect() {
	for caller := range f.services {
		chosen := map[int]bool{caller: true}
		for draws := 0; len(chosen) <= min(calleesPerService, len(f.services)-1) && draws < 100*calleesPerService; draws++ {
			isNear := f.inPools && f.random.Float64() < nearShare
			if callee := f.drawService(caller, isNear); !chosen[callee] {
				chosen[callee] = true
			}
		}
		delete(chosen, caller)
		for _, callee := range slices.Sorted(maps.Keys(chosen)) {
			rate := math.Exp(edgeSpread * f.random.NormFloat64())
			f.services[callee].callers = append(f.services[callee].callers, edge{caller, rate})
		}
	}
}

func (f *fleet) drawService(caller int, isNear bool) int {
	total := 0
	weight := func(i int) int {
		if isNear && !f.shareAPool(&f.services[caller], &f.services[i]) {
			return 0
		}
		return len(f.services[i].instances)
	}
	for i := range f.services {
		total += weight(i)
	}
	at := f.random.IntN(total)
	for i := range f.services {
		if at -= weight(i); at < 0 {
			return i
		}
	}
	return caller
}

func (f *fleet) shareAPool(a, b *service) bool {
	all := max(len(f.hosts)/hostsPerPool, 1)
	return (b.firstPool-a.firstPool+all)%all < a.pools || (a.firstPool-b.firstPool+all)%all < b.pools
}

// callee is an instance with the capacity of its host.
type callee struct {
	instance
	capacity float64
}

// group holds the callers of one service on one host: their rate, their capacity, and the mean rate of the service's instances relative to capacity.
type group struct {
	service, host, instances    int
	rate, capacity, serviceRate float64
}

// problem is the task to spread the calls of one service.
type problem struct {
	fleet   *fleet
	callees []callee
	groups  []group
}

// problemOf returns the problem of a service. Rates of caller instances differ, but are the same for each call of problemOf.
func (f *fleet) problemOf(rank int) *problem {
	s := &f.services[rank]
	p := &problem{fleet: f}
	for _, one := range s.instances {
		p.callees = append(p.callees, callee{one, f.hosts[one.host].capacity})
	}
	random := rand.New(rand.NewPCG(f.seed, 1+uint64(rank)))
	for _, from := range s.callers {
		byHost := map[int]*group{}
		for _, one := range f.services[from.service].instances {
			g := byHost[one.host]
			if g == nil {
				g = &group{service: from.service, host: one.host, serviceRate: from.rate}
				byHost[one.host] = g
			}
			capacity := f.hosts[one.host].capacity
			g.instances++
			g.capacity += capacity
			g.rate += capacity * from.rate * math.Exp(instanceSpread*random.NormFloat64())
		}
		for _, h := range slices.Sorted(maps.Keys(byHost)) {
			p.groups = append(p.groups, *byHost[h])
		}
	}
	// Callers of a host stand together.
	slices.SortStableFunc(p.groups, func(a, b group) int { return cmp.Compare(a.host, b.host) })
	return p
}

// rate returns the rate of all callers.
func (p *problem) rate() (total float64) {
	for _, g := range p.groups {
		total += g.rate
	}
	return total
}

func (p *problem) capacity() (total float64) {
	for _, c := range p.callees {
		total += c.capacity
	}
	return total
}

// byHost yields the groups of each host in turn.
func (p *problem) byHost(yield func(host int, groups []group) bool) {
	for from := 0; from < len(p.groups); {
		to := from
		for to < len(p.groups) && p.groups[to].host == p.groups[from].host {
			to++
		}
		if !yield(p.groups[from].host, p.groups[from:to]) {
			return
		}
		from = to
	}
}
