package agentclient

import "time"

// A handle is a series that is registered once. Each sample then costs only the encoding of its value.
type handle struct {
	shared  *shared
	series  *series
	refused error
}

func (c *Client) handle(kind Kind, metric string, tags []Tag) handle {
	series := new(series)
	refused := series.set(kind, metric, tags)
	return handle{shared: c.shared, series: series, refused: refused}
}

// Refused returns the reason why the protocol cannot carry this series (ErrSeparator and others), or nil. All samples of a refused series are dropped
// as ReasonSeries: a wrong name does not stop a service.
func (h handle) Refused() error { return h.refused }

func (h handle) number(value float64) {
	if h.refused != nil {
		h.shared.refuse()
		return
	}
	h.shared.number(h.series, value)
}

// A Counter adds up values. The agent reports the sum since the start.
type Counter struct{ handle }

// A Rate adds up values. The agent reports the sum per second.
type Rate struct{ handle }

// A Gauge has one value: the last one that any goroutine has set.
type Gauge struct{ handle }

// A Timer takes durations in milliseconds.
type Timer struct{ handle }

// A Histogram takes values in exponential buckets.
type Histogram struct{ handle }

// A Distribution takes values. Its quantiles are known within 1 %.
type Distribution struct{ handle }

// A Set counts its different members.
type Set struct{ handle }

// Counter registers a counter.
func (c *Client) Counter(metric string, tags ...Tag) Counter {
	return Counter{c.handle(KindCounter, metric, tags)}
}

// Rate registers a rate.
func (c *Client) Rate(metric string, tags ...Tag) Rate {
	return Rate{c.handle(KindRate, metric, tags)}
}

// Gauge registers a gauge.
func (c *Client) Gauge(metric string, tags ...Tag) Gauge {
	return Gauge{c.handle(KindGauge, metric, tags)}
}

// Timer registers a timer.
func (c *Client) Timer(metric string, tags ...Tag) Timer {
	return Timer{c.handle(KindTimer, metric, tags)}
}

// Histogram registers a histogram.
func (c *Client) Histogram(metric string, tags ...Tag) Histogram {
	return Histogram{c.handle(KindHistogram, metric, tags)}
}

// Distribution registers a distribution.
func (c *Client) Distribution(metric string, tags ...Tag) Distribution {
	return Distribution{c.handle(KindDistribution, metric, tags)}
}

// Set registers a set.
func (c *Client) Set(metric string, tags ...Tag) Set {
	return Set{c.handle(kindSet, metric, tags)}
}

// Add adds count to the counter.
func (c Counter) Add(count float64) { c.number(count) }

// Add adds count to the rate.
func (r Rate) Add(count float64) { r.number(count) }

// Set sets the value of the gauge. The protocol cannot add to a gauge's value.
func (g Gauge) Set(value float64) { g.number(value) }

// Record records a duration.
func (t Timer) Record(duration time.Duration) {
	if t.refused != nil {
		t.shared.refuse()
		return
	}
	var room room
	give(t.shared, t.series, room.milliseconds(duration))
}

// RecordMs records a duration in milliseconds.
func (t Timer) RecordMs(milliseconds float64) { t.number(milliseconds) }

// Start begins to measure a duration, which ends with Stop:
//
//	defer timer.Start().Stop()
func (t Timer) Start() Timing { return Timing{timer: t, since: time.Now()} }

// A Timing is a duration that is being measured.
type Timing struct {
	timer Timer
	since time.Time
}

// Stop records the time since Start.
func (t Timing) Stop() { t.timer.Record(time.Since(t.since)) }

// Record records a value.
func (h Histogram) Record(value float64) { h.number(value) }

// Record records a value.
func (d Distribution) Record(value float64) { d.number(value) }

// Insert adds a member to the set: any text that is not empty.
func (s Set) Insert(member string) {
	if s.refused != nil {
		s.shared.refuse()
		return
	}
	give(s.shared, s.series, member)
}
