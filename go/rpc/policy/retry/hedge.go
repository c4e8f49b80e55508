package retry

import (
	"cmp"
	"fmt"
	"time"
)

// Hedge says when a backup request is sent beside an attempt that has no answer yet. Only idempotent methods have backup requests.
// The idea and the figure of 95 % come from Dean and Barroso, "The Tail at Scale", CACM 56(2), 2013.
//
// Several goroutines may call the methods. Observe adds to one of 312 atomic counters.
type Hedge struct {
	delay, least time.Duration
	backups      int
	budget       *Budget
	latencies    *latencies
}

// HedgeOptions are the options of a [Hedge]. Delay or Percentile must be set.
type HedgeOptions struct {
	// Delay is the time after which a backup request is sent. With Percentile it is used only as long as fewer than 100 latencies are
	// known; then 0 sends none.
	Delay time.Duration
	// Percentile is the percentile of the observed latencies that is taken as the delay, such as 0.95. 0 means that Delay is always
	// taken.
	Percentile float64
	// Least is the shortest delay that a percentile may give. 0 means 1 ms: shorter delays cost more than they save.
	Least time.Duration
	// Backups is the number of backup requests of one call. 0 means 1.
	Backups int
	// Share is the largest share of calls that may have a backup request. 0 means 0.05. If all answers become slow, this share keeps
	// backup requests from doubling the load.
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

// Observe records the latency of an attempt that was answered, with a result or an error of the application.
func (h *Hedge) Observe(now, latency time.Duration) {
	if h.latencies != nil {
		h.latencies.observe(now, latency)
	}
}

// Delay returns the time after which a backup request is sent, counted from an attempt. It returns false if none is sent.
func (h *Hedge) Delay() (time.Duration, bool) {
	if h.latencies != nil {
		if observed := time.Duration(h.latencies.value.Load()); observed != 0 {
			return max(observed, h.least), true
		}
	}
	return h.delay, h.delay != 0
}
