// Package gauge is what benchmarks of Go programs share: a load of calls, closed or at a rate, with its latency; what a process has used; and a server that tells that
// to the load generator.
package gauge
