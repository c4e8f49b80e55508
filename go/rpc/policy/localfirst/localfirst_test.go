package localfirst

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// fleet is a service with its callers.
type fleet struct {
	callees []Callee
	callers []Caller
}

// randomFleet makes a fleet of up to that many hosts. Some hosts have many instances or callers, and some have none.
func randomFleet(r *rand.Rand, hosts int) fleet {
	var f fleet
	hosts = 1 + r.IntN(hosts)
	skew := r.Float64() * 3
	for h := range hosts {
		name := fmt.Sprintf("host-%d", h)
		for range r.IntN(4) {
			f.callees = append(f.callees, Callee{fmt.Sprintf("10.0.0.%d:%d", h, len(f.callees)), name, math.Exp(r.NormFloat64() * skew / 2)})
		}
		for range r.IntN(3) {
			f.callers = append(f.callers, Caller{name, math.Exp(r.NormFloat64() * skew)})
		}
	}
	if len(f.callees) == 0 {
		f.callees = append(f.callees, Callee{"10.0.0.1:1", "host-0", 1})
	}
	if len(f.callers) == 0 {
		f.callers = append(f.callers, Caller{"host-0", 1})
	}
	return f
}

// largeFleet makes a fleet with that many hosts, each with an instance or two callers or both.
func largeFleet(r *rand.Rand, hosts int) fleet {
	var f fleet
	for h := range hosts {
		name, kind := fmt.Sprintf("host-%d", h), r.IntN(3)
		if kind != 0 {
			f.callees = append(f.callees, Callee{fmt.Sprintf("10.%d.%d.1:80", h/256, h%256), name, 1 + r.Float64()})
		}
		if kind != 1 {
			f.callers = append(f.callers, Caller{name, 1 + 3*r.Float64()}, Caller{name, 1})
		}
	}
	return f
}

func (f fleet) weights(t testing.TB, options Options) [][]float64 {
	t.Helper()
	rows, err := Weights(f.callees, f.callers, options)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func (f fleet) rate() (total float64) {
	for _, caller := range f.callers {
		total += caller.Rate
	}
	return total
}

func (f fleet) capacity() (total float64) {
	for _, callee := range f.callees {
		total += callee.Capacity
	}
	return total
}

// loads returns the loads of the instances as shares of all calls, and in local the share of calls that stays on its host.
func (f fleet) loads(rows [][]float64) (loads []float64, local float64) {
	loads = make([]float64, len(f.callees))
	for i, caller := range f.callers {
		for j, weight := range rows[i] {
			calls := caller.Rate / f.rate() * weight
			loads[j] += calls
			if f.callees[j].Host == caller.Host {
				local += calls
			}
		}
	}
	return loads, local
}

// imbalance returns the largest difference of a load from the fair share, as a share of that.
func (f fleet) imbalance(rows [][]float64) (worst float64) {
	loads, _ := f.loads(rows)
	for j, callee := range f.callees {
		fair := callee.Capacity / f.capacity()
		worst = max(worst, math.Abs(loads[j]-fair)/fair)
	}
	return worst
}

// moved returns the share of calls that go elsewhere with other weights. Callers and instances are the same.
func moved(before, after fleet, rowsBefore, rowsAfter [][]float64) (total float64) {
	for i := range before.callers {
		for j := range before.callees {
			total += math.Abs(before.callers[i].Rate/before.rate()*rowsBefore[i][j] - after.callers[i].Rate/after.rate()*rowsAfter[i][j])
		}
	}
	return total / 2
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 24)) }

var tolerances = []float64{-1, 0.01, 0.05, 0.3}

func TestEveryInstanceHasItsFairShareWithinTheTolerance(t *testing.T) {
	for seed := range uint64(1000) {
		f := randomFleet(random(seed), 30)
		for _, tolerance := range tolerances {
			if worst := f.imbalance(f.weights(t, Options{Tolerance: tolerance})); worst > max(tolerance, 0)+1e-9 {
				t.Fatalf("seed %d, tolerance %v: a load is %v from its fair share", seed, tolerance, worst)
			}
		}
	}
}

func TestInstancesOfVeryDifferentCapacitiesHaveTheirFairShares(t *testing.T) {
	for seed := range uint64(1000) {
		r := random(seed)
		f := randomFleet(r, 10)
		for j := range f.callees {
			f.callees[j].Capacity = math.Exp(8 * r.NormFloat64())
		}
		for _, tolerance := range tolerances {
			if worst := f.imbalance(f.weights(t, Options{Tolerance: tolerance})); worst > max(tolerance, 0)+1e-4 {
				t.Fatalf("seed %d, tolerance %v: a load is %v from its fair share", seed, tolerance, worst)
			}
		}
	}
}

