package localfirst

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// host is a machine with callers, instances or both. Rates, fair shares and loads are shares of all calls.
type host struct {
	name             string
	rate, fair, load float64
	hasCallers       bool
}

// local returns the share of the host's own calls that stays on the host.
func (h *host) local() float64 {
	switch {
	case h.rate > h.load:
		return h.load / h.rate
	case h.fair > 0:
		return 1
	}
	return 0
}

// surplus returns the calls that the host's callers send to other hosts.
func (h *host) surplus() float64 { return max(h.rate-h.load, 0) }

// demand returns the calls that callers of other hosts send to this host.
func (h *host) demand() float64 { return max(h.load-h.rate, 0) }

// plan says how many calls go from and to each host.
type plan struct {
	// hosts are in the order of their names.
	hosts  []*host
	byName map[string]*host
	// fair returns the fair share of an instance.
	fair func(Callee) float64
	// surplus is the surplus of all hosts.
	surplus float64
}

func newPlan(callees []Callee, callers []Caller) (*plan, error) {
	capacity, err := sum(callees, func(c Callee) (string, float64) { return "the capacity of " + c.ID, c.Capacity })
	if err != nil {
		return nil, err
	}
	rate, err := sum(callers, func(c Caller) (string, float64) { return "the rate of a caller on " + c.Host, c.Rate })
	if err != nil {
		return nil, err
	}
	p := &plan{byName: map[string]*host{}, fair: func(c Callee) float64 { return c.Capacity / capacity }}
	if capacity == 0 {
		p.fair = func(Callee) float64 { return 1 / float64(len(callees)) }
	}
	for _, callee := range callees {
		p.host(callee.Host).fair += p.fair(callee)
	}
	for _, caller := range callers {
		h := p.host(caller.Host)
		h.hasCallers = true
		if rate == 0 {
			h.rate += 1 / float64(len(callers))
		} else {
			h.rate += caller.Rate / rate
		}
	}
	slices.SortFunc(p.hosts, func(a, b *host) int { return strings.Compare(a.name, b.name) })
	return p, nil
}

// sum adds up numbers. Its error names a number that is not a rate or capacity.
func sum[T any](all []T, of func(T) (string, float64)) (total float64, err error) {
	for _, one := range all {
		what, value := of(one)
		if !(value >= 0 && total+value <= maxSum) {
			return 0, fmt.Errorf("localfirst: %s is %v; write numbers from 0 whose sum is at most %g", what, value, maxSum)
		}
		total += value
	}
	return total, nil
}

// maxSum is the largest sum of rates or capacities.
const maxSum = 1e300

func (p *plan) host(name string) *host {
	h := p.byName[name]
	if h == nil {
		h = &host{name: name}
		p.byName[name] = h
		p.hosts = append(p.hosts, h)
	}
	return h
}

// level sets the loads. They are as far from the fair shares as the tolerance and the sum of the loads allow.
func (p *plan) level(tolerance float64) {
	var above, below []gap
	for _, h := range p.hosts {
		if h.fair > 0 {
			above = append(above, gap{h.rate - h.fair, h.fair})
			below = append(below, gap{h.fair - h.rate, h.fair})
		}
	}
	moved := min(filled(above, tolerance), filled(below, tolerance))
	over, under := levelOf(above, moved, tolerance), levelOf(below, moved, tolerance)
	for _, h := range p.hosts {
		h.load = min(max(h.rate, (1-under)*h.fair), (1+over)*h.fair)
		p.surplus += h.surplus()
	}
}

// part returns a host's share of all calls that go to other hosts.
func (p *plan) part(h *host) float64 {
	if p.surplus == 0 {
		return 0
	}
	return h.surplus() / p.surplus
}

// gap is the distance between the rate of a host's own callers and its fair share, on one side of the fair share.
type gap struct{ room, fair float64 }

// filled returns the total that goes into the gaps if each takes up to a level times its fair share.
func filled(gaps []gap, level float64) (total float64) {
	for _, g := range gaps {
		total += min(max(g.room, 0), level*g.fair)
	}
	return total
}

// levelOf returns the least level at which that much goes into the gaps, and at most the tolerance.
func levelOf(gaps []gap, amount, tolerance float64) float64 {
	slices.SortFunc(gaps, func(a, b gap) int { return cmp.Compare(a.room/a.fair, b.room/b.fair) })
	fair := 0.0
	for _, g := range gaps {
		if g.room > 0 {
			fair += g.fair
		}
	}
	// Gaps are filled one after the other. Those that are narrow in relation to their fair share come first.
	full := 0.0
	for _, g := range gaps {
		if g.room <= 0 {
			continue
		}
		if level := amount / fair; level <= g.room/g.fair {
			// The rest of amount and fair is rounded: a gap that is full must not become less full.
			return min(max(level, full), tolerance)
		}
		full = g.room / g.fair
		amount -= g.room
		fair -= g.fair
	}
	return tolerance
}

// targets returns the instances with their part of the calls that come to their hosts.
func (p *plan) targets(callees []Callee) []Target {
	targets := make([]Target, len(callees))
	for j, callee := range callees {
		h := p.byName[callee.Host]
		target := Target{ID: callee.ID, Host: callee.Host, Fair: p.fair(callee), Correction: 1}
		if h.fair > 0 {
			target.Remote = h.demand() * target.Fair / h.fair
		}
		targets[j] = target
	}
	return targets
}
