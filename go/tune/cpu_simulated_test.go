package tune

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// underQuota simulates a service whose requests come at random and take 5 ms of CPU each on average, on CPUs of a quota in periods of 100 ms. Other
// programs leave it a part of each CPU.
type underQuota struct {
	scheduler
	random      *rand.Rand
	load, left  float64
	waiting     []simulated // oldest first
	next, clock float64     // ms: until the next request, and since the beginning
	counts      waits
	times       []float64 // ms, of requests that are done
}

// simulated is a request.
type simulated struct {
	came, rest float64 // ms: when it came, and CPU time it still needs
	hasRun     bool
}

func newUnderQuota(quotaCPUs, load float64) *underQuota {
	s := &underQuota{scheduler: *newScheduler(quota{name: "own", cpus: quotaCPUs}), random: rand.New(rand.NewPCG(uint64(100*quotaCPUs), uint64(100*load))), load: load, left: 1}
	return s
}

func (s *underQuota) waits() waits { return s.counts }

// period simulates one period of the quota.
func (s *underQuota) period() {
	const period = 100
	quota, isCut := s.limits[0].cpus*period, false
	for range period {
		s.clock++
		for s.next--; s.next <= 0; s.next += s.random.ExpFloat64() * 5 / s.load {
			s.waiting = append(s.waiting, simulated{s.clock, s.random.ExpFloat64() * 5, false})
		}
		for i := range min(s.set, len(s.waiting)) {
			if quota < 1 {
				isCut = true
				break
			}
			if s.random.Float64() < s.left {
				s.run(&s.waiting[i])
				quota--
			}
		}
		s.finish(min(s.set, len(s.waiting)))
	}
	s.limits[0].periods++
	if isCut {
		s.limits[0].throttled++
	}
}

// finish removes the finished requests among the oldest ones, which may have run.
func (s *underQuota) finish(running int) {
	done := 0
	for i, one := range s.waiting[:running] {
		if one.rest <= 0 {
			s.times = append(s.times, s.clock-one.came)
			copy(s.waiting[done+1:], s.waiting[done:i])
			done++
		}
	}
	s.waiting = s.waiting[done:]
}

// run runs a request for 1 ms.
func (s *underQuota) run(one *simulated) {
	if !one.hasRun {
		one.hasRun = true
		s.counts.all++
		if s.clock-one.came >= float64(lateAfter.Milliseconds()) {
			s.counts.late++
		}
	}
	one.rest--
	s.busy += time.Millisecond
}

// interval runs until the tuner reads again.
func (s *underQuota) interval() {
	for range chooseEvery / (100 * time.Millisecond) {
		s.period()
	}
	s.now = s.now.Add(chooseEvery)
}

// served simulates 900 readings, and returns the 99th percentile of requests' times in ms. During the latter half, other programs leave the service
// only a part of each CPU.
func served(t *testing.T, s *underQuota, isTuned bool, part float64) (p99 float64) {
	const readings = 900
	tuner, err := newCPUTuner(CPUOptions{}, s, s, func() time.Time { return s.now })
	if err != nil {
		t.Fatal(err)
	}
	tuner.begin("", "linux")
	for i := range readings {
		if i == readings/2 {
			s.left = part
		}
		s.interval()
		if isTuned {
			tuner.locked(tuner.step)
		}
	}
	slices.Sort(s.times)
	return s.times[len(s.times)*99/100]
}

func TestRoundingMakesTheSlowestRequestsNoSlowerAlsoWhereOthersUseTheCPUs(t *testing.T) {
	if isRace {
		t.Skip("skipped: the simulation takes long with the race detector, and has one goroutine")
	}
	for _, quota := range []float64{0.5, 1, 1.5, 2.5} {
		t.Run(fmt.Sprintf("quota %v", quota), func(t *testing.T) {
			if testing.Short() && quota != 1.5 {
				t.Skip("judges a gain")
			}
			noSlower(t, quota)
		})
	}
}

// noSlower compares the slowest requests with and without a tuner, by a simulation.
func noSlower(t *testing.T, quota float64) {
	t.Helper()
	for _, load := range []float64{0.5, 0.7, 0.8} {
		for _, left := range []float64{1, 0.55} {
			if _, up := (cpuPolicy{}).choice(cpuReading{cpus: 8, quota: quota}); load*quota > 0.9*left*float64(up) {
				continue // the load is too high for any choice
			}
			up := served(t, newUnderQuota(quota, load*quota), false, left)
			tuned := served(t, newUnderQuota(quota, load*quota), true, left)
			if tuned > 1.25*up+5 {
				t.Errorf("quota %v, load %v, %v of each CPU: 99 %% of requests take %v ms, %v without a tuner", quota, load, left, tuned, up)
			}
		}
	}
}

// A quota of 1 was once rounded down to 1 CPU. On a busy machine that CPU gave the program less than its quota.
func TestOneCPUOfABusyMachineIsTakenBack(t *testing.T) {
	s := newUnderQuota(1, 0.6)
	tuner, err := newCPUTuner(CPUOptions{}, s, s, func() time.Time { return s.now })
	if err != nil {
		t.Fatal(err)
	}
	tuner.begin("", "linux")
	tuner.locked(func() { tuner.runtime.setProcs(1); tuner.set = 1 })
	s.left = 0.5
	for range 2 {
		s.interval()
		tuner.locked(tuner.step)
	}
	if s.set != 2 {
		t.Errorf("GOMAXPROCS is %d: %+v", s.set, tuner.Stats())
	}
}
