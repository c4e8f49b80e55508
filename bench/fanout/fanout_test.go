package main

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"
)

// oneRequest runs a single request of 4 calls that all need 10 ms, at a service with 2 CPUs and with a timeout of 15 ms for each call.
func oneRequest(t *testing.T, policy string) *request {
	t.Helper()
	of := article
	of.CallTimeoutMs = 15
	var found *request
	s := newSimulation(of, 1, policyOf(t, policy), func(r *request) { found = r })
	r := &request{open: of.Calls}
	for range of.Calls {
		r.calls = append(r.calls, &call{of: r, work: 10 * ms})
	}
	s.next = never
	s.policy.arrive(r)
	for s.step(time.Second) {
	}
	if found != r {
		t.Fatal("the request has not ended")
	}
	if s.callee.used != float64(40*ms) {
		t.Fatalf("the service worked for %v", time.Duration(s.callee.used))
	}
	return r
}

func policyOf(t *testing.T, name string) func(*simulation) policy {
	t.Helper()
	for _, p := range policies {
		if p.name == name {
			return p.make
		}
	}
	t.Fatalf("no policy is called %q", name)
	return nil
}

// The article's example: the work and the time that it takes are the same, but with four calls at a time none is answered in time.
func TestFourCallsAtATimeAllRunIntoATimeoutThatTwoAtATimeDoNot(t *testing.T) {
	if r := oneRequest(t, "no limit"); !r.hasFailed || r.open != 4 || r.ended != 15*ms {
		t.Errorf("four at a time: %+v", r)
	}
	if r := oneRequest(t, "2 calls per request"); r.hasFailed || r.ended != 20*ms {
		t.Errorf("two at a time: %+v", r)
	}
}

func TestWithoutALimitWorkThatNobodyWaitsForTakesAllCPUs(t *testing.T) {
	if r := run(article, 1, policyOf(t, "no limit"), 1.5, 20*time.Second); r.Goodput > 0.01 || r.Wasted < 0.99 {
		t.Errorf("%+v", r)
	}
}

func TestWithTheLimitGoodputStaysNearCapacityUnderOverload(t *testing.T) {
	for seed := range uint64(3) {
		for _, load := range []float64{2, 3} {
			if r := run(article, seed, policyOf(t, "fan-out"), load, 30*time.Second); r.Goodput < 0.85 || r.Wasted > 0.1 {
				t.Errorf("2 CPUs, seed %d: %+v", seed, r)
			}
			larger := with(func(e *example) { e.CPUs, e.Callers = 16, 8 })
			if r := run(larger, seed, policyOf(t, "fan-out"), load, 30*time.Second); r.Goodput < 0.9 || r.Wasted > 0.1 {
				t.Errorf("16 CPUs, seed %d: %+v", seed, r)
			}
		}
	}
}

func TestTheLimitCostsLittleBelowOverload(t *testing.T) {
	for seed := range uint64(3) {
		larger := with(func(e *example) { e.CPUs = 16 })
		for _, load := range []float64{0.5, 0.7} {
			if r := run(larger, seed, policyOf(t, "fan-out"), load, 30*time.Second); r.Answered < 0.99 {
				t.Errorf("16 CPUs, seed %d: %+v", seed, r)
			}
		}
		if r := run(article, seed, policyOf(t, "fan-out"), 0.5, 30*time.Second); r.Answered < 0.9 {
			t.Errorf("2 CPUs, seed %d: %+v", seed, r)
		}
	}
}

func TestAfterABurstTheLimitAnswersAtOnce(t *testing.T) {
	if without := recovery(article, 1, policyOf(t, "no limit")); without < 10 {
		t.Errorf("without a limit after %d s", without)
	}
	if with := recovery(article, 1, policyOf(t, "fan-out")); with < 0 || with > 2 {
		t.Errorf("with the limit after %d s", with)
	}
}

func TestTheSameSeedGivesTheSameOutput(t *testing.T) {
	of := scenario{Name: "article", Example: article}
	one, _ := json.Marshal(of.measure(4, 2))
	other, _ := json.Marshal(of.measure(4, 2))
	if !bytes.Equal(one, other) {
		t.Fatalf("%s\n%s", one, other)
	}
}
