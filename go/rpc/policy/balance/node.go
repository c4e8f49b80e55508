package balance

import (
	"fmt"
	"sync/atomic"
)

// Group holds the state that all nodes of a service share.
type Group struct {
	// version grows when the health of a node changes.
	version atomic.Uint64
	active  atomic.Int64
}

// Node is one instance, for as long as the caller knows it. One picker after another may have it.
type Node struct {
	key    string
	value  any
	group  *Group
	active atomic.Int64
	share  atomic.Uint32 // the share of its weight, in 1/fullShare
	out    atomic.Uint32 // the causes for which it is unhealthy
	_      [72]byte      // Counts of two nodes do not share a line of the cache.
}

const fullShare = 1 << 16

// NewNode makes a healthy node with all of its weight. The key, such as an address, identifies the node for [ConsistentHash]; value
// is the caller's.
func (g *Group) NewNode(key string, value any) *Node {
	n := &Node{key: key, value: value, group: g}
	n.share.Store(fullShare)
	return n
}

// Key returns the key that the node was made with.
func (n *Node) Key() string { return n.key }

// Value returns the value that the node was made with.
func (n *Node) Value() any { return n.value }

// Begin counts a call that goes to the node.
func (n *Node) Begin() {
	n.active.Add(1)
	n.group.active.Add(1)
}

// End ends a call that Begin counted.
func (n *Node) End() {
	n.active.Add(-1)
	n.group.active.Add(-1)
}

// Active returns the number of calls that have begun and not ended.
func (n *Node) Active() int { return int(n.active.Load()) }

// Cause says what found a node unhealthy, so that several mechanisms can judge without undoing each other's marks. A node that
// cannot be reached, for [Connection] or [Leaving], is picked only where no node can be reached; the other causes are also subject
// to the panic threshold.
type Cause uint32

const (
	// Outlier means that outlier detection has ejected the node.
	Outlier Cause = 1 << iota
	// Breaker means that the circuit breaker of the node is open.
	Breaker
	// Connection means that there is no connection.
	Connection
	// Leaving means that the node asked for no more calls, since it shuts down.
	Leaving
)

// unreachable has the causes for which nothing can be sent to a node.
const unreachable = uint32(Connection | Leaving)

// SetHealthy records what a cause found. A node is healthy if no cause has found it unhealthy.
func (n *Node) SetHealthy(cause Cause, isHealthy bool) {
	var before uint32
	if isHealthy {
		before = n.out.And(^uint32(cause))
	} else {
		before = n.out.Or(uint32(cause))
	}
	if wasHealthy := before&uint32(cause) == 0; wasHealthy != isHealthy {
		n.group.version.Add(1)
	}
}

// IsHealthy reports whether no cause has found the node unhealthy.
func (n *Node) IsHealthy() bool { return n.out.Load() == 0 }

// IsReachable reports whether a call can be sent to the node.
func (n *Node) IsReachable() bool { return n.out.Load()&unreachable == 0 }

// SetShare gives the node a share of its weight, from 0 to 1, while it warms up. [ConsistentHash] ignores it, since keys would move.
func (n *Node) SetShare(share float64) {
	if !(share >= 0) {
		share = 0
	}
	n.share.Store(uint32(min(share, 1) * fullShare))
}

// Entry is a node of a picker, with its weight.
type Entry struct {
	Node *Node
	// Weight is the node's share of calls in relation to the weights of other nodes. A node of weight 0 gets none, unless all weights
	// are 0: then all nodes count alike.
	Weight uint32
}

// Options are the options of pickers. The zero value means the defaults.
type Options struct {
	// PanicThreshold is the share of the weight of reachable nodes that must be healthy for health to count. 0 means 0.5, as in Envoy;
	// a negative number means none.
	PanicThreshold float64
}

// MaxEntries is the largest number of nodes of a picker.
const MaxEntries = 1 << 16

// Request is the part of a call that a pick depends on.
type Request struct {
	// Tried are nodes that the call has been sent to. They are picked again only if there is no other node.
	Tried []*Node
	// Hash is the hash of the key that [ConsistentHash] keeps together. See the function [Hash].
	Hash uint64
}

