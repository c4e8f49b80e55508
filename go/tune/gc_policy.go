package tune

import (
	"math"
	"time"
)

const (
	// ceiling is the part of a limit that the heap may fill at most, as long as live memory leaves a choice: that at which Go collects for its own
	// memory limit (memoryLimitHeapGoalHeadroomPercent in runtime/mgcpacer.go).
	ceiling = 0.97
	// leastPercent is the smallest GOGC: with a smaller one the next collection would begin when the last has hardly ended.
	leastPercent = 2
	// smallestHeap is that below which Go does not collect, with GOGC=100; with others it is in proportion (runtime/mgcpacer.go).
	smallestHeap = 4 << 20
	// shareTime is over how long the share of CPU time is smoothed that collections take: how long they may take more than their part before
	// that is held against them.
	shareTime = 10 * time.Second
)

// gcPolicy chooses GOGC and Go's memory limit. See [GCOptions] for its numbers.
type gcPolicy struct {
	threshold              float64
	minPercent, maxPercent int
	maxShare               float64
	leastHeap              uint64
}

// gcLimit is a limit of memory, and what is below it that is not this program's heap: stacks, memory of C, other processes.
type gcLimit struct {
	name         string
	bytes, other uint64
	// processes is the part of other that is not this program's. No decision is made by it.
	processes uint64
}

// gcReading is what is decided by.
type gcReading struct {
	limits []gcLimit
	// isUnsure where a limit may be that could not be read.
	isUnsure bool
	// live bytes that the last collection found on the heap.
	live uint64
	// roots are bytes of stacks and global variables: GOGC counts them as if they were live, and they do not grow the heap.
	roots uint64
	// besides are bytes that Go has besides the heap. Its memory limit is for them too.
	besides uint64
	// survival is the part of what was allocated lately that is still live.
	survival float64
	// share of the CPU time that this program could have had which collections took.
	share float64
	// before are the settings without a tuner, which hold where there is no limit.
	before gcSettings
}

// gcSettings are GOGC in per cent, -1 if it is off, and Go's memory limit in bytes, math.MaxInt64 if there is none.
type gcSettings struct {
	percent int
	limit   uint64
}

// gcDecision is what to set, and why.
type gcDecision struct {
	gcSettings
	// tightest is the limit that leaves the least to the heap, or nil.
	tightest *gcLimit
	// isTight where the smallest GOGC of the options would let the heap grow beyond the ceiling.
	isTight bool
}

// decide chooses GOGC so that the heap may grow to the threshold of the tightest limit before it is collected, between the smallest and the
// largest GOGC of the options. Where that may take the heap beyond the ceiling within two collections, GOGC is what the ceiling leaves; but no
// less than a floor, which rises from 2 to the smallest of the options as collections take from once to twice their share of CPU time.
//
// A heap of which little is live may grow to the least heap of the options, as far as the threshold allows: also without a limit, which leaves the
// rest alone.
//
// Go's memory limit is that of the tightest limit, for a collection that GOGC would begin too late, as it was chosen for less live memory and the
// tuner has had no CPU since. It leaves the heap what the floor does, and is never above what it was before.
//
// So a heap that is near its limit for a moment is collected as often as it takes, and one that stays there is not collected for ever at the
// price of the program's work: it grows, and whoever set the limit ends the program.
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

// room is what a part of the limit that leaves the least leaves to the heap, and that limit. It may be negative.
func (r gcReading) room(part float64) (least float64, tightest *gcLimit) {
	least = math.Inf(1)
	for i, limit := range r.limits {
		if room := part*float64(limit.bytes) - float64(limit.other); room < least {
			least, tightest = room, &r.limits[i]
		}
	}
	return least, tightest
}

// percentTo is the GOGC by which the heap grows to fill a room. It may be negative.
func (r gcReading) percentTo(room float64) float64 {
	percent := 100 * room / smallestHeap
	if counted := float64(r.live + r.roots); counted > 0 {
		percent = min(percent, 100*(room-float64(r.live))/counted)
	}
	return percent
}

// careful is the GOGC by which the heap stays within a room for two collections, if as much of what is allocated survives as did lately. The
// second may begin before GOGC is chosen anew. And with a large GOGC Go lets a heap that grows exceed the goal of a collection by as much again
// (revise in runtime/mgcpacer.go).
func (r gcReading) careful(room float64) float64 {
	percent := r.percentTo(room)
	if percent <= 0 || r.survival <= 0 {
		return percent
	}
	// (1 + survival*g) * (1 + g) = 1 + growth, where growth fills the room at once, solved for g.
	growth, s := percent/100, r.survival
	return 100 * 2 * growth / (1 + s + math.Sqrt((1+s)*(1+s)+4*s*growth))
}

// smoothed takes a new share into one that was smoothed before, by how much time it is of.
func smoothed(before, share float64, over time.Duration) float64 {
	weight := 1 - math.Exp(-over.Seconds()/shareTime.Seconds())
	return before + weight*(min(max(share, 0), 1)-before)
}

// survived is the part of allocated memory by which the live heap grew. It is forgotten by halves: caution ends some collections after growth.
func survived(before float64, liveBefore, live, allocated uint64) float64 {
	part := 0.0
	if allocated > 0 {
		part = min(float64(minus(live, liveBefore))/float64(allocated), 1)
	}
	return max(part, before/2)
}
