package tune

import (
	"fmt"
	"hash/crc32"
	"runtime"
	"testing"
)

// teeth is the report of the child.
type teeth struct {
	// MostBytes is the most memory that was live at once, with the memory that is not the heap's.
	MostBytes uint64
	// TightTeeth is the number of teeth at whose end memory was tight.
	TightTeeth int
	// Least and Most are the bounds of GOGC.
	Least, Most int
	Collections uint64
	// Share is the part of the CPU time of GOMAXPROCS CPUs that collections took.
	Share float64
	Stats GCStats
}

const (
	teethCount = 3
	// limit is the memory limit of the child in the tests.
	limit = 256 << 20
)

// sawtooth lets live memory grow from 10 to 95 % of a limit and fall again, with as much garbage as live memory, made at a service's pace: each piece
// is worked on once.
func sawtooth(limit uint64) teeth {
	tuner := GC(GCOptions{})
	const piece = 16 << 10
	told := teeth{Least: 1 << 30}
	run := newGoRuntime()
	var live [][]byte
	sum := uint32(0)
	work := func() []byte {
		one := make([]byte, piece)
		for i := range one {
			one[i] = byte(i) + byte(sum)
		}
		for range 4 {
			sum = crc32.Update(sum, crc32.IEEETable, one)
		}
		return one
	}
	for range teethCount {
		for {
			stats := tuner.Stats()
			bytes := uint64(len(live))*piece + stats.OtherBytes
			told.MostBytes = max(told.MostBytes, bytes)
			told.Least, told.Most = min(told.Least, stats.Percent), max(told.Most, stats.Percent)
			if bytes >= limit/100*95 {
				break
			}
			live = append(live, work())
			work()
		}
		if tuner.Stats().Tight {
			told.TightTeeth++
		}
		keep := int(limit / 10 / piece)
		clear(live[keep:])
		live = live[:keep]
	}
	state := run.read()
	told.Share, told.Collections, told.Stats = state.collecting/state.available, state.cycles, tuner.Stats()
	tuner.Stop()
	runtime.KeepAlive(live)
	return told
}

// check compares the report of a child with bounds that hold under any load of the machine.
func (told teeth) check(t *testing.T) {
	t.Helper()
	t.Logf("%+v", told)
	switch {
	case told.MostBytes < limit/100*95 || told.TightTeeth == 0:
		t.Error("memory was never tight")
	// At first next to nothing is live, and the heap may grow to 32 MiB in place of Go's own 4 MiB.
	case told.Most != 800 || told.Least > 25:
		t.Errorf("GOGC went from %d to %d", told.Least, told.Most)
	// From 10 % of the limit to 95 % in steps of 2 % there are 114 collections.
	case told.Collections > 150*teethCount:
		t.Errorf("%d collections loop", told.Collections)
	case told.Share > 0.6:
		t.Errorf("collections took %.2f of the CPU time", told.Share)
	}
}

// skipWhereMemoryIsShort skips a test whose child could be killed for another limit than its own.
func skipWhereMemoryIsShort(t *testing.T) {
	t.Helper()
	if isRace {
		t.Skip("skipped: the race detector takes a multiple of the memory")
	}
	limits, _ := newMemoryReader(hostFiles()).limits()
	for _, one := range limits {
		if minus(one.bytes, one.used) < 2*limit {
			t.Skipf("skipped: %s leaves less than %d MiB", one.name, 2*limit>>20)
		}
	}
}

// Without a tuner and without GOMEMLIMIT, such a child is killed on its first tooth. On a busy machine, a child that allocates while its collector
// waits for a CPU can be killed with a tuner too, so the test has several tries.
func TestLiveMemoryMayRiseTo95PercentOfAControlGroupsLimitAgainAndAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("further end to end")
	}
	skipWhereMemoryIsShort(t)
	group := newGroup(t, "memory")
	group.set(t, "memory.max", "memory.limit_in_bytes", fmt.Sprint(limit))
	for range 5 {
		var told teeth
		if err := child(t, group.dir, fmt.Sprint("sawtooth ", limit), &told); err != nil {
			t.Log(err)
			continue
		}
		told.check(t)
		return
	}
	t.Error("none of five children lived")
}

// Go's own memory limit kills no process, so this test works wherever it runs.
func TestLiveMemoryNearGOMEMLIMITIsNotCollectedInALoop(t *testing.T) {
	if testing.Short() {
		t.Skip("further end to end")
	}
	skipWhereMemoryIsShort(t)
	var told teeth
	if err := child(t, "", fmt.Sprint("sawtooth ", limit), &told, fmt.Sprint("GOMEMLIMIT=", limit)); err != nil {
		t.Fatal(err)
	}
	told.check(t)
}
