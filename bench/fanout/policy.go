package main

import (
	"time"

	"hone/go/rpc/policy/fanout"
	"hone/go/rpc/policy/limit"
)

// policy decides when the calls of requests begin. It is notified of their ends.
type policy interface {
	// arrive makes a new request begin its calls, now or later.
	arrive(*request)
	// ended is called when a begun call has ended for its caller.
	ended(*call, limit.Outcome)
	// done is called when the service no longer works on a call.
	done(*call)
	// giveUp is called when a request fails. Those of its calls that have not begun must not begin.
	giveUp(*request)
}

// policies are the compared policies.
var policies = []struct {
	name string
	make func(*simulation) policy
}{
	{"no limit", func(s *simulation) policy { return &perRequest{simulation: s, most: s.Calls} }},
	{"2 calls per request", func(s *simulation) policy { return &perRequest{simulation: s, most: 2} }},
	{"limit of the service", newService},
	{"fan-out", newFanOut},
}

// perRequest bounds the number of concurrent calls of one request, as golang.org/x/sync/errgroup does with SetLimit.
type perRequest struct {
	*simulation
	most int
}

func (p *perRequest) arrive(r *request) {
	for range min(p.most, len(r.calls)) {
		p.begin(r)
	}
}

func (p *perRequest) ended(c *call, _ limit.Outcome) {
	if r := c.of; !r.hasFailed && r.begun < len(r.calls) {
		p.begin(r)
	}
}

func (*perRequest) done(*call)      {}
func (*perRequest) giveUp(*request) {}

// service has an adaptive limit at the called service and none at its callers, as with rpc.Limits.
type service struct {
	*simulation
	calls *limit.Adaptive
}

func newService(s *simulation) policy {
	calls, err := limit.NewAdaptive(limit.AdaptiveOptions{})
	if err != nil {
		panic(err)
	}
	return &service{s, calls}
}

func (p *service) arrive(r *request) {
	for range r.calls {
		if !p.calls.Acquire() {
			p.fail(r, limit.Ignored)
			return
		}
		p.begin(r)
	}
}

func (p *service) done(c *call) { p.calls.Release(p.now, p.now-c.begun, limit.Answered) }

func (*service) ended(*call, limit.Outcome) {}
func (*service) giveUp(*request)            {}

// fanOut uses package fanout in each caller.
type fanOut struct {
	*simulation
	limits []*fanout.Limit
	// waiting are the requests with calls that have not begun, in the order in which they came.
	waiting []*request
}

func newFanOut(s *simulation) policy {
	p := &fanOut{simulation: s}
	for range s.Callers {
		l, err := fanout.New(fanout.Options{})
		if err != nil {
			panic(err)
		}
		p.limits = append(p.limits, l)
	}
	return p
}

func (p *fanOut) arrive(r *request) {
	group, isLet := p.limits[r.caller].Join(p.now, r.came+time.Duration(p.DeadlineMs)*ms, len(r.calls))
	if !isLet {
		p.fail(r, limit.Ignored)
		return
	}
	r.group = group
	p.waiting = append(p.waiting, r)
	p.beginReady()
}

// beginReady begins the calls that the limits allow to begin.
func (p *fanOut) beginReady() {
	var still, refused []*request
	for _, r := range p.waiting {
		isRefused := false
		for isReady := true; isReady && !r.isOver(); {
			select {
			case _, isLet := <-r.group.Ready():
				if isRefused = !isLet; isLet {
					p.begin(r)
				}
				isReady = isLet
			default:
				isReady = false
			}
		}
		if isRefused {
			refused = append(refused, r)
		} else if !r.isOver() && r.begun < len(r.calls) {
			still = append(still, r)
		}
	}
	p.waiting = still
	for _, r := range refused {
		p.fail(r, limit.Ignored)
	}
}

func (p *fanOut) ended(c *call, outcome limit.Outcome) {
	c.of.group.End(p.now, p.now-c.begun, outcome)
	if !c.of.hasFailed && c.of.open == 0 {
		c.of.group.Leave(p.now)
	}
	p.beginReady()
}

func (p *fanOut) giveUp(r *request) {
	if r.group != nil {
		r.group.Leave(p.now)
		p.beginReady()
	}
}

func (*fanOut) done(*call) {}
