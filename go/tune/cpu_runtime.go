package tune

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// goScheduler is the scheduler of this program.
type goScheduler struct{}

func (goScheduler) cpus() int { return runtime.NumCPU() }

func (goScheduler) procs() int { return runtime.GOMAXPROCS(0) }

func (goScheduler) setProcs(n int) { runtime.GOMAXPROCS(n) }

// restorer returns a function that restores Go's own choice of GOMAXPROCS, or the program's if the program has set another value.
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

// waits returns counts of one goroutine in eight: the sample that Go's scheduler takes.
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
