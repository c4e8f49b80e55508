package balance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

func nodes(group *Group, count int) []*Node {
	var all []*Node
	for i := range count {
		all = append(all, group.NewNode(fmt.Sprintf("10.0.%d.%d:9090", i/256, i%256), i))
	}
	return all
}

func entriesOf(nodes []*Node, weight func(i int) uint32) []Entry {
	var entries []Entry
	for i, n := range nodes {
		entries = append(entries, Entry{n, weight(i)})
	}
	return entries
}

func same(int) uint32 { return 10 }

func must[P any](picker P, err error) P {
	if err != nil {
		panic(err)
	}
	return picker
}

// each makes one picker of each sort.
func each(entries []Entry, seed uint64) map[string]Picker {
	random := func() func() uint64 {
		var lock sync.Mutex
		r := rand.New(rand.NewPCG(seed, 1))
		return func() uint64 {
			lock.Lock()
			defer lock.Unlock()
			return r.Uint64()
		}
	}
	return map[string]Picker{
		"round robin":     must(NewRoundRobin(entries, Options{}, seed<<32)),
		"random":          must(NewRandom(entries, Options{}, random())),
		"least requests":  must(NewLeastRequests(entries, Options{}, random())),
		"consistent hash": must(NewConsistentHash(entries, HashOptions{Bound: math.Inf(1)})),
	}
}

func TestEveryPickerHonoursWeights(t *testing.T) {
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 2))
		all := nodes(new(Group), 1+r.IntN(12))
		entries := entriesOf(all, func(int) uint32 { return uint32(20 + r.IntN(200)) })
		total := 0.0
		for _, e := range entries {
			total += float64(e.Weight)
		}
		for name, picker := range each(entries, seed) {
			counts := make([]float64, len(all))
			const picks = 20_000
			for range picks {
				counts[picker.Pick(Request{Hash: r.Uint64()}).Value().(int)]++
			}
			for i, e := range entries {
				want := picks * float64(e.Weight) / total
				// The bound is five standard deviations. For a ring it also has the spread of the ring's points, whose number is in proportion
				// to the weight.
				bound := 5 * math.Sqrt(want)
				if name == "consistent hash" {
					bound += 5 * want / math.Sqrt(pointsPerNode*float64(e.Weight)/total*float64(len(all))/math.Sqrt2)
				}
				if math.Abs(counts[i]-want) > bound {
					t.Errorf("%s, seed %d: node %d of weight %d of %v has %v picks, want %.0f +- %.0f",
						name, seed, i, e.Weight, total, counts[i], want, bound)
				}
			}
		}
	}
}

// Each node has its share of every stretch of picks, within a few picks, so that a light node's calls do not all come together.
func TestRoundRobinIsSmooth(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		all := nodes(new(Group), 1+r.IntN(50))
		entries := entriesOf(all, func(int) uint32 { return uint32(1 + r.IntN(100)) })
		total := 0.0
		for _, e := range entries {
			total += float64(e.Weight)
		}
		picker := must(NewRoundRobin(entries, Options{}, r.Uint64()))
		counts := make([]float64, len(all))
		least, most := make([]float64, len(all)), make([]float64, len(all))
		for pick := range 5_000 {
			counts[picker.Pick(Request{}).Value().(int)]++
			for i, e := range entries {
				ahead := counts[i] - float64(pick+1)*float64(e.Weight)/total
				least[i], most[i] = min(least[i], ahead), max(most[i], ahead)
			}
		}
		for i := range all {
			// The strides are rounded to 16 bits, which makes 5,000 / 65,536 of a pick for each node.
			if most[i]-least[i] > 4 {
				t.Errorf("seed %d: node %d of %d, weight %d of %v, is between %.1f and %.1f picks ahead",
					seed, i, len(all), entries[i].Weight, total, least[i], most[i])
			}
		}
	}
}

