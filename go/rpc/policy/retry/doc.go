// Package retry decides whether another attempt of a call follows, and when: after a failure, or beside an attempt that takes long
// (a backup request). It sends nothing, reads no clock and waits for nobody: package rpc does so, with times and random numbers of
// its own.
//
// Times are those of a monotonic clock, as durations since any fixed moment.
//
// A [Call] follows one call; it costs no allocation and belongs to one goroutine at a time. Calls share a [Budget] and a [Hedge]:
// both are lock-free. [Policy] is a value.
package retry
