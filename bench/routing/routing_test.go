package main

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"hone/bench/routing/view"
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

func TestAViewHasTheCallersInstancesAndSharesOfItsHosts(t *testing.T) {
	seen, err := viewOf(fleetOf400(5), 10)
	if err != nil {
		t.Fatal(err)
	}
	least := 0.0
	for _, h := range seen.Hosts {
		local := h.LocalShares["local first"]
		if local < least {
			t.Fatalf("a host that keeps %v stands behind one that keeps %v", local, least)
		}
		least = local
		if h.LocalShares["naive local"] != 1 || local == 0 {
			t.Fatal(h.LocalShares)
		}
		for policy, weights := range h.Weights {
			total := 0.0
			for _, weight := range weights {
				total += weight
			}
			if len(weights) != len(seen.Instances) || math.Abs(total-1) > 1e-9 {
				t.Fatalf("%s: %d weights add up to %v", policy, len(weights), total)
			}
		}
		for _, place := range h.Here {
			if seen.Instances[place].Host != h.Name {
				t.Fatalf("an instance of %s is on %s", seen.Instances[place].Host, h.Name)
			}
		}
		if !slices.ContainsFunc(seen.Callers, func(c view.Caller) bool { return c.Host == h.Name }) {
			t.Fatalf("nobody calls from %s", h.Name)
		}
	}
}

func TestAQuantileOfHostsCountsTheirCalls(t *testing.T) {
	calls := []hostCalls{{host: 0, part: 0.1}, {host: 1, part: 0.6}, {host: 2, part: 0.1}}
	for quantile, want := range map[float64]int{0: 0, 0.1: 0, 0.5: 1, 0.8: 1, 0.95: 2, 1: 2} {
		if got := atQuantile(calls, quantile).host; got != want {
			t.Errorf("%v: host %d; expected is host %d", quantile, got, want)
		}
	}
}

func TestAFleetWhoseCallsCannotStayHasNoView(t *testing.T) {
	f := fleetOf400(6)
	for i := range f.services {
		f.services[i].callers = nil
	}
	if _, err := viewOf(f, 10); err == nil {
		t.Fatal("no error")
	}
}
