package tune

import (
	"math"
	"time"
)

const (
	// ceiling is the largest part of a limit that the heap may fill, as long as live memory leaves a choice. Go collects at the same part of its own
	// memory limit (memoryLimitHeapGoalHeadroomPercent in runtime/mgcpacer.go).
	ceiling = 0.97
	// leastPercent is the smallest GOGC: with a smaller one the next collection would begin when the last has hardly ended.
	leastPercent = 2
	// smallestHeap is the heap size below which Go does not collect, with GOGC=100; with others it is in proportion (runtime/mgcpacer.go).
	smallestHeap = 4 << 20
	// shareTime is the time over which the share of CPU time of collections is smoothed: collections may exceed their share for this long before the
	// policy reacts.
	shareTime = 10 * time.Second
)

// gcPolicy chooses GOGC and Go's memory limit. See [GCOptions] for its numbers.
type gcPolicy struct {
	threshold              float64
	minPercent, maxPercent int
	maxShare               float64
	leastHeap              uint64
}

// gcLimit is a limit of memory, and the memory below it that is not this program's heap: stacks, memory of C, other processes.
type gcLimit struct {
	name         string
	bytes, other uint64
	// processes is the part of other that does not belong to this program. No decision depends on it.
	processes uint64
}

// gcReading holds the numbers that a decision depends on.
type gcReading struct {
	limits []gcLimit
	// isUnsure is true if there may be a limit that could not be read.
	isUnsure bool
	// live is the number of bytes that the last collection found live on the heap.
	live uint64
	// roots is the number of bytes of stacks and global variables: GOGC counts them as if they were live, and they do not grow the heap.
	roots uint64
	// besides is the number of bytes that Go has besides the heap. Go's memory limit includes them.
	besides uint64
	// survival is the part of recently allocated memory that is still live.
	survival float64
	// share is the part of the program's available CPU time that collections took.
	share float64
	// before are the settings without a tuner, which apply if there is no limit.
	before gcSettings
}

// gcSettings are GOGC in per cent, -1 if it is off, and Go's memory limit in bytes, math.MaxInt64 if there is none.
type gcSettings struct {
	percent int
	limit   uint64
}

// gcDecision is the settings that a policy chose, and the reason.
type gcDecision struct {
	gcSettings
	// tightest is the limit that leaves the least to the heap, or nil.
	tightest *gcLimit
	// isTight is true if the smallest GOGC of the options would let the heap grow beyond the ceiling.
	isTight bool
}

// decide chooses GOGC between the smallest and the largest of the options so that the heap may grow to the threshold of the tightest limit before it
// is collected. Where that GOGC may take the heap beyond the ceiling within two collections, GOGC is the one that keeps within the ceiling, but no
// less than a floor. The floor rises from 2 to the smallest of the options as collections take from once to twice their share of CPU time.
//
// A heap with little live memory may grow to the least heap of the options, but not beyond the threshold. Without a limit this is the only change.
//
// Go's memory limit is set to the tightest limit. It is for a collection that GOGC would begin too late: GOGC may have been chosen for less live
// memory, and the tuner has had no CPU since. The memory limit leaves the heap as much as the floor does, and is never above its earlier value.
//
// So a heap that is near its limit for a moment is collected as often as necessary. A heap that stays near its limit is not collected for ever while
// the program does no work: the heap grows, and the system that set the limit ends the program.
func (p gcPolicy) decide(r gcReading) gcDecision {
	toLeast := r.percentTo(float64(p.leastHeap))
	if len(r.limits) == 0 {
		settings := r.before
		if settings.percent >= 0 && !r.isUnsure {
			settings.percent = max(settings.percent, int(toLeast))
		}
		return gcDecision{gcSettings: settings}
	}
	room, _ := r.room(p.threshold)
	comfortable := min(max(r.percentTo(room), float64(p.minPercent)), float64(p.maxPercent))
	comfortable = max(comfortable, min(toLeast, r.percentTo(room)))
	room, tightest := r.room(ceiling)
	burning := min(max(r.share/p.maxShare-1, 0), 1)
	least := min(leastPercent, float64(p.minPercent))
	floor := least + burning*(float64(p.minPercent)-least)
	whole, _ := r.room(1)
	grown := float64(r.live) + floor/100*float64(r.live+r.roots)
	return gcDecision{
		gcSettings: gcSettings{
			percent: int(min(comfortable, max(r.careful(room), floor))),
			limit:   min(uint64(min(max(whole, grown/ceiling)+float64(r.besides), math.MaxInt64)), r.before.limit),
		},
		tightest: tightest,
		isTight:  r.percentTo(room) < float64(p.minPercent),
	}
}

// room returns how many bytes the heap may fill within a part of each limit, for the limit that leaves the least, and that limit. It may be negative.
func (r gcReading) room(part float64) (least float64, tightest *gcLimit) {
	least = math.Inf(1)
	for i, limit := range r.limits {
		if room := part*float64(limit.bytes) - float64(limit.other); room < least {
			least, tightest = room, &r.limits[i]
		}
	}
	return least, tightest
}

// percentTo returns the GOGC by which the heap grows to fill a room. It may be negative.
func (r gcReading) percentTo(room float64) float64 {
	percent := 100 * room / smallestHeap
	if counted := float64(r.live + r.roots); counted > 0 {
		percent = min(percent, 100*(room-float64(r.live))/counted)
	}
	return percent
}

// careful returns the GOGC by which the heap stays within a room for two collections, if survival stays as it was lately. The second collection may
// begin before GOGC is chosen anew. And with a large GOGC, Go lets a growing heap exceed the goal of a collection by as much again (revise in
// runtime/mgcpacer.go).
func (r gcReading) careful(room float64) float64 {
	percent := r.percentTo(room)
	if percent <= 0 || r.survival <= 0 {
		return percent
	}
	// (1 + survival*g) * (1 + g) = 1 + growth, where growth fills the room at once, solved for g.
	growth, s := percent/100, r.survival
	return 100 * 2 * growth / (1 + s + math.Sqrt((1+s)*(1+s)+4*s*growth))
}

// smoothed returns a smoothed share after a new share, which is weighted by the time over which it was measured.
func smoothed(before, share float64, over time.Duration) float64 {
	weight := 1 - math.Exp(-over.Seconds()/shareTime.Seconds())
	return before + weight*(min(max(share, 0), 1)-before)
}

// survived returns the part of allocated memory by which the live heap grew. The earlier part halves each time, so that caution ends some collections
// after growth.
func survived(before float64, liveBefore, live, allocated uint64) float64 {
	part := 0.0
	if allocated > 0 {
		part = min(float64(minus(live, liveBefore))/float64(allocated), 1)
	}
	return max(part, before/2)
}
