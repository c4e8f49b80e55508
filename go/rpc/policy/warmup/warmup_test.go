package warmup

import (
	"math"
	"testing"
	"time"
)

func TestWeightGrowsFromTheLeastToAllWithinTheWindow(t *testing.T) {
	for _, aggression := range []float64{0.1, 0.5, 1, 2, 10} {
		p, err := Policy{Window: time.Minute, Aggression: aggression, Least: 0.2}.Check()
		if err != nil {
			t.Fatal(err)
		}
		before := 0.0
		for age := -time.Second; age < 2*time.Minute; age += 100 * time.Millisecond {
			share := p.Share(age)
			if share < before || share < 0.2 || share > 1 || age <= 0 && share != 0.2 || age >= time.Minute && share != 1 {
				t.Fatalf("aggression %v, age %v: %v after %v", aggression, age, share, before)
			}
			before = share
		}
	}
}

func TestAggressionBendsTheGrowth(t *testing.T) {
	share := func(aggression float64) float64 {
		p, _ := Policy{Window: time.Minute, Aggression: aggression, Least: 0.01}.Check()
		return p.Share(15 * time.Second)
	}
	if share(1) != 0.25 || share(2) != 0.5 || math.Abs(share(0.5)-0.0625) > 1e-9 {
		t.Fatal(share(1), share(2), share(0.5))
	}
}

func TestWithoutAWindowThereIsNoWarmUpAndWrongPoliciesAreRefused(t *testing.T) {
	if p, err := (Policy{}).Check(); err != nil || p.Share(0) != 1 {
		t.Error(p, err)
	}
	for _, p := range []Policy{{Window: -1}, {Aggression: 20}, {Aggression: math.NaN()}, {Least: 2}, {Least: math.NaN()}} {
		if _, err := p.Check(); err == nil {
			t.Errorf("%+v passes", p)
		}
	}
}

func BenchmarkShare(b *testing.B) {
	p, _ := Policy{Window: time.Minute, Aggression: 2}.Check()
	for range b.N {
		p.Share(20 * time.Second)
	}
}
