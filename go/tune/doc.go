// Package tune has tuners for services that run within limits of memory and CPU time, such as containers:
//
//	defer tune.GC(tune.GCOptions{}).Stop()
//	defer tune.CPU(tune.CPUOptions{}).Stop()
//
// [GC] chooses GOGC after each collection by the memory that is left. [CPU] chooses GOMAXPROCS by the CPU quota and by how often the quota holds the
// program up. Both watch their control groups, of version 1 and 2, and all groups above; both report their state by Stats, and for Prometheus by
// Write; and both leave settings of the environment as they are.
//
// Decisions are functions of numbers alone (gc_policy.go, cpu_policy.go). Only Linux has control groups: elsewhere GC knows GOMEMLIMIT, and CPU does
// nothing. docs/rpc/tuning.md describes when not to use them.
package tune