// Calls that never end are like balls in bins: two choices keep the fullest bin near the mean, one choice does not.
func TestTwoChoicesKeepTheFullestNodeNearTheMean(t *testing.T) {
	const count = 200
	for seed := range uint64(2) {
		fullest := func(name string, weight func(int) uint32, calls int) float64 {
			all := nodes(new(Group), count)
			picker := each(entriesOf(all, weight), seed)[name]
			for range calls {
				picker.Pick(Request{}).Begin()
			}
			total := 0.0
			for i := range all {
				total += float64(weight(i))
			}
			most := 0.0
			for i, n := range all {
				most = max(most, float64(n.Active())-float64(calls)*float64(weight(i))/total)
			}
			return most
		}
		bound := math.Log2(math.Log2(count)) + 1
		if most := fullest("least requests", same, count*20); most > bound {
			t.Errorf("two choices: %.1f above the mean", most)
		}
		if most := fullest("random", same, count*20); most < 2*bound {
			t.Errorf("one choice: only %.1f above the mean, so the test says nothing", most)
		}
		if most := fullest("least requests", func(i int) uint32 { return uint32(10 + i%3*10) }, count*20); most > 2*bound {
			t.Errorf("two choices with weights: %.1f above the share", most)
		}
	}
}

func TestLeastRequestsGivesASlowNodeFewerCalls(t *testing.T) {
	all := nodes(new(Group), 10)
	picker := each(entriesOf(all, same), 1)["least requests"]
	counts := make([]int, len(all))
	var running []*Node
	for range 100_000 {
		n := picker.Pick(Request{})
		n.Begin()
		counts[n.Value().(int)]++
		// Node 0 answers after 200 other calls, the other nodes after 20.
		running = append(running, n)
		if len(running) > 20 && running[len(running)-21].Value() != 0 {
			running[len(running)-21].End()
		}
		if len(running) > 200 && running[len(running)-201].Value() == 0 {
			running[len(running)-201].End()
		}
	}
	if counts[0] > counts[1]/2 {
		t.Fatal(counts)
	}
}

func TestARetryGoesToANodeThatWasNotTriedAsLongAsThereIsOne(t *testing.T) {
	all := nodes(new(Group), 5)
	for name, picker := range each(entriesOf(all, same), 1) {
		for hash := range uint64(200) {
			var tried []*Node
			for range all {
				n := picker.Pick(Request{Tried: tried, Hash: hash})
				for _, before := range tried {
					if n == before {
						t.Fatalf("%s: %s was tried, with %d others left", name, n.Key(), len(all)-len(tried))
					}
				}
				tried = append(tried, n)
			}
			if picker.Pick(Request{Tried: tried, Hash: hash}) == nil {
				t.Fatalf("%s: no node, though there are nodes to try again", name)
			}
		}
	}
}

func TestUnhealthyNodesGetNoCallsUntilTooManyAreUnhealthy(t *testing.T) {
	const count = 10
	for out := 0; out <= count; out++ {
		all := nodes(new(Group), count)
		for name, picker := range each(entriesOf(all, same), 1) {
			picker.Pick(Request{})
			counts := make([]int, count)
			for _, n := range all[:out] {
				n.SetHealthy(Outlier, false)
			}
			for hash := range uint64(5_000) {
				counts[picker.Pick(Request{Hash: hash}).Value().(int)]++
			}
			for i, n := range counts {
				isPanicked := out > count/2
				if gets := n > 0; gets != (i >= out || isPanicked) {
					t.Errorf("%s, %d of %d unhealthy: node %d has %d calls", name, out, count, i, n)
				}
			}
			for _, n := range all {
				n.SetHealthy(Outlier, true)
			}
			isBack := false
			for hash := range uint64(5_000) {
				isBack = isBack || picker.Pick(Request{Hash: hash}).Value() == 0
			}
			if !isBack {
				t.Errorf("%s: a node that is healthy again gets nothing", name)
			}
		}
	}
}

