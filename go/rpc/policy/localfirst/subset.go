package localfirst

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"hone/go/rpc/policy/balance"
)

const (
	// reach is the mean number of subsets that draw an instance, where subsets are no larger than they must be.
	reach = 16
	// rounds is the number of rounds of proportional fitting. Each leaves about a quarter of the imbalance of the round before.
	rounds = 16
	// maxCorrection bounds the correction of an instance that hardly any subset has drawn.
	maxCorrection = 64
	// rounding is the part of a weight that rounding leaves at the border.
	rounding = 1e-12
)

// subsetSize returns the number of instances of other hosts that the callers of a host call: most, or more where these callers have
// a large part of the remote calls. wants is that part, counted in instances that are drawn as often as any other.
func subsetSize(most, all int, wants float64) float64 {
	if most == 0 {
		return float64(all)
	}
	return min(max(float64(most), reach*wants), float64(all))
}

// drawn is an instance of a subset.
type drawn struct {
	target int
	// score is the lower, the more likely the instance is in subsets.
	score  float64
	weight float64
}

// lot draws the subsets of hosts.
type lot struct {
	targets []Target
	// hashes are the hashes of the targets' names, once they are needed.
	hashes []uint64
}

func newLot(targets []Target) *lot { return &lot{targets: targets} }

// draw returns the subset of a host, with its weights before their correction.
//
// The score of an instance is an exponentially distributed number, made of the hashes of host and instance, divided by how often
// the instance should be drawn. The instances with the least scores are drawn. An instance's weight fades: at a score of 0 it is
// all that the instance should get from other hosts, and at the score of the first instance that is not drawn it is nothing. It is
// divided by the mean of the fading: so its mean over all hosts is what the instance should get.
func (l *lot) draw(host string, size float64) []drawn {
	whole := int(size)
	if whole >= len(l.targets) {
		return l.all()
	}
	least := l.least(balance.Hash(host), whole+2)
	if whole >= len(least) {
		return l.all()
	}
	// The border is 1 divided by a score. Between two whole sizes it moves from one score to the next.
	fraction := size - float64(whole)
	border := (1 - fraction) / least[whole].score
	if whole+1 < len(least) {
		border += fraction / least[whole+1].score
	}
	for i := range least {
		d := &least[i]
		fading := 1 - d.score*border
		if fading < rounding {
			return least[:i]
		}
		target := &l.targets[d.target]
		d.weight = target.Remote * fading / meanFading(target.want()/border)
	}
	return least
}

// all returns the instances that get calls from other hosts.
func (l *lot) all() []drawn {
	found := make([]drawn, 0, len(l.targets))
	for j := range l.targets {
		if weight := l.targets[j].Remote; weight > 0 {
			found = append(found, drawn{target: j, weight: weight})
		}
	}
	return found
}

// meanFading returns the mean of max(0, 1-x/a) for an exponentially distributed x.
func meanFading(a float64) float64 {
	if a < 1e-5 {
		return a / 2
	}
	return 1 + math.Expm1(-a)/a
}

// least returns the instances with the least scores, in their order.
func (l *lot) least(seed uint64, count int) []drawn {
	if l.hashes == nil {
		l.hashes = make([]uint64, len(l.targets))
		for j := range l.targets {
			l.hashes[j] = balance.Hash(l.targets[j].ID)
		}
	}
	count = min(count, len(l.targets))
	found, bound := make([]drawn, 0, min(2*count+1, len(l.targets))), math.Inf(1)
	for j := range l.targets {
		want := l.targets[j].want()
		if want == 0 {
			continue
		}
		if score := exponential(seed, l.hashes[j]) / want; score < bound {
			found = append(found, drawn{target: j, score: score})
			if len(found) > 2*count {
				found = cut(found, count)
				bound = found[count-1].score
			}
		}
	}
	return cut(found, count)
}

// cut keeps the instances with the least scores, in their order.
func cut(all []drawn, count int) []drawn {
	slices.SortFunc(all, func(a, b drawn) int { return cmp.Compare(a.score, b.score) })
	return all[:min(count, len(all))]
}

// exponential makes an exponentially distributed number of two hashes. It is never 0.
func exponential(a, b uint64) float64 {
	return -math.Log((float64(rand.NewPCG(a, b).Uint64()>>12) + 0.5) / (1 << 52))
}

// balance finds the corrections by which each instance gets what it should get, and the imbalance that they leave.
func (s *Summary) balance(p *plan) {
	lot := newLot(s.Targets)
	var surpluses []float64
	var subsets [][]drawn
	for _, h := range p.hosts {
		if surplus := h.surplus(); surplus > 0 {
			surpluses = append(surpluses, surplus)
			subsets = append(subsets, lot.draw(h.name, s.Hosts[h.name].Subset))
		}
	}
	received := make([]float64, len(s.Targets))
	for round := 0; ; round++ {
		clear(received)
		for i, subset := range subsets {
			s.send(surpluses[i], subset, received)
		}
		if round == rounds {
			break
		}
		for j := range s.Targets {
			if target := &s.Targets[j]; received[j] > 0 {
				target.Correction = min(target.Correction*target.Remote/received[j], maxCorrection)
			}
		}
	}
	for j, target := range s.Targets {
		if target.Fair > 0 {
			s.Imbalance = max(s.Imbalance, math.Abs(received[j]-target.Remote)/target.Fair)
		}
	}
}

// send adds a subset's part of a host's calls to what its instances receive.
func (s *Summary) send(surplus float64, subset []drawn, received []float64) {
	total := 0.0
	for _, d := range subset {
		total += d.weight * s.Targets[d.target].Correction
	}
	if total == 0 {
		return
	}
	for _, d := range subset {
		received[d.target] += surplus * d.weight * s.Targets[d.target].Correction / total
	}
}
