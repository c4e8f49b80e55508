// Package breaker stops calls to a service, or to one of its instances, that fails anyway. It has two policies: [Breaker], a circuit breaker
// that opens and closes, and [Throttle], which drops a growing share of calls as fewer of them are accepted.
//
// Neither reads a clock: times are those of a monotonic clock, as durations since any fixed moment. Methods may be called by several
// goroutines. While calls succeed, both are lock-free: a call costs one load and one change of a bucket of the window. A Breaker takes a
// lock only while it changes its state or is half-open.
package breaker
