// Package fanout bounds how many calls of fan-outs to one service are under way at a time, by a limit that follows their latency, and refuses
// at once the fan-outs that could not end in time.
//
// A fan-out is several calls at a time for one request, of which the caller needs all. Without a bound, every request adds its calls to what
// the service works on. They all get slower, callers give up, and the service goes on with work that nobody waits for. A [Limit] belongs to
// the caller, one for each service that it calls:
//
//   - calls under way are bounded by [limit.Adaptive]. What is above waits at the caller, where giving up costs the service nothing;
//   - calls wait in the order of their fan-outs, so that one fan-out after the other gets its answers, rather than all of them halves;
//   - a fan-out that would end after its deadline is refused as a whole, before its first call.
//
// When a fan-out would end is told by Little's law (J. Little, "A Proof for the Queuing Formula: L = lambda W", Operations Research 9(3), 1961):
// a service that has as many calls at a time as the limit, with a mean latency, answers limit/latency of them per unit of time.
//
// Nothing here waits, reads a clock or starts a goroutine: package rpc does, in its FanOut. Times are those of a monotonic clock, as durations
// since any fixed moment. Methods may be called by several goroutines.
package fanout
