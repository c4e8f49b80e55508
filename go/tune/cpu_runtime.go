package tune

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// goScheduler is that of this program.
type goScheduler struct{}

func (goScheduler) cpus() int { return runtime.NumCPU() }

func (goScheduler) procs() int { return runtime.GOMAXPROCS(0) }

func (goScheduler) setProcs(n int) { runtime.GOMAXPROCS(n) }

// restorer returns to what Go chooses by itself, unless the program has set something else.
func (goScheduler) restorer() func() {
	before := runtime.GOMAXPROCS(0)
	runtime.SetDefaultGOMAXPROCS()
	if runtime.GOMAXPROCS(0) == before {
		return runtime.SetDefaultGOMAXPROCS
	}
	runtime.GOMAXPROCS(before)
	return func() { runtime.GOMAXPROCS(before) }
}

func (goScheduler) used() time.Duration { return cpuTime() }

// waits are of one goroutine in eight, as Go's scheduler counts.
func (goScheduler) waits() (w waits) {
	sample := []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return w
	}
	histogram := sample[0].Value.Float64Histogram()
	for i, count := range histogram.Counts {
		w.all += count
		if histogram.Buckets[i] >= lateAfter.Seconds() {
			w.late += count
		}
	}
	return w
}
