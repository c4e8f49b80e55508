package main

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
)

func fleetOf400(seed uint64) *fleet { return newFleet(seed, 400, 40, true) }

func TestEveryWayToChooseGivesEachCallOnce(t *testing.T) {
	p := fleetOf400(1).problemOf(0)
	for _, policy := range policies {
		weigh, weights := policy.weigh(p), make([]float64, len(p.callees))
		for host, groups := range p.byHost {
			weigh(host, groups, weights)
			total := 0.0
			for _, weight := range weights {
				total += weight
			}
			if math.Abs(total-1) > 1e-9 {
				t.Fatalf("%s: weights of host %d add up to %v", policy.name, host, total)
			}
		}
	}
}

func TestZonesAreRoutedAsInTheExampleOfEnvoysSource(t *testing.T) {
	routes := zoneRoutes([]float64{40, 40, 20}, []float64{0.25, 0.5, 0.25})
	want := [][]float64{{0.625, 0.25, 0.125}, {0, 1, 0}, {0, 0, 1}}
	for from := range want {
		for to := range want[from] {
			if math.Abs(routes[from][to]-want[from][to]) > 1e-12 {
				t.Fatalf("%v; expected is %v", routes, want)
			}
		}
	}
}

func TestLocalFirstKeepsLoadsWithinItsTolerance(t *testing.T) {
	found := measure(fleetOf400(2), 10)
	if made := found.Policies["local first"]; made.LoadLeast < 0.95-1e-9 || made.LoadMost > 1.05+1e-9 {
		t.Fatal(*made)
	}
	if naive := found.Policies["naive local"]; naive.LoadMost < 1.5 {
		t.Fatalf("naive preference is as even as %v: placement is not skewed", naive.LoadMost)
	}
}

func TestWhatFailsMovesOnceByRoundRobin(t *testing.T) {
	if moved := measure(fleetOf400(3), 10).Policies["round robin"].Churn["failure"]; math.Abs(moved-1) > 1e-6 {
		t.Fatal(moved)
	}
}

func TestTheSameSeedGivesTheSameOutput(t *testing.T) {
	one, _ := json.Marshal(measure(fleetOf400(4), 10))
	other, _ := json.Marshal(measure(fleetOf400(4), 10))
	if !bytes.Equal(one, other) {
		t.Fatalf("%s\n%s", one, other)
	}
}