func TestANodeWithoutAConnectionIsNotPickedWhileAnotherHasOne(t *testing.T) {
	const count = 10
	for out := 0; out <= count; out++ {
		all := nodes(new(Group), count)
		for _, n := range all[:out] {
			n.SetHealthy(Connection, false)
		}
		// The last node is also ejected, but that does not count if no other node is left.
		all[count-1].SetHealthy(Outlier, false)
		for name, picker := range each(entriesOf(all, same), 1) {
			for hash := range uint64(1_000) {
				node := picker.Pick(Request{Hash: mix(hash), Tried: all[:1]})
				switch {
				case out < count && !node.IsReachable():
					t.Fatalf("%s: of %d nodes without a connection one is picked", name, out)
				case out < count-2 && !node.IsHealthy():
					t.Fatalf("%s: with %d nodes without a connection, one is picked that is ejected", name, out)
				}
			}
		}
	}
}

func TestANodeIsHealthyWhenNoCauseSaysOtherwise(t *testing.T) {
	all := nodes(new(Group), 5)
	for name, picker := range each(entriesOf(all, same), 1) {
		gets := func() bool {
			for hash := range uint64(1_000) {
				if picker.Pick(Request{Hash: mix(hash)}) == all[0] {
					return true
				}
			}
			return false
		}
		all[0].SetHealthy(Outlier, false)
		all[0].SetHealthy(Breaker, false)
		all[0].SetHealthy(Outlier, true)
		if all[0].IsHealthy() || gets() {
			t.Errorf("%s: healthy, though its breaker is open", name)
		}
		all[0].SetHealthy(Breaker, true)
		all[0].SetHealthy(Leaving, true)
		if !all[0].IsHealthy() || !gets() {
			t.Errorf("%s: unhealthy without a cause", name)
		}
	}
}

func TestAnUnhealthyNodesCallsAreSpreadOverTheOthers(t *testing.T) {
	all := nodes(new(Group), 10)
	all[0].SetHealthy(Outlier, false)
	for name, picker := range each(entriesOf(all, same), 1) {
		counts := make([]float64, 10)
		r := rand.New(rand.NewPCG(1, 1))
		for range 50_000 {
			counts[picker.Pick(Request{Hash: r.Uint64()}).Value().(int)]++
		}
		for i, n := range counts[1:] {
			if n < 0.6*50_000/9 || n > 1.4*50_000/9 {
				t.Errorf("%s: node %d has %v of 50000", name, i+1, n)
			}
		}
	}
}

func TestANodeThatWarmsUpGetsItsShareOfItsWeight(t *testing.T) {
	for _, share := range []float64{0.1, 0.25, 0.5, 1} {
		all := nodes(new(Group), 5)
		all[0].SetShare(share)
		for name, picker := range each(entriesOf(all, same), 1) {
			if name == "consistent hash" {
				continue
			}
			const picks = 50_000
			count := 0.0
			for range picks {
				if picker.Pick(Request{}).Value() == 0 {
					count++
				}
			}
			if want := picks * share / (4 + share); math.Abs(count-want) > 0.06*want+10 {
				t.Errorf("%s: share %v: %v calls, want %.0f", name, share, count, want)
			}
		}
		for _, n := range all {
			n.SetShare(0.001)
		}
		for name, picker := range each(entriesOf(all, same), 1) {
			if picker.Pick(Request{}) == nil {
				t.Errorf("%s: no node while all warm up", name)
			}
		}
	}
}

func TestNodesOfWeightZeroGetNothingUnlessAllAreZero(t *testing.T) {
	all := nodes(new(Group), 3)
	for name, picker := range each(entriesOf(all, func(i int) uint32 { return uint32(i) }), 1) {
		for hash := range uint64(1_000) {
			if n := picker.Pick(Request{Hash: mix(hash)}); n == all[0] {
				t.Fatal(name)
			}
		}
	}
	for name, picker := range each(entriesOf(all, func(int) uint32 { return 0 }), 1) {
		got := map[*Node]bool{}
		for hash := range uint64(1_000) {
			got[picker.Pick(Request{Hash: mix(hash)})] = true
		}
		if len(got) != 3 {
			t.Fatal(name, len(got))
		}
	}
}

