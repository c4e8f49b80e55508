package localfirst

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"testing"
)

// The golden file is made by `go test ./rpc/localfirst -run TestWeightsGolden -update`. hone-mesh computes the same weights, and
// has a test that reads the file.
var update = flag.Bool("update", false, "write the golden file anew")

const goldenFile = "testdata/weights.json"

type goldenCase struct {
	Callees   []Callee
	Callers   []Caller
	Tolerance float64
	Subset    int
	// Weights are the weights by the host that they are for.
	Weights map[string][]float64
}

// goldenCases have fleets of all shapes, with and without subsets, seen from hosts with and without callers and from an unknown
// host.
func goldenCases(t *testing.T) (cases []goldenCase) {
	add := func(f fleet, options Options, hosts ...string) {
		summary, err := Summarize(f.callees, f.callers, options)
		if err != nil {
			t.Fatal(err)
		}
		one := goldenCase{f.callees, f.callers, max(options.Tolerance, 0), options.Subset, map[string][]float64{}}
		for _, host := range append(hosts, "nobody") {
			one.Weights[host] = summary.Weights(host)
		}
		cases = append(cases, one)
	}
	for seed := range uint64(12) {
		add(randomFleet(random(seed), 8), Options{Tolerance: tolerances[seed%4]}, "host-0", "host-1", "host-2")
	}
	for seed := range uint64(6) {
		add(largeFleet(random(seed), 60), Options{Tolerance: 0.05, Subset: 4 + int(seed)}, "host-0", "host-1", "host-2")
	}
	return cases
}

func TestWeightsGolden(t *testing.T) {
	cases := goldenCases(t)
	if *update {
		text, err := json.Marshal(cases)
		if err == nil {
			err = os.WriteFile(goldenFile, append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	var golden []goldenCase
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden) != len(cases) {
		t.Fatalf("the file has %d cases, and there are %d", len(golden), len(cases))
	}
	for i, one := range golden {
		for host, weights := range one.Weights {
			for j, weight := range weights {
				if math.Abs(weight-cases[i].Weights[host][j]) > 1e-12 {
					t.Fatalf("case %d: the weight of %s from %s is %v, and was %v", i, one.Callees[j].ID, host, cases[i].Weights[host][j], weight)
				}
			}
		}
	}
}