func TestTheToleranceIsFivePercentIfNothingIsSaid(t *testing.T) {
	f := fleet{[]Callee{{"a", "a", 1}, {"b", "b", 1}}, []Caller{{"a", 3}, {"b", 1}}}
	loads, local := f.loads(f.weights(t, Options{}))
	if math.Abs(loads[0]-0.525) > 1e-12 || math.Abs(local-0.775) > 1e-12 {
		t.Fatal(loads, local)
	}
}

func TestNoWeightsWithinTheToleranceKeepMoreCallsLocal(t *testing.T) {
	for seed := range uint64(300) {
		f := randomFleet(random(seed), 8)
		for _, tolerance := range tolerances {
			_, local := f.loads(f.weights(t, Options{Tolerance: tolerance}))
			if most := mostLocal(f, max(tolerance, 0)); math.Abs(local-most) > 1e-7 {
				t.Fatalf("seed %d, tolerance %v: %v stays local, and %v could", seed, tolerance, local, most)
			}
		}
	}
}

func TestWeightsOfACallerAddUpToOneAndNoneIsNegative(t *testing.T) {
	for seed := range uint64(200) {
		f := randomFleet(random(seed), 60)
		for _, subset := range []int{0, 1, 3, 20} {
			for i, row := range f.weights(t, Options{Subset: subset}) {
				total := 0.0
				for _, weight := range row {
					total += weight
					if !(weight >= 0) {
						t.Fatalf("seed %d, subset %d, caller %d: weight %v", seed, subset, i, weight)
					}
				}
				if math.Abs(total-1) > 1e-9 {
					t.Fatalf("seed %d, subset %d, caller %d: the weights add up to %v", seed, subset, i, total)
				}
			}
		}
	}
}

// shifted makes a fleet in which a share of all calls comes from other callers than before.
func (f fleet) shifted(r *rand.Rand, share float64) fleet {
	after := fleet{f.callees, slices.Clone(f.callers)}
	left := share * f.rate()
	for left > 1e-12*f.rate() {
		from, to := &after.callers[r.IntN(len(f.callers))], &after.callers[r.IntN(len(f.callers))]
		part := min(left, from.Rate*r.Float64()+1e-6*f.rate(), from.Rate)
		from.Rate -= part
		to.Rate += part
		left -= part
	}
	return after
}

func TestWhereAShareOfCallsComesFromElsewhereAtMostSevenTimesThatShareGoesElsewhere(t *testing.T) {
	for seed := range uint64(400) {
		r := random(seed)
		f := randomFleet(r, 20)
		for _, tolerance := range tolerances {
			for _, share := range []float64{0.0001, 0.01, 0.1} {
				after := f.shifted(r, share)
				options := Options{Tolerance: tolerance}
				if went := moved(f, after, f.weights(t, options), after.weights(t, options)); went > 7*share+1e-9 {
					t.Fatalf("seed %d, tolerance %v: %v of the calls comes from elsewhere, %v goes elsewhere", seed, tolerance, share, went)
				}
			}
		}
	}
}

func TestAnInstanceThatLeavesMovesAtMostFourTimesItsShareOfTheCalls(t *testing.T) {
	for seed := range uint64(400) {
		r := random(seed)
		f := randomFleet(r, 20)
		gone := r.IntN(len(f.callees))
		share := f.callees[gone].Capacity / f.capacity()
		if len(f.callees) == 1 || share > 0.5 {
			continue
		}
		after := fleet{slices.Clone(f.callees), f.callers}
		after.callees[gone].Capacity = 0
		for _, tolerance := range tolerances {
			options := Options{Tolerance: tolerance}
			if went := moved(f, after, f.weights(t, options), after.weights(t, options)); went > 4*share/(1-share)+1e-9 {
				t.Fatalf("seed %d, tolerance %v: an instance with a share of %v left, %v goes elsewhere", seed, tolerance, share, went)
			}
		}
	}
}