func TestPickersOfNothingPickNothingAndWrongListsAreRefused(t *testing.T) {
	for name, picker := range each(nil, 1) {
		if picker.Pick(Request{}) != nil {
			t.Error(name)
		}
	}
	group := new(Group)
	one := Entry{group.NewNode("a", nil), 1}
	for _, entries := range [][]Entry{{{nil, 1}}, {one, {new(Group).NewNode("b", nil), 1}}, make([]Entry, MaxEntries+1)} {
		if _, err := NewRoundRobin(entries, Options{}, 0); err == nil {
			t.Errorf("%d entries pass", len(entries))
		}
	}
	if _, err := NewRoundRobin([]Entry{one}, Options{PanicThreshold: 2}, 0); err == nil {
		t.Error("a threshold of 2 passes")
	}
	for _, bound := range []float64{1, math.NaN()} {
		if _, err := NewConsistentHash([]Entry{one}, HashOptions{Bound: bound}); err == nil {
			t.Errorf("a bound of %v passes", bound)
		}
	}
}

func TestPicksByManyGoroutinesWhileHealthChangesLeaveNoCount(t *testing.T) {
	group := new(Group)
	all := nodes(group, 10)
	for name, picker := range each(entriesOf(all, same), 1) {
		var pickers sync.WaitGroup
		for i := range uint64(8) {
			pickers.Add(1)
			go func() {
				defer pickers.Done()
				r := rand.New(rand.NewPCG(i, 0))
				for range 3_000 {
					n := picker.Pick(Request{Hash: r.Uint64()})
					n.Begin()
					all[r.IntN(4)].SetHealthy(Cause(1<<r.IntN(4)), r.IntN(3) > 0) // never a panic, and some of the others are always healthy
					all[r.IntN(len(all))].SetShare(r.Float64())
					again := picker.Pick(Request{Hash: r.Uint64(), Tried: []*Node{n}})
					if again == n {
						t.Errorf("%s: the node that was tried", name)
					}
					n.End()
				}
			}()
		}
		pickers.Wait()
		if group.active.Load() != 0 {
			t.Fatal(group.active.Load())
		}
	}
}

func TestPicksAllocateNothing(t *testing.T) {
	all := nodes(new(Group), 10)
	all[3].SetHealthy(Outlier, false)
	tried := []*Node{all[1]}
	for name, picker := range each(entriesOf(all, same), 1) {
		hash := uint64(0)
		if allocations := testing.AllocsPerRun(1000, func() {
			hash++
			n := picker.Pick(Request{Tried: tried, Hash: hash})
			n.Begin()
			n.End()
		}); allocations != 0 {
			t.Error(name, allocations)
		}
	}
}

func BenchmarkPick(b *testing.B) {
	for _, count := range []int{10, 1000} {
		entries := entriesOf(nodes(new(Group), count), func(i int) uint32 { return uint32(50 + i%100) })
		for name, picker := range map[string]Picker{
			"round robin":     must(NewRoundRobin(entries, Options{}, 0)),
			"random":          must(NewRandom(entries, Options{}, rand.Uint64)),
			"least requests":  must(NewLeastRequests(entries, Options{}, rand.Uint64)),
			"consistent hash": must(NewConsistentHash(entries, HashOptions{})),
		} {
			b.Run(fmt.Sprintf("%s of %d", name, count), func(b *testing.B) {
				b.ReportAllocs()
				for i := range b.N {
					n := picker.Pick(Request{Hash: uint64(i)})
					n.Begin()
					n.End()
				}
			})
		}
	}
}

func BenchmarkMakeConsistentHash(b *testing.B) {
	entries := entriesOf(nodes(new(Group), 100), same)
	for range b.N {
		must(NewConsistentHash(entries, HashOptions{}))
	}
}
