// Package fanout bounds the number of calls of fan-outs to one service that are under way at a time, by a limit that follows their
// latency. It refuses at once the fan-outs that could not end in time.
//
// A fan-out is several calls at a time for one request. The caller needs the answers of all of them. Without a bound, every request
// adds its calls to the work of the service. All calls get slower, callers give up, and the service goes on with work that nobody
// waits for. A [Limit] belongs to the caller, which has one for each service that it calls:
//
//   - [limit.Adaptive] bounds the calls under way. Calls above the bound wait at the caller, where giving up costs the service nothing;
//   - calls wait in the order of their fan-outs, so that one fan-out after the other gets its answers, and not all of them only half;
//   - a fan-out that would end after its deadline is refused as a whole, before its first call.
//
// Little's law tells when a fan-out would end (J. Little, "A Proof for the Queuing Formula: L = lambda W", Operations Research
// 9(3), 1961): a service that has as many calls at a time as the limit, with a mean latency, answers limit/latency of them per unit
// of time.
//
// Nothing in this package waits, reads a clock or starts a goroutine: package rpc does so, in its FanOut. Times are those of a
// monotonic clock, as durations since any fixed moment. Several goroutines may call the methods.
package fanout
