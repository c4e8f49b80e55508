package tune

import "math"

const (
	// heldUp is the part of periods which a quota may cut short before fewer CPUs are tried.
	heldUp = 0.1
	// fitting is the part of fewer CPUs that the program's use must fit into before they are tried, and outgrown is that from which they are
	// too few. What is between keeps what there is.
	fitting, outgrown = 0.75, 0.9
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

// decide chooses GOMAXPROCS. It begins rounded up: a queue of goroutines waits longer for one CPU less than for a quota that is used up now and
// then. It rounds down if the quota is used up often though the program would not miss the CPU: because its use fits into fewer, so that
// peaks use the quota up; or because fewer use all of the quota. It rounds up again once the fewer are busy.
func (p cpuPolicy) decide(r cpuReading) int {
	down, up := p.choice(r)
	isEnough := float64(down) >= p.available(r)-rounding
	switch {
	case r.procs == up && r.heldUp >= heldUp && (isEnough || r.used <= fitting*float64(down)):
		return down
	case r.procs == down && (isEnough || r.used < outgrown*float64(down)):
		return down
	}
	return up
}
