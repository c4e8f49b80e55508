package balance

// LeastRequests draws two nodes by weight and picks the node with fewer calls in proportion to its weight. The fullest of n nodes
// then has about log log n calls more than the mean, where a random pick has log n / log log n more: M. Mitzenmacher, "The Power of
// Two Choices in Randomized Load Balancing", IEEE TPDS 12(10), 2001. So slow nodes get fewer calls without further means.
//
// An instance that fails fast has few calls and would attract more: use LeastRequests with outlier detection or breakers.
type LeastRequests struct{ drawn *Random }

// NewLeastRequests makes the picker. random is the same as for [NewRandom].
func NewLeastRequests(entries []Entry, options Options, random func() uint64) (*LeastRequests, error) {
	drawn, err := NewRandom(entries, options, random)
	if err != nil {
		return nil, err
	}
	return &LeastRequests{drawn}, nil
}

// Pick implements [Picker].
func (l *LeastRequests) Pick(request Request) *Node {
	nodes := l.drawn.nodes
	if len(nodes) == 0 {
		return nil
	}
	first := l.drawn.choose(request)
	second := first
	for draws := 0; second == first && draws < maxDraws && len(nodes) > 1; draws++ {
		second = l.drawn.choose(request)
	}
	// The condition means active(first) / weight(first) > active(second) / weight(second), with the weights of the warm-up.
	if l.load(first)*l.drawn.weight(second) > l.load(second)*l.drawn.weight(first) {
		return nodes[second]
	}
	return nodes[first]
}

func (l *LeastRequests) load(i int) float64 { return float64(l.drawn.nodes[i].active.Load()) }
