package localfirst

import "math"

// mostLocal returns the largest share of calls that any weights can keep on their hosts while no load is further from its fair
// share than the tolerance. It computes a flow of least cost from callers' hosts to instances' hosts, by augmenting shortest paths
// one after the other. It shares no code with the package that it checks.
func mostLocal(f fleet, tolerance float64) float64 {
	numbers := map[string]int{}
	number := func(host string) int {
		if _, isKnown := numbers[host]; !isKnown {
			numbers[host] = len(numbers)
		}
		return numbers[host]
	}
	var rates, fair []float64
	grow := func(n int) {
		for len(rates) <= n {
			rates, fair = append(rates, 0), append(fair, 0)
		}
	}
	for _, caller := range f.callers {
		n := number(caller.Host)
		grow(n)
		rates[n] += caller.Rate / f.rate()
	}
	for _, callee := range f.callees {
		n := number(callee.Host)
		grow(n)
		fair[n] += callee.Capacity / f.capacity()
	}
	hosts := len(rates)
	n := &network{nodes: 2*hosts + 2}
	source, sink := 2*hosts, 2*hosts+1
	const must = 1000
	for h := range hosts {
		n.connect(source, h, rates[h], 0)
		for g := range hosts {
			cost := 1.0
			if g == h {
				cost = 0
			}
			n.connect(h, hosts+g, math.Inf(1), cost)
		}
		// The least load that a host must have pays more than anything costs.
		n.connect(hosts+h, sink, (1-tolerance)*fair[h], -must)
		n.connect(hosts+h, sink, 2*tolerance*fair[h], 0)
	}
	cost := 0.0
	for sent := 0.0; sent < 1-1e-9; {
		amount, price := n.augment(source, sink)
		if amount == 0 {
			break
		}
		sent, cost = sent+amount, cost+amount*price
	}
	return 1 - (cost + must*(1-tolerance))
}

type network struct {
	nodes int
	edges []edge
}

// edge is an edge of the network. Its reverse is beside it: the next edge for an even number, the one before for an odd number.
type edge struct {
	from, to   int
	room, cost float64
}

func (n *network) connect(from, to int, room, cost float64) {
	n.edges = append(n.edges, edge{from, to, room, cost}, edge{to, from, 0, -cost})
}

// augment sends as much as fits over the cheapest path, which the Bellman-Ford method finds, and returns the amount and its price.
func (n *network) augment(source, sink int) (amount, price float64) {
	const least = 1e-13
	prices, last := make([]float64, n.nodes), make([]int, n.nodes)
	for i := range prices {
		prices[i] = math.Inf(1)
	}
	prices[source] = 0
	for range n.nodes {
		for i, e := range n.edges {
			if e.room > least && prices[e.from]+e.cost < prices[e.to]-1e-9 {
				prices[e.to], last[e.to] = prices[e.from]+e.cost, i
			}
		}
	}
	if math.IsInf(prices[sink], 1) {
		return 0, 0
	}
	amount = math.Inf(1)
	for at := sink; at != source; at = n.edges[last[at]].from {
		amount = min(amount, n.edges[last[at]].room)
	}
	for at := sink; at != source; at = n.edges[last[at]].from {
		n.edges[last[at]].room -= amount
		n.edges[last[at]^1].room += amount
	}
	return amount, prices[sink]
}
