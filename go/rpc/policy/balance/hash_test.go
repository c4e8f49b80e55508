package balance

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestOnlyTheKeysOfANodeThatLeavesMoveAndTheyAreFew(t *testing.T) {
	const keys = 20_000
	for _, count := range []int{2, 3, 10, 200} {
		all := nodes(new(Group), count)
		before := must(NewConsistentHash(entriesOf(all, same), HashOptions{}))
		for _, leaving := range []int{0, count / 2, count - 1} {
			rest := append(append([]*Node(nil), all[:leaving]...), all[leaving+1:]...)
			after := must(NewConsistentHash(entriesOf(rest, same), HashOptions{}))
			moved := 0
			for key := range uint64(keys) {
				was, is := before.Pick(Request{Hash: key}), after.Pick(Request{Hash: key})
				if was == is {
					continue
				}
				moved++
				if was != all[leaving] {
					t.Fatalf("key %d moved from %s to %s, but %s left", key, was.Key(), is.Key(), all[leaving].Key())
				}
			}
			if share := float64(moved) / keys; share > 1.5/float64(count) {
				t.Errorf("%d nodes: %.2f %% of the keys moved, %.2f times the fair share", count, 100*share, share*float64(count))
			}
		}
	}
}

func TestConsistentHashDependsOnKeysAndNotOnTheOrderOfNodes(t *testing.T) {
	all := nodes(new(Group), 20)
	picker := must(NewConsistentHash(entriesOf(all, same), HashOptions{}))
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	other := must(NewConsistentHash(entriesOf(all, same), HashOptions{}))
	for key := range uint64(10_000) {
		if picker.Pick(Request{Hash: key}) != other.Pick(Request{Hash: key}) {
			t.Fatal(key)
		}
	}
	if Hash("") != 0xcbf29ce484222325 || Hash("foobar") != 0x85944171f73967e8 {
		t.Fatal("Hash is not FNV-1a, so other programs disagree")
	}
}

func TestNoNodeHasMoreThanTheBoundOfLoadThoughAllCallsHaveFewKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, bound := range []float64{1.05, 1.25, 2} {
		all := nodes(new(Group), 10)
		entries := entriesOf(all, func(i int) uint32 { return uint32(10 + 10*(i%2)) })
		picker := must(NewConsistentHash(entries, HashOptions{Bound: bound}))
		var running []*Node
		for range 20_000 {
			n := picker.Pick(Request{Hash: uint64(r.IntN(3))})
			n.Begin()
			running = append(running, n)
			share := float64(entries[n.Value().(int)].Weight) / 150
			if most := math.Ceil(bound * float64(len(running)) * share); float64(n.Active()) > most {
				t.Fatalf("bound %v: %d calls of %d", bound, n.Active(), len(running))
			}
			if len(running) > 100 {
				i := r.IntN(len(running))
				running[i].End()
				running[i] = running[len(running)-1]
				running = running[:len(running)-1]
			}
		}
	}
}

func TestAKeyStaysOnItsNodeWhileThereIsRoom(t *testing.T) {
	all := nodes(new(Group), 10)
	picker := must(NewConsistentHash(entriesOf(all, same), HashOptions{Bound: 1.25}))
	r := rand.New(rand.NewPCG(1, 1))
	unbounded := must(NewConsistentHash(entriesOf(all, same), HashOptions{Bound: math.Inf(1)}))
	moved, home := 0, map[uint64]*Node{}
	var running []*Node
	const calls = 50_000
	for range calls {
		key := uint64(r.IntN(10_000))
		if home[key] == nil {
			home[key] = unbounded.Pick(Request{Hash: key})
		}
		n := picker.Pick(Request{Hash: key})
		if n != home[key] {
			moved++
		}
		n.Begin()
		if running = append(running, n); len(running) > 500 {
			running[0].End()
			running = running[1:]
		}
	}
	if moved > calls/4 {
		t.Fatalf("%d of %d calls were not on the node of their key", moved, calls)
	}
}
