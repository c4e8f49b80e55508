package main

import "time"

const ms = time.Millisecond

// scenario is an example and its results.
type scenario struct {
	Name    string  `json:"name"`
	Example example `json:"example"`
	// Policies holds the figures of policies by their names.
	Policies map[string]*figures `json:"policies"`
}

// figures are the results of a policy.
type figures struct {
	// Loads holds the results of steady loads, in the order of [loads].
	Loads []steady `json:"loads"`
	// RecoverySeconds is the number of seconds after a burst until 9 of 10 requests are again answered in time; -1 means not within [watched].
	RecoverySeconds int `json:"recovery_seconds"`
}

// steady is the result of a steady load.
type steady struct {
	// Load is the rate of requests, and Goodput the rate of requests that are answered in time, both relative to the service's capacity.
	Load    float64 `json:"load"`
	Goodput float64 `json:"goodput"`
	// Answered is the share of requests that are answered in time.
	Answered float64 `json:"answered"`
	// Wasted is the share of the CPU time that calls of failed requests use.
	Wasted float64 `json:"wasted"`
	// MeanMs is the mean duration of answered requests.
	MeanMs float64 `json:"mean_ms"`
}

// article is the example of the article: a fan-out of 4, a service with 2 CPUs, and a timeout.
var article = example{CPUs: 2, Calls: 4, WorkMs: 10, DeadlineMs: 100, Callers: 1}

var scenarios = []scenario{
	{Name: "article", Example: article},
	{Name: "stopped", Example: with(func(e *example) { e.IsStopped = true })},
	{Name: "call timeout", Example: with(func(e *example) { e.CallTimeoutMs = 30 })},
	{Name: "4 callers", Example: with(func(e *example) { e.Callers = 4 })},
	{Name: "16 CPUs", Example: with(func(e *example) { e.CPUs = 16 })},
	{Name: "16 CPUs, 8 callers", Example: with(func(e *example) { e.CPUs, e.Callers = 16, 8 })},
	{Name: "16 CPUs, exponential", Example: with(func(e *example) { e.CPUs, e.IsExponential = 16, true })},
}

func with(change func(*example)) example {
	changed := article
	change(&changed)
	return changed
}

var loads = []float64{0.5, 0.7, 0.9, 1, 1.5, 2, 3}

const (
	// settling is the time for which a load lasts before anything is counted.
	settling = 20 * time.Second
	// calm is the load before and after a burst, burst the load during the burst.
	calm, burst   = 0.5, 3.0
	burstDuration = 5 * time.Second
	// watched is the longest time of a recovery, in seconds.
	watched = 60
)

// measure runs all policies.
func (s scenario) measure(seed uint64, seconds int) scenario {
	s.Policies = map[string]*figures{}
	for _, p := range policies {
		made := &figures{RecoverySeconds: recovery(s.Example, seed, p.make)}
		for _, load := range loads {
			made.Loads = append(made.Loads, run(s.Example, seed, p.make, load, time.Duration(seconds)*time.Second))
		}
		s.Policies[p.name] = made
	}
	return s
}

// run counts the results of the requests of a steady load.
func run(of example, seed uint64, policy func(*simulation) policy, load float64, duration time.Duration) steady {
	good, asked := 0, 0
	var took time.Duration
	var useful float64
	s := newSimulation(of, seed, policy, func(r *request) {
		if r.came < settling {
			return
		}
		asked++
		if r.hasFailed {
			return
		}
		good++
		took += r.ended - r.came
		for _, c := range r.calls {
			useful += float64(c.work)
		}
	})
	s.run(settling, load)
	before := s.callee.used
	s.run(duration, load)
	return steady{
		Load:     load,
		Goodput:  float64(good) / duration.Seconds() / of.capacity(),
		Answered: float64(good) / float64(max(asked, 1)),
		Wasted:   max(0, 1-useful/(s.callee.used-before)),
		MeanMs:   float64(took) / float64(max(good, 1)) / float64(ms),
	}
}

// recovery returns the number of seconds after a burst until requests are answered again.
func recovery(of example, seed uint64, policy func(*simulation) policy) int {
	over := settling + burstDuration
	var asked, good [watched + 1]int
	s := newSimulation(of, seed, policy, func(r *request) {
		second := int((r.came - over) / time.Second)
		if r.came < over || second >= watched {
			return
		}
		asked[second]++
		if !r.hasFailed {
			good[second]++
		}
	})
	s.run(settling, calm)
	s.run(burstDuration, burst)
	s.run((watched+1)*time.Second, calm)
	for second := range watched {
		if asked[second] > 0 && float64(good[second]) >= 0.9*float64(asked[second]) {
			return second
		}
	}
	return -1
}
