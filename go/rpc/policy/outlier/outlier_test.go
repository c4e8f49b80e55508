package outlier

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

type fleet struct {
	*Detector
	hosts   []*Host
	ejected []bool
	now     time.Duration
}

func fleetOf(t testing.TB, count int, options Options) *fleet {
	t.Helper()
	detector, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	f := &fleet{Detector: detector, ejected: make([]bool, count)}
	for i := range count {
		f.hosts = append(f.hosts, detector.Add(func(isEjected bool) { f.ejected[i] = isEjected }))
	}
	return f
}

// calls reports calls of a host. The last ones are failures.
func (f *fleet) calls(host, count, failures int) {
	for i := range count {
		f.hosts[host].Report(f.now, i >= count-failures)
	}
}

func (f *fleet) sweep() {
	f.now += Interval
	f.Sweep(f.now)
}

func (f *fleet) sum() (count int) {
	for _, isEjected := range f.ejected {
		if isEjected {
			count++
		}
	}
	return count
}

func TestFailuresInARowEjectAtOnceAndASuccessBetweenThemDoesNot(t *testing.T) {
	f := fleetOf(t, 10, Options{})
	f.calls(3, 4, 4)
	f.calls(3, 1, 0)
	f.calls(3, 4, 4)
	if f.sum() != 0 {
		t.Fatal("ejected after four failures in a row")
	}
	f.calls(3, 1, 1)
	if !f.ejected[3] || f.sum() != 1 || f.Ejected() != 1 {
		t.Fatal(f.ejected)
	}
}

func TestEachEjectionTakesABaseTimeMoreUpToABoundAndLessAgainAfterHealthyIntervals(t *testing.T) {
	f := fleetOf(t, 10, Options{BaseEjection: 30 * time.Second, MaxEjection: 100 * time.Second})
	eject := func() (intervals int) {
		f.calls(0, 5, 5)
		for intervals = 0; f.ejected[0]; intervals++ {
			f.sweep()
		}
		return intervals
	}
	for i, want := range []int{3, 6, 9, 10, 10} {
		if got := eject(); got != want {
			t.Errorf("ejection %d takes %d intervals, want %d", i+1, got, want)
		}
	}
	for range 10 {
		f.sweep()
	}
	if got := eject(); got != 3 {
		t.Errorf("after ten healthy intervals an ejection takes %d intervals", got)
	}
}

func TestNoMoreThanTheShareIsEjectedButOneAlwaysMayBe(t *testing.T) {
	for _, row := range []struct {
		hosts int
		share float64
		want  int
	}{{1, 0.1, 1}, {5, 0.1, 1}, {10, 0.1, 1}, {11, 0.1, 2}, {20, 0.1, 2}, {10, 0.5, 5}, {4, 1, 4}} {
		f := fleetOf(t, row.hosts, Options{MaxEjected: row.share})
		for i := range f.hosts {
			f.calls(i, 5, 5)
		}
		if f.sum() != row.want {
			t.Errorf("%+v: %d are ejected", row, f.sum())
		}
		for range 10 {
			f.sweep()
		}
		if f.sum() != 0 || f.Ejected() != 0 {
			t.Errorf("%+v: %d never come back", row, f.sum())
		}
	}
}

func TestAnInstanceFarBelowTheOthersSuccessRateIsEjectedAndNoiseIsNot(t *testing.T) {
	wrong, found := 0, 0
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		f := fleetOf(t, 20, Options{Consecutive: -1})
		for i := range f.hosts {
			share := 0.02
			if i == 7 {
				share = 0.3
			}
			for range 500 {
				f.hosts[i].Report(f.now, r.Float64() < share)
			}
		}
		f.sweep()
		if f.ejected[7] {
			found++
		}
		if f.sum() > 1 {
			wrong++
		}
	}
	if found != 50 || wrong > 0 {
		t.Fatalf("%d of 50 found, %d times others", found, wrong)
	}
}

func TestFewCallsOrFewInstancesAreNotCompared(t *testing.T) {
	for _, row := range []struct{ hosts, calls int }{{4, 1000}, {20, 99}} {
		f := fleetOf(t, row.hosts, Options{Consecutive: -1, FailureShare: 0.5, FailureCalls: 100})
		for i := range f.hosts {
			f.calls(i, row.calls, 0)
		}
		f.hosts[0].calls.Store(0)
		f.calls(0, row.calls, row.calls)
		f.sweep()
		if f.sum() != 0 {
			t.Errorf("%+v: %v", row, f.ejected)
		}
	}
}

func TestAShareOfFailuresEjectsWhateverTheOthersDo(t *testing.T) {
	f := fleetOf(t, 10, Options{Consecutive: -1, SuccessDeviations: -1, FailureShare: 0.85, MaxEjected: 1})
	for i := range f.hosts {
		f.calls(i, 100, 80+i)
	}
	f.sweep()
	for i, isEjected := range f.ejected {
		if isEjected != (80+i >= 85) {
			t.Error(i, isEjected)
		}
	}
}

func TestARemovedInstanceMakesRoomForOthersAndIsNotEjectedAgain(t *testing.T) {
	f := fleetOf(t, 10, Options{})
	f.calls(0, 5, 5)
	f.Remove(f.hosts[0])
	f.Remove(f.hosts[0])
	f.calls(0, 5, 5)
	f.calls(1, 5, 5)
	if f.Ejected() != 1 || !f.ejected[1] {
		t.Fatal(f.Ejected(), f.ejected)
	}
}

func TestReportsOfManyGoroutinesDuringSweepsKeepTheShare(t *testing.T) {
	f := fleetOf(t, 20, Options{Consecutive: 2, BaseEjection: time.Millisecond, MaxEjected: 0.2, FailureShare: 0.5})
	var all sync.WaitGroup
	for i := range uint64(4) {
		all.Add(1)
		go func() {
			defer all.Done()
			r := rand.New(rand.NewPCG(i, 0))
			for call := range 10_000 {
				f.hosts[r.IntN(20)].Report(time.Duration(call)*time.Millisecond, r.IntN(3) > 0)
				if call%100 == 0 {
					f.Sweep(time.Duration(call) * time.Millisecond)
					if n := f.Ejected(); n > 4 {
						t.Errorf("%d are ejected", n)
					}
				}
			}
		}()
	}
	all.Wait()
	f.Sweep(time.Hour)
	if f.sum() > 4 || f.Ejected() != f.sum() {
		t.Fatal(f.sum(), f.Ejected())
	}
}

func TestWrongOptionsAreRefused(t *testing.T) {
	for _, o := range []Options{{BaseEjection: -1}, {BaseEjection: 2, MaxEjection: 1}, {MaxEjected: 2}, {MaxEjected: math.NaN()}, {FailureShare: -1},
		{FailureShare: math.NaN()}, {SuccessDeviations: math.NaN()}, {SuccessHosts: -1}, {FailureCalls: -1}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v passes", o)
		}
	}
}

func BenchmarkReport(b *testing.B) {
	f := fleetOf(b, 1, Options{Consecutive: -1})
	b.ReportAllocs()
	for i := range b.N {
		f.hosts[0].Report(0, i%8 == 0)
	}
}
