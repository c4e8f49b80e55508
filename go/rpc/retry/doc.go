// Package retry decides whether an attempt of a call is followed by another one, and when: after a failure, or beside an attempt that takes
// long (a backup request). It sends nothing, reads no clock and waits for nobody: package rpc does, with times and random numbers of its own.
//
// Times are those of a monotonic clock, as durations since any fixed moment.
//
// A [Call] follows one call; it costs no allocation and belongs to one goroutine at a time. A [Budget] and a [Hedge] are shared by calls:
// both are lock-free. [Policy] is a value.
package retry