// Picker picks the node for a call, and returns nil only if it has no nodes. It changes no count: the caller calls [Node.Begin] on
// the node that it uses.
type Picker interface {
	Pick(request Request) *Node
}

// list is the common part of all pickers: nodes with weights, none of them 0. Some nodes may be avoided.
type list struct {
	group   *Group
	nodes   []*Node
	weights []uint32
	total   uint64
	panic   float64
	health  atomic.Pointer[health]
}

// health is the health of a list at one version of its group.
type health struct {
	version    uint64
	weight     uint64 // the weight of the nodes that are taken
	isPanicked bool   // health does not count
	isStranded bool   // no node is reachable, so that reachability does not count either
}

// takes reports whether a node with these causes is taken.
func (h *health) takes(out uint32) bool {
	if h.isPanicked {
		out &= unreachable
	}
	if h.isStranded {
		out &^= unreachable
	}
	return out == 0
}

func newList(entries []Entry, options Options) (*list, error) {
	if options.PanicThreshold == 0 {
		options.PanicThreshold = 0.5
	}
	if len(entries) > MaxEntries {
		return nil, fmt.Errorf("balance: %d nodes; take at most %d, a subset of the service", len(entries), MaxEntries)
	}
	if !(options.PanicThreshold <= 1) {
		return nil, fmt.Errorf("balance: the panic threshold is %v; write a number from 0 to 1, or -1 for none", options.PanicThreshold)
	}
	l := &list{panic: options.PanicThreshold}
	isWeighted := false
	for _, entry := range entries {
		isWeighted = isWeighted || entry.Weight > 0
	}
	for i, entry := range entries {
		if entry.Node == nil || l.group != nil && entry.Node.group != l.group {
			return nil, fmt.Errorf("balance: node %d is nil or of another group; make the nodes of a picker by one Group", i)
		}
		l.group = entry.Node.group
		weight := entry.Weight
		if !isWeighted {
			weight = 1
		}
		if weight > 0 {
			l.nodes, l.weights, l.total = append(l.nodes, entry.Node), append(l.weights, weight), l.total+uint64(weight)
		}
	}
	return l, nil
}

// view returns the present health of the list. It is computed again after the health of a node has changed.
func (l *list) view() *health {
	version := l.group.version.Load()
	view := l.health.Load()
	if view == nil || view.version != version {
		view = l.look(version)
		l.health.Store(view)
	}
	return view
}

func (l *list) look(version uint64) *health {
	view := &health{version: version}
	reachable, healthy, others := uint64(0), uint64(0), uint64(0)
	for i, n := range l.nodes {
		weight := uint64(l.weights[i])
		switch out := n.out.Load(); {
		case out == 0:
			healthy += weight
			reachable += weight
		case out&unreachable == 0:
			reachable += weight
		case out&^unreachable == 0:
			others += weight
		}
	}
	if reachable == 0 {
		view.isStranded, reachable, healthy = true, l.total, others
	}
	if view.weight = healthy; healthy == 0 || float64(healthy) < l.panic*float64(reachable) {
		view.isPanicked, view.weight = true, reachable
	}
	return view
}

// isUsable reports whether a request may go to a node.
func (l *list) isUsable(n *Node, request Request) bool {
	for _, tried := range request.Tried {
		if tried == n {
			return false
		}
	}
	out := n.out.Load()
	return out == 0 || l.view().takes(out)
}

// other picks by weight among the usable nodes, where a picker's own choice is not usable: it scans all nodes. If only nodes that
// were tried are left, it picks among these.
func (l *list) other(request Request, random uint64) int {
	for {
		// Each usable node takes the place of the node before with the probability of its share of the weight so far.
		picked, total := -1, uint64(0)
		for i, n := range l.nodes {
			if l.isUsable(n, request) {
				total += uint64(l.weights[i])
				if random = mix(random + golden); random%total < uint64(l.weights[i]) {
					picked = i
				}
			}
		}
		switch {
		case picked >= 0:
			return picked
		case len(request.Tried) == 0:
			// All nodes that were healthy have just become unhealthy.
			return int(random % uint64(len(l.nodes)))
		}
		request.Tried = nil
	}
}

// weight returns the weight of a node, reduced while the node warms up.
func (l *list) weight(i int) float64 {
	return float64(l.weights[i]) * float64(l.nodes[i].share.Load())
}
