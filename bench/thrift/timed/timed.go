// Package timed measures the time of the CPU, with that of the collector, which runs on the same core.
package timed

import (
	"syscall"
	"testing"
	"time"
)

// Run calls once again and again, and reports the CPU time that it took.
func Run(b *testing.B, once func() error) {
	b.ReportAllocs()
	before := used()
	for b.Loop() {
		if err := once(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(used()-before)/float64(b.N), "cpu-ns/op")
}

// used returns the CPU time of the process.
func used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
