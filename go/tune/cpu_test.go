package tune

import (
	"errors"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// scheduler is a scheduler for tests, with its own quotas and clock.
type scheduler struct {
	now     time.Time
	count   int
	set     int
	busy    time.Duration
	counted waits
	failing error
	limits  []quota
}

func (s *scheduler) cpus() int                { return s.count }
func (s *scheduler) procs() int               { return s.set }
func (s *scheduler) setProcs(n int)           { s.set = n }
func (s *scheduler) used() time.Duration      { return s.busy }
func (s *scheduler) waits() waits             { return s.counted }
func (s *scheduler) quotas() ([]quota, error) { return s.limits, s.failing }

func (s *scheduler) restorer() func() {
	before := s.set
	return func() { s.set = before }
}

// pass lets an interval pass in which the given CPUs are used and cut of 20 periods are cut short.
func (s *scheduler) pass(cpus float64, cut uint64) {
	s.now = s.now.Add(chooseEvery)
	s.busy += time.Duration(cpus * float64(chooseEvery))
	for i := range s.limits {
		s.limits[i].periods += 20
		s.limits[i].throttled += cut
		s.limits[i].throttledTime += time.Duration(cut) * time.Millisecond
	}
}

func (s *scheduler) tuner(t *testing.T, options CPUOptions, environment string) *CPUTuner {
	t.Helper()
	tuner, err := newCPUTuner(options, s, s, func() time.Time { return s.now })
	if err != nil {
		t.Fatal(err)
	}
	tuner.begin(environment, "linux")
	return tuner
}

func newScheduler(limits ...quota) *scheduler {
	return &scheduler{now: time.Unix(1, 0), count: 8, set: 8, limits: limits}
}

func TestTheTunerOfCPUsFollowsTheQuotaAndWhatItCutsShort(t *testing.T) {
	s := newScheduler(quota{name: "own", cpus: 6.5}, quota{name: "above", cpus: 2.5})
	var said []string
	tuner := s.tuner(t, CPUOptions{Log: func(line string) { said = append(said, line) }}, "")
	if s.set != 3 || tuner.Stats().Quota != "above" || tuner.Stats().QuotaCPUs != 2.5 {
		t.Fatalf("%d, %+v", s.set, tuner.Stats())
	}
	steps := []struct {
		used float64
		cut  uint64
		want int
	}{{1, 0, 3}, {1, 8, 2}, {1, 0, 2}, {1.95, 0, 3}, {2.4, 12, 3}, {1, 12, 3}}
	for i, step := range steps {
		s.pass(step.used, step.cut)
		tuner.locked(tuner.step)
		if s.set != step.want || math.Abs(tuner.Stats().UsedCPUs-step.used) > 1e-6 || math.Abs(tuner.Stats().HeldUp-float64(step.cut)/20) > 1e-6 {
			t.Errorf("step %d: %d, %+v", i, s.set, tuner.Stats())
		}
	}
	s.limits[1].cpus = 5
	s.pass(1, 0)
	tuner.locked(tuner.step)
	if s.set != 5 || tuner.Stats().Changes != 4 || len(said) != 4 || !strings.Contains(said[1], "GOMAXPROCS is 2, after 3") {
		t.Errorf("%d, %+v, %q", s.set, tuner.Stats(), said)
	}
	tuner.locked(tuner.end)
	if s.set != 8 {
		t.Errorf("%d is left behind", s.set)
	}
}

// wait adds 100 waits of goroutines to the next interval; late is the number of long ones among them.
func (s *scheduler) wait(late uint64) {
	s.counted.all += 100
	s.counted.late += late
}

func TestFewerCPUsAreTakenBackWhereGoroutinesWaitForThemAndNotTriedAgainSoon(t *testing.T) {
	s := newScheduler(quota{name: "own", cpus: 2.5})
	tuner := s.tuner(t, CPUOptions{}, "")
	pass := func(late uint64) int {
		s.wait(late)
		s.pass(1, 10)
		tuner.locked(tuner.step)
		return s.set
	}
	barred := time.Duration(0)
	for range 10 {
		if got := pass(0); got != 2 {
			t.Fatalf("held up, %d CPUs", got)
		}
		if got := pass(2); got != 2 || tuner.Stats().Late != 0.02 {
			t.Fatalf("hardly one waits, %d CPUs, %+v", got, tuner.Stats())
		}
		if got := pass(10); got != 3 {
			t.Fatalf("many wait, %d CPUs", got)
		}
		barred = min(max(2*barred, tryAgain), tryAgainMost)
		for until := s.now.Add(barred - chooseEvery); s.now.Before(until); {
			if got := pass(0); got != 3 {
				t.Fatalf("tried again %v early, %d CPUs", until.Sub(s.now), got)
			}
		}
	}
}

func TestFewPeriodsProveNothing(t *testing.T) {
	s := newScheduler(quota{name: "own", cpus: 2.5})
	tuner := s.tuner(t, CPUOptions{}, "")
	s.pass(0.1, 0)
	s.limits[0].periods, s.limits[0].throttled = 1, 1
	tuner.locked(tuner.step)
	s.limits[0].periods, s.limits[0].throttled = 2, 1
	s.now = s.now.Add(chooseEvery)
	tuner.locked(tuner.step)
	if s.set != 3 {
		t.Fatal(s.set, tuner.Stats())
	}
}

func TestAnotherPartsGOMAXPROCSStays(t *testing.T) {
	s := newScheduler(quota{name: "own", cpus: 2.5})
	tuner := s.tuner(t, CPUOptions{}, "")
	s.set = 7
	for range 3 {
		s.pass(1, 20)
		tuner.locked(tuner.step)
	}
	if s.set != 7 || !strings.Contains(tuner.Stats().Idle, "set it to 7") || tuner.Stats().Procs != 7 {
		t.Errorf("%d, %+v", s.set, tuner.Stats())
	}
	tuner.locked(tuner.end)
	if s.set != 7 {
		t.Errorf("%d after the end", s.set)
	}
}

func TestGOMAXPROCSOfTheEnvironmentStays(t *testing.T) {
	s := newScheduler(quota{name: "own", cpus: 2.5})
	tuner := s.tuner(t, CPUOptions{}, "8")
	s.pass(1, 20)
	tuner.locked(tuner.step)
	tuner.locked(tuner.end)
	if s.set != 8 || tuner.Stats().HeldUp != 1 {
		t.Fatalf("%d, %+v", s.set, tuner.Stats())
	}
}

func TestQuotasThatCannotBeReadAreTold(t *testing.T) {
	s := newScheduler()
	s.failing = errors.New("no such tree")
	if tuner := s.tuner(t, CPUOptions{}, ""); s.set != 8 || tuner.Stats().Unread == nil {
		t.Fatalf("%d, %+v", s.set, tuner.Stats())
	}
}

func TestWrongOptionsOfCPUsAreErrors(t *testing.T) {
	for _, options := range []CPUOptions{{Reserve: -1}, {ReserveShare: 1}, {Reserve: math.NaN()}, {ReserveShare: -0.1}, {Reserve: 1, ReserveShare: 0.1}} {
		before := runtime.GOMAXPROCS(0)
		tuner := CPU(options)
		if tuner.Err() == nil || tuner.Stats().Idle == "" || runtime.GOMAXPROCS(0) != before {
			t.Errorf("%+v: %v, %+v", options, tuner.Err(), tuner.Stats())
		}
		tuner.Stop()
	}
}

func TestCPURestoresGOMAXPROCSAndThereIsOneTunerAtATime(t *testing.T) {
	if os.Getenv("GOMAXPROCS") != "" {
		t.Skip("skipped: GOMAXPROCS is set in the environment")
	}
	before := runtime.GOMAXPROCS(0)
	first := CPU(CPUOptions{Reserve: 1000})
	if first.Err() != nil || runtime.GOOS == "linux" && runtime.GOMAXPROCS(0) != 1 {
		t.Errorf("%v, GOMAXPROCS is %d", first.Err(), runtime.GOMAXPROCS(0))
	}
	second := CPU(CPUOptions{})
	if second.Err() == nil {
		t.Error("there are two")
	}
	second.Stop()
	first.Stop()
	first.Stop()
	if runtime.GOMAXPROCS(0) != before {
		t.Errorf("GOMAXPROCS is %d, not %d", runtime.GOMAXPROCS(0), before)
	}
	third := CPU(CPUOptions{})
	defer third.Stop()
	if third.Err() != nil {
		t.Error(third.Err())
	}
}
