package retry

import (
	"cmp"
	"fmt"
	"time"
)

// Hedge says when a backup request is sent beside an attempt that has no answer yet. Only idempotent methods get one. The idea and the
// figure of 95 % are of Dean and Barroso, "The Tail at Scale", CACM 56(2), 2013.
//
// Methods may be called by several goroutines. Observe adds to one of 312 atomic counters.
type Hedge struct {
	delay, least time.Duration
	backups      int
	budget       *Budget
	latencies    *latencies
}

// HedgeOptions are what a [Hedge] is made of. Delay or Percentile must be set.
type HedgeOptions struct {
	// Delay after which a backup request is sent. With Percentile: only as long as fewer than 100 latencies are known; 0 then sends none.
	Delay time.Duration
	// Percentile of the observed latencies that is the delay, such as 0.95. 0 always takes Delay.
	Percentile float64
	// Least is the shortest delay that a percentile may give. 0 is 1 ms: shorter ones cost more than they save.
	Least time.Duration
	// Backups of one call. 0 is 1.
	Backups int
	// Share of calls that may have a backup request, at most. 0 is 0.05. Where all answers become slow, this is what keeps backup
	// requests from doubling the load.
	Share float64
}

// NewHedge makes a Hedge that knows no latency yet.
func NewHedge(options HedgeOptions) (*Hedge, error) {
	options.Least = cmp.Or(options.Least, time.Millisecond)
	options.Backups = cmp.Or(options.Backups, 1)
	options.Share = cmp.Or(options.Share, 0.05)
	switch {
	case options.Delay < 0 || options.Least < 0:
		return nil, fmt.Errorf("retry: the delay of backup requests is %v, at least %v; write positive ones", options.Delay, options.Least)
	case options.Delay == 0 && options.Percentile == 0:
		return nil, fmt.Errorf("retry: backup requests need a delay or a percentile; write Percentile: 0.95")
	case options.Percentile != 0 && !(options.Percentile >= 0.5 && options.Percentile < 1):
		return nil, fmt.Errorf("retry: the percentile of backup requests is %v; write a number from 0.5 to below 1", options.Percentile)
	case options.Backups < 0 || options.Backups >= MaxAttempts:
		return nil, fmt.Errorf("retry: %d backup requests of a call; write 1 to %d", options.Backups, MaxAttempts-1)
	}
	budget, err := NewBudget(BudgetOptions{Ratio: options.Share, PerSecond: -1})
	if err != nil {
		return nil, fmt.Errorf("retry: the share of backup requests is %v; write a number from 0.001 to 1", options.Share)
	}
	h := &Hedge{delay: options.Delay, least: options.Least, backups: options.Backups, budget: budget}
	if options.Percentile != 0 {
		h.latencies = &latencies{percentile: options.Percentile}
	}
	return h, nil
}

// Observe takes the latency of an attempt that was answered, with a result or an error of the application.
func (h *Hedge) Observe(now, latency time.Duration) {
	if h.latencies != nil {
		h.latencies.observe(now, latency)
	}
}

// Delay is how long after an attempt a backup request is sent, and false if none is.
func (h *Hedge) Delay() (time.Duration, bool) {
	if h.latencies != nil {
		if observed := time.Duration(h.latencies.value.Load()); observed != 0 {
			return max(observed, h.least), true
		}
	}
	return h.delay, h.delay != 0
}