func TestACallerFindsItsWeightsFromASummaryThatWasSentToIt(t *testing.T) {
	for seed := range uint64(30) {
		f := randomFleet(random(seed), 60)
		for _, subset := range []int{0, 5} {
			options := Options{Subset: subset}
			rows := f.weights(t, options)
			summary, err := Summarize(f.callees, f.callers, options)
			if err != nil {
				t.Fatal(err)
			}
			for i, caller := range f.callers {
				// Only the numbers of the caller's own host are sent.
				text, err := json.Marshal(Summary{Targets: summary.Targets, Hosts: map[string]Share{caller.Host: summary.Hosts[caller.Host]}})
				if err != nil {
					t.Fatal(err)
				}
				var sent Summary
				if err := json.Unmarshal(text, &sent); err != nil {
					t.Fatal(err)
				}
				if own := sent.Weights(caller.Host); !slices.Equal(own, rows[i]) {
					t.Fatalf("seed %d, subset %d, caller %d: %v by the summary, %v by all", seed, subset, i, own, rows[i])
				}
			}
		}
	}
}

func TestTheOrderOfCallersMakesNoDifferenceToWeights(t *testing.T) {
	r := random(1)
	f := randomFleet(r, 60)
	rows := f.weights(t, Options{Subset: 3})
	shuffled := fleet{f.callees, nil}
	order := r.Perm(len(f.callers))
	for _, i := range order {
		shuffled.callers = append(shuffled.callers, f.callers[i])
	}
	for place, row := range shuffled.weights(t, Options{Subset: 3}) {
		for j := range row {
			if math.Abs(row[j]-rows[order[place]][j]) > 1e-9 {
				t.Fatal(row, rows[order[place]])
			}
		}
	}
}

func TestInputsWithoutRatesOrCapacitiesCountAlike(t *testing.T) {
	f := fleet{[]Callee{{"a", "a", 0}, {"b", "b", 0}}, []Caller{{"a", 0}, {"a", 0}, {"b", 0}, {"b", 0}}}
	for _, row := range f.weights(t, Options{}) {
		if !slices.Equal(row, []float64{1, 0}) && !slices.Equal(row, []float64{0, 1}) {
			t.Fatal(row)
		}
	}
}

func TestAnInstanceWithoutCapacityGetsNoCalls(t *testing.T) {
	f := fleet{[]Callee{{"a", "a", 0}, {"b", "b", 1}, {"c", "c", 1}}, []Caller{{"a", 1}}}
	for _, subset := range []int{0, 1} {
		if row := f.weights(t, Options{Subset: subset})[0]; row[0] != 0 || math.Abs(row[1]-0.5) > 0.01 {
			t.Fatal(row)
		}
	}
}

func TestWithoutCallersOrInstancesThereAreWeightsStill(t *testing.T) {
	summary, err := Summarize([]Callee{{"a", "a", 1}, {"b", "b", 3}}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if row := summary.Weights("a"); !slices.Equal(row, []float64{0.25, 0.75}) {
		t.Fatalf("a caller of which the summary knows nothing has weights %v", row)
	}
	if rows := (fleet{nil, []Caller{{"a", 1}}}).weights(t, Options{}); len(rows) != 1 || len(rows[0]) != 0 {
		t.Fatal(rows)
	}
}

func TestACallerThatTheSummaryDoesNotKnowCallsByCapacityWhereAllOthersCallsStayLocal(t *testing.T) {
	summary, err := Summarize([]Callee{{"a", "a", 1}, {"b", "b", 1}}, []Caller{{"a", 1}, {"b", 1}}, Options{Subset: 1})
	if err != nil {
		t.Fatal(err)
	}
	if row := summary.Weights("c"); !slices.Equal(row, []float64{0.5, 0.5}) {
		t.Fatal(row)
	}
}

func TestNumbersThatAreNoRatesAreRefusedWithWhatToWrite(t *testing.T) {
	for _, wrong := range []float64{-1, math.NaN(), math.Inf(1), math.MaxFloat64} {
		for _, f := range []fleet{{[]Callee{{"a", "a", wrong}}, nil}, {nil, []Caller{{"a", wrong}}}} {
			if _, err := Weights(f.callees, f.callers, Options{}); err == nil || !strings.Contains(err.Error(), "write numbers from 0") {
				t.Fatal(wrong, err)
			}
		}
	}
	for _, options := range []Options{{Tolerance: 1}, {Tolerance: math.NaN()}, {Subset: -1}} {
		if _, err := Weights(nil, nil, options); err == nil || !strings.Contains(err.Error(), "write a number") {
			t.Fatal(options, err)
		}
	}
}
