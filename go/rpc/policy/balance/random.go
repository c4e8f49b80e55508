package balance

// Random picks nodes at random by their weights, in constant time. It uses M. Vose's alias method, IEEE Transactions on Software
// Engineering 17(9), 1991.
type Random struct {
	*list
	random func() uint64
	slots  []slot
}

// slot is a place of the alias table: below the threshold it means its own node, otherwise another node.
type slot struct {
	threshold uint32 // of 1<<32
	alias     uint32
}

// NewRandom makes the picker. random returns 64 random bits, as rand.Uint64 of math/rand/v2 does, and several goroutines may call
// it.
func NewRandom(entries []Entry, options Options, random func() uint64) (*Random, error) {
	l, err := newList(entries, options)
	if err != nil {
		return nil, err
	}
	return &Random{l, random, aliasTable(l.weights, l.total)}, nil
}

func aliasTable(weights []uint32, total uint64) []slot {
	slots := make([]slot, len(weights))
	// rest is what is left of each node, in units such that a slot holds total.
	rest := make([]uint64, len(weights))
	var small, large []int
	for i, weight := range weights {
		rest[i] = uint64(weight) * uint64(len(weights))
		if rest[i] < total {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		slots[s] = slot{uint32(float64(rest[s]) / float64(total) * (1 << 32)), uint32(l)}
		if rest[l] -= total - rest[s]; rest[l] < total {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, i := range append(small, large...) {
		slots[i] = slot{1<<32 - 1, uint32(i)}
	}
	return slots
}

// maxDraws is the number of draws after which a node that warms up is taken. So nodes get calls even if all of them warm up.
const maxDraws = 8

// draw draws a node by weight and by warm-up.
func (r *Random) draw() int {
	for draws := 1; ; draws++ {
		bits := r.random()
		// The high half of the product is a slot; its low half is almost uniform.
		product := bits >> 32 * uint64(len(r.slots))
		i := uint32(product >> 32)
		if s := &r.slots[i]; uint32(product) >= s.threshold {
			i = s.alias
		}
		if uint32(bits&(fullShare-1)) < r.nodes[i].share.Load() || draws == maxDraws {
			return int(i)
		}
	}
}

// choose draws a node that the request may go to.
func (r *Random) choose(request Request) int {
	if i := r.draw(); r.isUsable(r.nodes[i], request) {
		return i
	}
	return r.other(request, r.random())
}

// Pick implements [Picker].
func (r *Random) Pick(request Request) *Node {
	if len(r.nodes) == 0 {
		return nil
	}
	return r.nodes[r.choose(request)]
}
