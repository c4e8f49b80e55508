package balance

import "sync/atomic"

// RoundRobin picks nodes in turn, by their weights: each node has its share of any stretch of picks, within a few picks. It is
// gRPC's static stride scheduler (gRFC A58,
// https://github.com/grpc/proposal/blob/master/A58-client-side-weighted-round-robin-lb-policy.md): a counter goes round the nodes,
// and passes a node over in as many rounds as the node is lighter than the heaviest. Unlike nginx's smooth weighted round robin it
// needs no lock and no scan, and weights may change between picks.
//
// The mean number of steps of a pick is the weight of the heaviest node divided by the mean weight.
type RoundRobin struct {
	*list
	// strides are the weights in relation to the heaviest weight, which has maxStride.
	strides []uint32
	// offsets spread the turns of lighter nodes over the rounds: by multiples of the golden ratio, which lie evenly.
	offsets []uint32
	step    atomic.Uint64
}

const maxStride = 1 << 16

// NewRoundRobin makes the picker. start says where it begins, so that clients that start at the same time do not go in step.
func NewRoundRobin(entries []Entry, options Options, start uint64) (*RoundRobin, error) {
	l, err := newList(entries, options)
	if err != nil {
		return nil, err
	}
	heaviest := uint64(1)
	for _, weight := range l.weights {
		heaviest = max(heaviest, uint64(weight))
	}
	r := &RoundRobin{list: l}
	for i, weight := range l.weights {
		r.strides = append(r.strides, uint32(max(uint64(weight)*maxStride/heaviest, 1)))
		r.offsets = append(r.offsets, uint32(uint64(i)*golden>>48))
	}
	r.step.Store(start >> 32)
	return r, nil
}

// golden is 2^64 divided by the golden ratio.
const golden = 0x9e3779b97f4a7c15

// maxRounds bounds the number of rounds of a pick. After that a lighter node is picked, where nodes that warm up leave no other
// choice.
const maxRounds = 16

// Pick implements [Picker].
func (r *RoundRobin) Pick(request Request) *Node {
	if len(r.nodes) == 0 {
		return nil
	}
	for range maxRounds * len(r.nodes) {
		step := r.step.Add(1)
		i := step % uint64(len(r.nodes))
		if !r.hasTurn(int(i), step/uint64(len(r.nodes))) {
			continue
		}
		if n := r.nodes[i]; r.isUsable(n, request) {
			return n
		}
		return r.nodes[r.other(request, mix(step))]
	}
	return r.nodes[r.other(request, mix(r.step.Load()))]
}

// hasTurn reports whether a node has its turn in a round. A node has a turn in a share of the rounds: its weight divided by the
// heaviest weight. That is where round * stride passes a multiple of maxStride.
func (r *RoundRobin) hasTurn(i int, round uint64) bool {
	stride := uint64(r.strides[i]) * uint64(r.nodes[i].share.Load()) / fullShare
	return (round*stride+uint64(r.offsets[i]))%maxStride+stride >= maxStride
}
