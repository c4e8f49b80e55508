package main

import (
	"math"
	"math/rand/v2"
	"time"

	"hone/go/rpc/policy/fanout"
	"hone/go/rpc/policy/limit"
)

const never time.Duration = math.MaxInt64

// example is a simulated situation: each request makes calls to one service at a time and needs all answers.
type example struct {
	// CPUs is the number of CPUs of the service.
	CPUs int `json:"cpus"`
	// Calls is the number of calls of a request.
	Calls int `json:"calls"`
	// WorkMs is the mean CPU time of a call, which is spread evenly from half to one and a half, or exponentially.
	WorkMs        int  `json:"work_ms"`
	IsExponential bool `json:"exponential,omitempty"`
	// DeadlineMs is the time limit of a request, CallTimeoutMs that of a call once it has begun; 0 means none.
	DeadlineMs    int `json:"deadline_ms"`
	CallTimeoutMs int `json:"call_timeout_ms,omitempty"`
	// Callers is the number of processes that each bound their own calls.
	Callers int `json:"callers"`
	// IsStopped is true if the service stops work that its caller has given up.
	IsStopped bool `json:"stopped,omitempty"`
}

// capacity returns the number of requests that the service can answer per second.
func (e *example) capacity() float64 {
	return float64(e.CPUs) / float64(e.Calls) / (float64(e.WorkMs) / 1000)
}

// request is a request of a caller.
type request struct {
	came, ended time.Duration
	caller      int
	calls       []*call
	begun       int // number of begun calls, in the order of calls
	open        int // calls without an answer
	hasFailed   bool
	group       *fanout.Group // used with package fanout
}

// isOver reports whether nobody waits for the request any more.
func (r *request) isOver() bool { return r.hasFailed || r.open == 0 }

// call is a call of a request.
type call struct {
	of    *request
	work  time.Duration
	begun time.Duration
	in    *work // nil before the call has begun, and after it has ended for its caller
}

// simulation runs an example under a policy.
type simulation struct {
	example
	policy   policy
	callee   *callee
	random   *rand.Rand
	now      time.Duration
	next     time.Duration // arrival
	timeouts timeouts
	over     func(*request)
}

// timeouts are queues of requests and of calls: all timeouts of a kind are equally long, so that the first to be set is the first to come.
type timeouts struct {
	requests []*request
	calls    []*call
}

func newSimulation(of example, seed uint64, make func(*simulation) policy, over func(*request)) *simulation {
	s := &simulation{example: of, callee: &callee{cpus: of.CPUs}, random: rand.New(rand.NewPCG(seed, 1)), over: over}
	s.policy = make(s)
	return s
}

// run lets requests arrive for a time, at load times the rate that the service can answer.
func (s *simulation) run(duration time.Duration, load float64) {
	end := s.now + duration
	between := float64(time.Second) / s.capacity() / load
	s.next = s.now + time.Duration(s.random.ExpFloat64()*between)
	for s.step(end) {
		if s.now == s.next {
			s.next += time.Duration(s.random.ExpFloat64() * between)
			s.arrive()
		}
	}
}

// step moves on to the next event, and returns false if that would be after the end.
func (s *simulation) step(end time.Duration) bool {
	request, call := s.nextTimeouts()
	ended := s.callee.nextEnd()
	next := min(s.next, request, call, ended)
	if next > end {
		s.now = end
		s.callee.advance(end)
		return false
	}
	s.now = next
	s.callee.advance(next)
	switch next {
	case ended:
		s.answer(s.callee.done())
	case request:
		s.fail(s.timeouts.requests[0], limit.Dropped)
	case call:
		s.expire(s.timeouts.calls[0])
	}
	return true
}

// nextTimeouts returns the next timeouts of the requests and calls that still wait.
func (s *simulation) nextTimeouts() (ofRequest, ofCall time.Duration) {
	t := &s.timeouts
	for len(t.requests) > 0 && t.requests[0].isOver() {
		t.requests = t.requests[1:]
	}
	for len(t.calls) > 0 && t.calls[0].in == nil {
		t.calls = t.calls[1:]
	}
	ofRequest, ofCall = never, never
	if len(t.requests) > 0 {
		ofRequest = t.requests[0].came + time.Duration(s.DeadlineMs)*ms
	}
	if len(t.calls) > 0 {
		ofCall = t.calls[0].begun + time.Duration(s.CallTimeoutMs)*ms
	}
	return ofRequest, ofCall
}

// arrive makes a request.
func (s *simulation) arrive() {
	r := &request{came: s.now, open: s.Calls, caller: s.random.IntN(s.Callers)}
	for range s.Calls {
		r.calls = append(r.calls, &call{of: r, work: s.draw()})
	}
	if s.DeadlineMs > 0 {
		s.timeouts.requests = append(s.timeouts.requests, r)
	}
	s.policy.arrive(r)
}

// draw returns a random CPU time for a call.
func (s *simulation) draw() time.Duration {
	times := 0.5 + s.random.Float64()
	if s.IsExponential {
		times = s.random.ExpFloat64()
	}
	return time.Duration(times * float64(s.WorkMs) * float64(ms))
}

// begin sends the next call of a request.
func (s *simulation) begin(r *request) {
	c := r.calls[r.begun]
	r.begun++
	c.begun = s.now
	c.in = s.callee.add(c)
	if s.CallTimeoutMs > 0 {
		s.timeouts.calls = append(s.timeouts.calls, c)
	}
}

// answer ends a call that the service has finished. Its caller may have given up.
func (s *simulation) answer(c *call) {
	s.policy.done(c)
	if c.in == nil {
		return
	}
	r := c.of
	r.open--
	s.end(c, limit.Answered)
	if r.open == 0 && !r.hasFailed {
		r.ended = s.now
		s.over(r)
	}
}

// end ends a call for its caller.
func (s *simulation) end(c *call, outcome limit.Outcome) {
	in := c.in
	c.in = nil
	if outcome != limit.Answered && s.IsStopped {
		s.callee.stop(in)
		s.policy.done(c)
	}
	s.policy.ended(c, outcome)
}

// expire ends a call whose time limit is over, and with it its request.
func (s *simulation) expire(c *call) {
	s.end(c, limit.Dropped)
	s.fail(c.of, limit.Ignored)
}

// fail ends a request without success, and its calls with it.
func (s *simulation) fail(r *request, outcome limit.Outcome) {
	if r.isOver() {
		return
	}
	r.hasFailed, r.ended = true, s.now
	s.policy.giveUp(r)
	for _, c := range r.calls {
		if c.in != nil {
			s.end(c, outcome)
		}
	}
	s.over(r)
}
