package tune

import (
	"math"
	"time"
)

const (
	// heldUp is the part of periods which a quota may cut short before fewer CPUs are tried.
	heldUp = 0.1
	// fitting is the part of fewer CPUs that the program's use must fit into before they are tried, and outgrown is that from which they are
	// too few. What is between keeps what there is.
	fitting, outgrown = 0.75, 0.9
	// fewLate is the part of goroutines that may wait lateAfter until they run: with more, there is no CPU to give away, and one that was given
	// away is taken back. It is about what shows in the 99th percentile of requests.
	fewLate   = 0.02
	lateAfter = 10 * time.Millisecond
	// tryAgain is how long fewer CPUs are not tried again once they were taken back, the first time; each time it doubles, up to tryAgainMost. What
	// a trial costs requests, for the time until the next reading, is then no part of them that shows in their 99th percentile.
	tryAgain, tryAgainMost = 15 * time.Minute, 4 * time.Hour
	// rounding is what a quota may be beside a whole number by the rounding of a division.
	rounding = 1e-6
)

// cpuPolicy chooses GOMAXPROCS. See [CPUOptions] for its numbers.
type cpuPolicy struct{ reserve, reserveShare float64 }

// cpuReading is what GOMAXPROCS is chosen by.
type cpuReading struct {
	// cpus are those that the process may run on.
	cpus int
	// quota is the tightest, in CPUs; 0 is none.
	quota float64
	// heldUp is the part of the last periods that a quota cut short.
	heldUp float64
	// used CPUs, by this process, over the same time.
	used float64
	// late is the part of goroutines that waited lateAfter or longer until they ran, over the same time.
	late float64
	// isBarred is true where fewer CPUs were taken back lately.
	isBarred bool
	// procs is GOMAXPROCS now; 0 at the beginning.
	procs int
}

// granted is how many CPUs the quota leaves of those that there are.
func (r cpuReading) granted() float64 {
	if r.quota > 0 {
		return min(r.quota, float64(r.cpus))
	}
	return float64(r.cpus)
}

// reserved is how many CPUs of these are left to others.
func (p cpuPolicy) reserved(r cpuReading) float64 { return max(p.reserve, p.reserveShare*r.granted()) }

// available is how many CPUs are for this program.
func (p cpuPolicy) available(r cpuReading) float64 { return max(r.granted()-p.reserved(r), 0) }

// choice is between what is available rounded down, at least 1, and rounded up. Up is at least 2 with a quota and without a reserve, as Go has
// it: with a single one, a collection is in the way of all else.
func (p cpuPolicy) choice(r cpuReading) (down, up int) {
	available := p.available(r)
	down, up = int(available+rounding), int(math.Ceil(available-rounding))
	if r.quota > 0 && p.reserve == 0 && p.reserveShare == 0 {
		up = max(up, 2)
	}
	return min(max(down, 1), r.cpus), min(max(up, 1), r.cpus)
}

// cpuChoice is a GOMAXPROCS. isFailed where fewer CPUs were too few.
type cpuChoice struct {
	procs    int
	isFailed bool
}

// decide chooses GOMAXPROCS. It begins rounded up: a queue of goroutines waits longer for one CPU less than for a quota that is used up now and
// then. It tries fewer CPUs if the quota is used up often though the program's use fits into them with room: then it is peaks that use the quota
// up, and collections on CPUs that the program does not want.
//
// It takes the CPUs back once the fewer are busy, or goroutines wait for them. The latter does not show in what is used:
// where others want the same CPUs, one thread gets less than a CPU, and two get more than one. So one CPU is too few for a busy program with a
// quota of 1, though it is the quota.
func (p cpuPolicy) decide(r cpuReading) cpuChoice {
	down, up := p.choice(r)
	if down == up || r.procs != down && r.procs != up {
		return cpuChoice{procs: up}
	}
	if r.procs == down {
		if r.late > fewLate || r.used >= outgrown*float64(down) {
			return cpuChoice{procs: up, isFailed: true}
		}
		return cpuChoice{procs: down}
	}
	if r.heldUp >= heldUp && r.late <= fewLate && r.used <= fitting*float64(down) && !r.isBarred {
		return cpuChoice{procs: down}
	}
	return cpuChoice{procs: up}
}
