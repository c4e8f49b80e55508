// Package gauge is the common part of benchmarks of Go programs: a load of calls, closed or at a rate, with its latency; the CPU time of a process;
// and a server that reports that to the load generator.
package gauge
