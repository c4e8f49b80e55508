package localfirst

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func summarize(t testing.TB, f fleet, options Options) *Summary {
	t.Helper()
	summary, err := Summarize(f.callees, f.callers, options)
	if err != nil {
		t.Fatal(err)
	}
	return summary
}

// elsewhere returns the number of instances of other hosts that a row has calls for.
func (f fleet) elsewhere(caller int, row []float64) (count int) {
	for j, weight := range row {
		if weight > 0 && f.callees[j].Host != f.callers[caller].Host {
			count++
		}
	}
	return count
}

func TestASubsetBoundsHowManyInstancesACallerCallsOnOtherHosts(t *testing.T) {
	for seed := range uint64(2) {
		f := largeFleet(random(seed), 200)
		// There are callers on many more hosts than there are instances, so that none has a large part of the calls.
		for h := range 2000 {
			f.callers = append(f.callers, Caller{fmt.Sprintf("caller-%d", h), 1})
		}
		options := Options{Subset: 20}
		for i, row := range f.weights(t, options) {
			if count := f.elsewhere(i, row); count > options.Subset {
				t.Fatalf("seed %d, caller %d: calls %d instances of other hosts", seed, i, count)
			}
		}
	}
}

func TestACallerWithMostOfTheCallsHasASubsetThatCanTakeThem(t *testing.T) {
	f := fleet{callers: []Caller{{"large", 1000}, {"small", 1}}}
	for j := range 100 {
		f.callees = append(f.callees, Callee{fmt.Sprint(j), fmt.Sprint("host-", j), 1})
	}
	rows := f.weights(t, Options{Subset: 5})
	if large, small := f.elsewhere(0, rows[0]), f.elsewhere(1, rows[1]); large != 100 || small > 5 {
		t.Fatal(large, small)
	}
	if worst := f.imbalance(rows); worst > 0.05 {
		t.Fatal(worst)
	}
}

func TestSubsetsCostAFewPercentOfAFairShareAndTheSummaryTellsThem(t *testing.T) {
	const tolerance, most = 0.05, 0.03
	for seed := range uint64(5) {
		f := largeFleet(random(seed), 300)
		for _, subset := range []int{10, 30} {
			options := Options{Tolerance: tolerance, Subset: subset}
			told := summarize(t, f, options).Imbalance
			if worst := f.imbalance(f.weights(t, options)); told > most || worst > tolerance+told+1e-9 {
				t.Fatalf("seed %d, subset %d: a load is %v from its fair share, told are %v", seed, subset, worst, told)
			}
		}
	}
}

func TestSubsetsWithoutCorrectionsWouldLeaveLoadsUneven(t *testing.T) {
	f := largeFleet(random(1), 400)
	summary := summarize(t, f, Options{Subset: 20})
	for j := range summary.Targets {
		summary.Targets[j].Correction = 1
	}
	var rows [][]float64
	for _, caller := range f.callers {
		rows = append(rows, summary.Weights(caller.Host))
	}
	if worst := f.imbalance(rows); worst < 0.3 {
		t.Fatalf("loads are within %v of fair shares: corrections are not needed any more", worst)
	}
}

func TestWithSubsetsTooASmallChangeOfRatesMovesFewCalls(t *testing.T) {
	for seed := range uint64(6) {
		r := random(seed)
		f := largeFleet(r, 150)
		options := Options{Subset: 10}
		rows := f.weights(t, options)
		for _, share := range []float64{0.00001, 0.001, 0.01} {
			after := f.shifted(r, share)
			if went := moved(f, after, rows, after.weights(t, options)); went > 12*share {
				t.Fatalf("seed %d: %v of the calls comes from elsewhere, %v goes elsewhere", seed, share, went)
			}
		}
	}
}

func TestAnInstanceThatLeavesMovesFewOthersInSubsets(t *testing.T) {
	for seed := range uint64(6) {
		r := random(seed)
		f := largeFleet(r, 150)
		options := Options{Subset: 10}
		rows := f.weights(t, options)
		gone := r.IntN(len(f.callees))
		after := fleet{slices.Clone(f.callees), f.callers}
		after.callees[gone].Capacity = 0
		rowsAfter := after.weights(t, options)
		if went, share := moved(f, after, rows, rowsAfter), f.callees[gone].Capacity/f.capacity(); went > 8*share {
			t.Fatalf("seed %d: an instance with a share of %v left, %v goes elsewhere", seed, share, went)
		}
		all, fresh := 0, 0
		for i := range rows {
			for j := range rows[i] {
				if rows[i][j] > 0 {
					all++
				} else if rowsAfter[i][j] > 0 {
					fresh++
				}
			}
		}
		if most := 4 * all / len(f.callees); fresh > most {
			t.Fatalf("seed %d: %d new pairs of a caller and an instance, of %d; expected are at most %d", seed, fresh, all, most)
		}
	}
}

func TestTheMeanOfFadingIsThatOfManyDraws(t *testing.T) {
	r := random(1)
	for _, a := range []float64{1e-6, 0.01, 0.5, 3, 50} {
		total, draws := 0.0, 200_000
		for range draws {
			total += max(0, 1-r.ExpFloat64()/a)
		}
		if mean := total / float64(draws); a > 1e-3 && math.Abs(mean/meanFading(a)-1) > 0.05 {
			t.Fatalf("%v: the mean is %v, by the formula %v", a, mean, meanFading(a))
		}
	}
	if low, high := meanFading(0.99e-5), meanFading(1.01e-5); math.Abs(high/low-1.01/0.99) > 1e-4 {
		t.Fatalf("the two formulas do not meet: %v and %v", low, high)
	}
}

func BenchmarkSummaryOfAThousandHostsAndInstances(b *testing.B) {
	var f fleet
	for i := range 1000 {
		f.callees = append(f.callees, Callee{fmt.Sprintf("10.0.%d.%d:80", i/256, i%256), fmt.Sprint("callee-", i), 1})
		f.callers = append(f.callers, Caller{fmt.Sprint("caller-", i), 1})
	}
	for _, subset := range []int{0, 20} {
		b.Run(fmt.Sprint("subset of ", subset), func(b *testing.B) {
			for b.Loop() {
				summarize(b, f, Options{Subset: subset})
			}
		})
	}
}
