package tune

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// gcState is the state of memory and collections as Go's run time reports it.
type gcState struct {
	// cycles is the number of collections that have ended.
	cycles uint64
	// live is the number of bytes of the heap that were live at the end of the last collection, roots the number of bytes of stacks and global
	// variables that it scanned.
	live, roots uint64
	// allocated is the number of bytes allocated since the program began.
	allocated uint64
	// heap is the memory that the heap has from the system and uses or will use again, total all memory that Go has from it.
	heap, total uint64
	gcSettings
	// collecting is the CPU time of collections, in seconds, without work on CPUs that were idle otherwise; available is the CPU time of GOMAXPROCS
	// CPUs. Both are as of the end of the last collection.
	collecting, available float64
}

// gcRuntime is Go's run time, or a substitute in tests.
type gcRuntime interface {
	read() gcState
	setPercent(int)
	setLimit(uint64)
}

// Names of runtime/metrics. Reading all of them takes less than a microsecond and stops nothing, unlike runtime.ReadMemStats.
const (
	metricCycles = iota
	metricLive
	metricAllocated
	metricStacks
	metricGlobals
	metricObjects
	metricUnused
	metricFree
	metricTotal
	metricReleased
	metricPercent
	metricLimit
	metricCollecting
	metricIdleMarking
	metricAvailable
)

var metricNames = [...]string{
	metricCycles:      "/gc/cycles/total:gc-cycles",
	metricLive:        "/gc/heap/live:bytes",
	metricAllocated:   "/gc/heap/allocs:bytes",
	metricStacks:      "/gc/scan/stack:bytes",
	metricGlobals:     "/gc/scan/globals:bytes",
	metricObjects:     "/memory/classes/heap/objects:bytes",
	metricUnused:      "/memory/classes/heap/unused:bytes",
	metricFree:        "/memory/classes/heap/free:bytes",
	metricTotal:       "/memory/classes/total:bytes",
	metricReleased:    "/memory/classes/heap/released:bytes",
	metricPercent:     "/gc/gogc:percent",
	metricLimit:       "/gc/gomemlimit:bytes",
	metricCollecting:  "/cpu/classes/gc/total:cpu-seconds",
	metricIdleMarking: "/cpu/classes/gc/mark/idle:cpu-seconds",
	metricAvailable:   "/cpu/classes/total:cpu-seconds",
}

// goRuntime is the run time of this program.
type goRuntime struct {
	samples [len(metricNames)]metrics.Sample
}

func newGoRuntime() *goRuntime {
	g := &goRuntime{}
	for i, name := range metricNames {
		g.samples[i].Name = name
	}
	return g
}

func (g *goRuntime) read() gcState {
	metrics.Read(g.samples[:])
	s := gcState{
		cycles:     g.count(metricCycles),
		live:       g.count(metricLive),
		allocated:  g.count(metricAllocated),
		roots:      g.count(metricStacks) + g.count(metricGlobals),
		heap:       g.count(metricObjects) + g.count(metricUnused) + g.count(metricFree),
		total:      minus(g.count(metricTotal), g.count(metricReleased)),
		gcSettings: gcSettings{-1, g.count(metricLimit)},
		collecting: g.seconds(metricCollecting) - g.seconds(metricIdleMarking),
		available:  g.seconds(metricAvailable),
	}
	if percent := g.count(metricPercent); percent <= math.MaxInt32 {
		s.percent = int(percent)
	}
	if s.limit == 0 {
		// A later Go that lacks the metric must not look like one without memory.
		s.limit = math.MaxInt64
	}
	if s.cycles == 0 {
		// Nothing was collected yet: all may be live.
		s.live = g.count(metricObjects)
	}
	return s
}

// count returns the value of a metric, or 0 for one that a later Go lacks.
func (g *goRuntime) count(metric int) uint64 {
	if g.samples[metric].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return g.samples[metric].Value.Uint64()
}

func (g *goRuntime) seconds(metric int) float64 {
	if g.samples[metric].Value.Kind() != metrics.KindFloat64 {
		return 0
	}
	return g.samples[metric].Value.Float64()
}

func (g *goRuntime) setPercent(percent int) { debug.SetGCPercent(percent) }

func (g *goRuntime) setLimit(bytes uint64) { debug.SetMemoryLimit(int64(min(bytes, math.MaxInt64))) }

// bell rings when a collection has ended: it is a garbage object that its finalizer keeps, so that the next collection finds it again. A cleanup
// (runtime.AddCleanup) would need a new object each time, which is not garbage yet for a collection that has begun: it would miss every other one of
// collections that follow each other closely. Polling every few milliseconds would keep idle programs awake.
type bell struct {
	rings     chan<- struct{}
	isStopped *atomic.Bool
}

// newBell returns a channel that receives the rings, with room for one, and a function that stops the bell.
func newBell() (rings <-chan struct{}, stop func()) {
	channel, isStopped := make(chan struct{}, 1), new(atomic.Bool)
	runtime.SetFinalizer(&bell{channel, isStopped}, (*bell).ring)
	return channel, func() { isStopped.Store(true) }
}

func (b *bell) ring() {
	if b.isStopped.Load() {
		return
	}
	select {
	case b.rings <- struct{}{}:
	default:
	}
	runtime.SetFinalizer(b, (*bell).ring)
}
