// Package balance picks the instance of a service that a call goes to: [RoundRobin], [Random], [LeastRequests] or [ConsistentHash].
//
// A picker picks from a list of nodes that never changes. When the list changes, another picker is made of the same [Node]s, which
// keep their count of calls, their health and their warm-up. A picker avoids nodes that the call has tried before, and nodes that
// are marked as unhealthy, unless too many are: then it ignores health ("panic threshold" in Envoy), since the few nodes that are
// left could not carry all calls.
//
// Nothing reads a clock, and random numbers come from the caller. Many goroutines may use a picker: no pick takes a lock or
// allocates. RoundRobin changes an atomic number of its own. LeastRequests and ConsistentHash read the nodes' counts of calls,
// which [Node.Begin] and [Node.End] change.
package balance
