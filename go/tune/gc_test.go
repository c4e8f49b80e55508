package tune

import (
	"errors"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// collector is a run time for tests, with its own limits and clock.
type collector struct {
	state   gcState
	now     time.Time
	groups  []memoryLimit
	rss     uint64
	failing error
	reads   int
}

func (c *collector) read() gcState          { return c.state }
func (c *collector) setPercent(percent int) { c.state.percent = percent }
func (c *collector) setLimit(bytes uint64)  { c.state.limit = bytes }
func (c *collector) resident() uint64       { return c.rss }
func (c *collector) limits() ([]memoryLimit, error) {
	c.reads++
	return c.groups, c.failing
}

// collect ends a collection a second later, which found live bytes and took a share of the CPU time of two CPUs.
func (c *collector) collect(live uint64, share float64) {
	c.now = c.now.Add(time.Second)
	c.state.cycles++
	c.state.live = live
	c.state.allocated += 1 << 40
	c.state.available += 2
	c.state.collecting += 2 * share
}

func newCollector(percent int, limits ...memoryLimit) *collector {
	return &collector{now: time.Unix(1, 0), groups: limits, state: gcState{gcSettings: gcSettings{percent, math.MaxInt64}}}
}

func (c *collector) tuner(t *testing.T, options GCOptions, environment string) *GCTuner {
	t.Helper()
	tuner, err := newGCTuner(options, c, c, func() time.Time { return c.now })
	if err != nil {
		t.Fatal(err)
	}
	tuner.begin(environment)
	return tuner
}

func TestGOGCFollowsTheLiveHeapAndIsRestored(t *testing.T) {
	c := newCollector(120, memoryLimit{name: "group", bytes: 1000 * mib})
	tuner := c.tuner(t, GCOptions{}, "")
	for _, step := range []struct {
		live uint64
		want int
	}{{10 * mib, 500}, {200 * mib, 250}, {350 * mib, 100}, {600 * mib, 50}, {900 * mib, 7}, {100 * mib, 500}} {
		c.collect(step.live, 0)
		tuner.locked(tuner.step)
		s := tuner.Stats()
		if c.state.percent != step.want || s.Percent != step.want || s.LiveBytes != step.live || s.Limit != "group" || s.Idle != "" {
			t.Errorf("%d MiB live: %+v", step.live/mib, s)
		}
	}
	if c.state.limit != 1000*mib {
		t.Errorf("Go's limit is %d MiB", c.state.limit/mib)
	}
	tuner.locked(tuner.restore)
	if c.state.limit != math.MaxInt64 || c.state.percent != 120 || tuner.Stats().Percent != 120 || tuner.Stats().Idle == "" {
		t.Errorf("%+v", tuner.Stats())
	}
}

func TestOtherProcessesAndMemoryBesidesTheHeapCount(t *testing.T) {
	// This program has 200 MiB of heap and 30 MiB besides, 10 of them Go's own. Other processes have 300 MiB.
	c := newCollector(100, memoryLimit{name: "group", bytes: 1000 * mib, used: 530 * mib})
	c.state.live, c.state.heap, c.state.total, c.rss = 100*mib, 200*mib, 210*mib, 230*mib
	tuner := c.tuner(t, GCOptions{}, "")
	if s := tuner.Stats(); s.OtherBytes != 330*mib || s.ProcessesBytes != 300*mib || s.Percent != 270 {
		t.Errorf("%+v", s)
	}
	// Others grow, and this program does not collect.
	c.groups[0].used += 200 * mib
	c.now = c.now.Add(lookEvery)
	tuner.locked(tuner.step)
	if s := tuner.Stats(); s.OtherBytes != 530*mib || s.Percent != 70 {
		t.Errorf("%+v", s)
	}
}

func TestMemoryThatTheHeapHasAndNeverTouchedHidesNoOther(t *testing.T) {
	c := newCollector(100, memoryLimit{name: "group", bytes: 1000 * mib, used: 350 * mib})
	c.state.live, c.state.heap, c.state.total, c.rss = 100*mib, 400*mib, 410*mib, 50*mib
	if s := c.tuner(t, GCOptions{}, "").Stats(); s.OtherBytes != 310*mib || s.ProcessesBytes != 300*mib {
		t.Errorf("%+v", s)
	}
}

func TestGOMEMLIMITIsALimitLikeOthers(t *testing.T) {
	c := newCollector(100, memoryLimit{name: "group", bytes: 4000 * mib})
	c.state.live, c.state.heap, c.state.total, c.state.limit = 300*mib, 400*mib, 450*mib, 1000*mib
	tuner := c.tuner(t, GCOptions{}, "")
	if s := tuner.Stats(); s.Limit != "GOMEMLIMIT" || s.LimitBytes != 1000*mib || s.OtherBytes != 50*mib || s.Percent != 116 {
		t.Errorf("%+v", s)
	}
	// Another part of the program removes the limit for a while.
	c.state.limit = math.MaxInt64
	tuner.locked(tuner.step)
	if s := tuner.Stats(); s.Limit != "group" || s.Percent != 500 || c.state.limit != math.MaxInt64 {
		t.Errorf("%+v", s)
	}
	c.state.limit = 1000 * mib
	c.groups[0].bytes = 500 * mib
	c.now = c.now.Add(time.Second)
	tuner.locked(tuner.step)
	if s := tuner.Stats(); s.Limit != "group" || c.state.limit != 500*mib || s.GoLimitBytes != 500*mib {
		t.Errorf("%+v", s)
	}
	tuner.locked(tuner.restore)
	if c.state.limit != 1000*mib {
		t.Errorf("%d MiB are left behind", c.state.limit/mib)
	}
}

func TestControlGroupsAreNotReadMoreOftenThanPays(t *testing.T) {
	c := newCollector(100, memoryLimit{name: "group", bytes: 1000 * mib})
	tuner := c.tuner(t, GCOptions{}, "")
	for range 1000 {
		c.now = c.now.Add(readAfter / 10)
		tuner.locked(tuner.step)
	}
	if c.reads > 101 {
		t.Error(c.reads)
	}
}

func TestWithoutALimitGOGCIsForTheLeastHeapAlone(t *testing.T) {
	c := newCollector(130)
	tuner := c.tuner(t, GCOptions{LeastHeap: 64 * mib}, "")
	for _, step := range []struct {
		live    uint64
		percent int
	}{{1 * mib, 1600}, {16 * mib, 300}, {100 * mib, 130}, {100 * mib, 130}} {
		c.collect(step.live, 0.5)
		tuner.locked(tuner.step)
		if s := tuner.Stats(); s.Percent != step.percent || s.Idle != "" || s.Limit != "" {
			t.Errorf("%d MiB are live: %+v", step.live/mib, s)
		}
	}
	tuner.locked(tuner.restore)
	if c.state.percent != 130 {
		t.Errorf("GOGC %d is left behind", c.state.percent)
	}
}

func TestAGOGCThatSomebodyHasSaidStays(t *testing.T) {
	for name, c := range map[string]struct {
		percent     int
		environment string
		says        string
	}{
		"in the environment":     {100, "100", "GOGC=100"},
		"off in the environment": {-1, "off", "GOGC=off"},
		"off by the program":     {-1, "", "turned it off"},
	} {
		fake := newCollector(c.percent, memoryLimit{name: "group", bytes: 1000 * mib})
		var said []string
		tuner := fake.tuner(t, GCOptions{Log: func(line string) { said = append(said, line) }}, c.environment)
		fake.collect(10*mib, 0)
		tuner.locked(tuner.step)
		s := tuner.Stats()
		tuner.locked(tuner.restore)
		if fake.state.gcSettings != (gcSettings{c.percent, math.MaxInt64}) || !strings.Contains(s.Idle, c.says) || s.LiveBytes != 10*mib {
			t.Errorf("%s: %+v", name, s)
		}
		if len(said) != 1 || !strings.Contains(said[0], c.says) {
			t.Errorf("%s: %+v, %q", name, s, said)
		}
	}
}

func TestAnotherPartsGOGCStaysUntilThatPartSetsItBack(t *testing.T) {
	c := newCollector(100, memoryLimit{name: "group", bytes: 1000 * mib})
	var said []string
	tuner := c.tuner(t, GCOptions{Log: func(line string) { said = append(said, line) }}, "")
	tuned := c.state.percent
	c.state.percent = -1
	for range 3 {
		c.collect(600*mib, 0)
		tuner.locked(tuner.step)
	}
	if len(said) != 1 || c.state.percent != -1 || !strings.Contains(tuner.Stats().Idle, "set it to -1") {
		t.Errorf("%+v", tuner.Stats())
	}
	c.state.percent = tuned
	tuner.locked(tuner.step)
	if c.state.percent != 50 || tuner.Stats().Idle != "" {
		t.Errorf("%+v", tuner.Stats())
	}
	c.state.percent = 77
	tuner.locked(tuner.restore)
	if c.state.percent != 77 {
		t.Errorf("%d after the end", c.state.percent)
	}
}

func TestALiveHeapThatStaysNearItsLimitIsLetGrowInTheEnd(t *testing.T) {
	c := newCollector(100, memoryLimit{name: "group", bytes: 1000 * mib})
	var said []string
	tuner := c.tuner(t, GCOptions{Log: func(line string) { said = append(said, line) }}, "")
	var percents []int
	for range 60 {
		// Go itself limits collections to about half of the CPU time.
		c.collect(960*mib, 0.5)
		tuner.locked(tuner.step)
		percents = append(percents, c.state.percent)
	}
	if percents[0] != 2 || percents[2] != 2 || percents[59] < 49 || !tuner.Stats().Tight || math.Abs(tuner.Stats().Share-0.5) > 0.01 {
		t.Errorf("%v, %+v", percents, tuner.Stats())
	}
	c.collect(100*mib, 0)
	tuner.locked(tuner.step)
	if tuner.Stats().Tight || len(said) != 2 || !strings.Contains(said[0], "960 MiB are live, and of 1000 MiB in group") ||
		!strings.Contains(said[1], "no longer") {
		t.Errorf("%q", said)
	}
}

func TestWhatCannotBeReadIsTold(t *testing.T) {
	c := newCollector(100)
	c.failing = errors.New("no such tree")
	if s := c.tuner(t, GCOptions{}, "").Stats(); s.Unread == nil || s.Percent != 100 {
		t.Errorf("%+v", s)
	}
}

func TestTheLogMayAskForTheStatistics(t *testing.T) {
	c := newCollector(100, memoryLimit{name: "group", bytes: 100 * mib})
	var tuner *GCTuner
	asked := false
	tuner, _ = newGCTuner(GCOptions{Log: func(string) { asked = tuner.Stats().Tight }}, c, c, func() time.Time { return c.now })
	c.state.live = 99 * mib
	tuner.begin("")
	if !asked {
		t.Fatal("nothing was logged")
	}
}

func TestWrongOptionsOfTheCollectorAreErrors(t *testing.T) {
	for _, options := range []GCOptions{
		{Threshold: -1}, {Threshold: 0.98}, {Threshold: math.NaN()}, {MinPercent: -1}, {MinPercent: 100, MaxPercent: 50}, {MaxPercent: -1},
		{MaxShare: 1.5}, {MaxShare: math.NaN()},
	} {
		before := newGoRuntime().read().percent
		tuner := GC(options)
		if tuner.Err() == nil || tuner.Stats().Idle == "" || newGoRuntime().read().percent != before {
			t.Errorf("%+v: %v, %+v", options, tuner.Err(), tuner.Stats())
		}
		tuner.Stop()
	}
}

// withSettings sets GOGC and the memory limit for a test.
func withSettings(t *testing.T, percent int, limit int64) {
	if os.Getenv("GOGC") != "" {
		t.Skip("skipped: GOGC is set in the environment")
	}
	before, limitBefore := debug.SetGCPercent(percent), debug.SetMemoryLimit(limit)
	t.Cleanup(func() {
		debug.SetGCPercent(before)
		debug.SetMemoryLimit(limitBefore)
	})
}

func TestGOGCOfThisProgramChangesBetweenCollectionsAndIsRestored(t *testing.T) {
	withSettings(t, 130, 400*mib)
	tuner := GC(GCOptions{})
	defer tuner.Stop()
	if tuner.Err() != nil {
		t.Fatal(tuner.Err())
	}
	runtime.GC()
	most := newGoRuntime().read().percent
	live := make([]byte, 150*mib)
	// Each round is a collection. The test checks that collections change GOGC; otherwise its time limit ends it.
	for newGoRuntime().read().percent > most/2 {
		runtime.GC()
	}
	runtime.KeepAlive(live)
	for newGoRuntime().read().percent < most/2 {
		runtime.GC()
	}
	if s := tuner.Stats(); s.Changes < 2 || s.Limit == "" || s.Idle != "" {
		t.Errorf("%+v", s)
	}
	second := GC(GCOptions{})
	if second.Err() == nil {
		t.Error("there are two")
	}
	second.Stop()
	tuner.Stop()
	tuner.Stop()
	if after := newGoRuntime().read().gcSettings; after != (gcSettings{130, 400 * mib}) {
		t.Errorf("%+v after the end", after)
	}
	third := GC(GCOptions{})
	defer third.Stop()
	if third.Err() != nil {
		t.Error(third.Err())
	}
}

func TestAllMetricsOfTheRunTimeAreKnown(t *testing.T) {
	run := newGoRuntime()
	runtime.GC()
	s := run.read()
	isKnown := s.cycles > 0 && s.live > 0 && s.allocated > 0 && s.roots > 0 && s.heap >= s.live && s.total >= s.heap
	if !isKnown || s.limit == 0 || s.available <= 0 || s.collecting <= 0 {
		t.Fatalf("%+v", s)
	}
}

func TestABellRingsAfterEveryCollectionUntilItIsStopped(t *testing.T) {
	rings, stop := newBell()
	for range 5 {
		for rung := false; !rung; {
			runtime.GC()
			select {
			case <-rings:
				rung = true
			default:
			}
		}
	}
	stop()
}

func BenchmarkStep(b *testing.B) {
	tuner, err := newGCTuner(GCOptions{}, newGoRuntime(), newMemoryReader(hostFiles()), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	tuner.leave("it is measured")
	b.Run("with control groups", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tuner.readAt = time.Time{}
			tuner.locked(tuner.step)
		}
	})
	b.Run("without", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tuner.locked(tuner.step)
		}
	})
}
