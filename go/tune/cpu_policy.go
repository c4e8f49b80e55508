package tune

import (
	"math"
	"time"
)

const (
	// heldUp is the part of periods that a quota must cut short before fewer CPUs are tried.
	heldUp = 0.1
	// fitting is the part of the smaller number of CPUs that the program's use must fit into before that number is tried. outgrown is the part from
	// which that number is too small. Between the two, the number of CPUs stays as it is.
	fitting, outgrown = 0.75, 0.9
	// fewLate is the part of goroutines that may wait lateAfter until they run: with more, no CPU is given away, and one that was given away is taken
	// back. It is about the part that shows in the 99th percentile of requests.
	fewLate   = 0.02
	lateAfter = 10 * time.Millisecond
	// tryAgain is the time until fewer CPUs are tried again after a first failed trial; it doubles with each failure, up to tryAgainMost. A trial
	// slows requests until the next reading: at this interval, too few of them to show in their 99th percentile.
	tryAgain, tryAgainMost = 15 * time.Minute, 4 * time.Hour
	// rounding is the largest difference between a quota and a whole number that comes from the rounding of a division.
	rounding = 1e-6
)

// cpuPolicy chooses GOMAXPROCS. See [CPUOptions] for its numbers.
type cpuPolicy struct{ reserve, reserveShare float64 }

// cpuReading holds the numbers by which GOMAXPROCS is chosen.
type cpuReading struct {
	// cpus is the number of CPUs that the process may run on.
	cpus int
	// quota is the tightest quota, in CPUs; 0 means none.
	quota float64
	// heldUp is the part of the last periods that a quota cut short.
	heldUp float64
	// used is the number of CPUs that this process used over the same time.
	used float64
	// late is the part of goroutines that waited lateAfter or longer until they ran, over the same time.
	late float64
	// isBarred is true if a trial of fewer CPUs failed lately.
	isBarred bool
	// procs is GOMAXPROCS now; 0 at the beginning.
	procs int
}

// granted returns the number of CPUs that the quota allows, at most those that the process may run on.
func (r cpuReading) granted() float64 {
	if r.quota > 0 {
		return min(r.quota, float64(r.cpus))
	}
	return float64(r.cpus)
}

// reserved returns the number of granted CPUs that are left to others.
func (p cpuPolicy) reserved(r cpuReading) float64 { return max(p.reserve, p.reserveShare*r.granted()) }

// available returns the number of CPUs for this program.
func (p cpuPolicy) available(r cpuReading) float64 { return max(r.granted()-p.reserved(r), 0) }

// choice returns the available CPUs rounded down, at least 1, and rounded up. With a quota and without a reserve, up is at least 2, as in Go: with a
// single CPU, a collection is in the way of all else.
func (p cpuPolicy) choice(r cpuReading) (down, up int) {
	available := p.available(r)
	down, up = int(available+rounding), int(math.Ceil(available-rounding))
	if r.quota > 0 && p.reserve == 0 && p.reserveShare == 0 {
		up = max(up, 2)
	}
	return min(max(down, 1), r.cpus), min(max(up, 1), r.cpus)
}

// cpuChoice is a choice of GOMAXPROCS. isFailed is true if fewer CPUs were tried and were too few.
type cpuChoice struct {
	procs    int
	isFailed bool
}

// decide chooses GOMAXPROCS. It begins with the number rounded up: goroutines wait longer in a queue for one CPU less than for a quota that is now
// and then used up. It tries fewer CPUs if the quota is used up often though the program's use fits into fewer CPUs with room: then the quota is used
// up by peaks, and by collections on CPUs that the program does not need.
//
// It takes the CPUs back once the fewer CPUs are busy, or goroutines wait for them. Such waits do not show in the CPU time used: where others want
// the same CPUs, one thread gets less than a CPU, and two get more than one. So one CPU is too few for a busy program with a quota of 1, though that
// is the quota.
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
