package agentclient

import "time"

// A handle is a series that is registered once: its samples cost the encoding of the value.
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

// Refused says why the protocol cannot carry this series, if it cannot (ErrSeparator and others). All of its samples are
// then dropped as ReasonSeries: a wrong name stops no service.
func (h handle) Refused() error { return h.refused }

func (h handle) number(value float64) {
	if h.refused != nil {
		h.shared.refuse()
		return
	}
	h.shared.number(h.series, value)
}

// A Counter adds up; the sum since the start counts.
type Counter struct{ handle }

// A Rate adds up; the sum per second counts.
type Rate struct{ handle }

// A Gauge is a value of which the last holds, from whichever goroutine it came.
type Gauge struct{ handle }

// A Timer takes durations in milliseconds.
type Timer struct{ handle }

// A Histogram takes values in exponential buckets.
type Histogram struct{ handle }

// A Distribution takes values whose quantiles are known within 1 %.
type Distribution struct{ handle }

// A Set counts how many different members there were.
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

// Add adds so many.
func (c Counter) Add(count float64) { c.number(count) }

// Add adds so many.
func (r Rate) Add(count float64) { r.number(count) }

// Set says that this is the value from now on. The protocol has no changes of gauges.
func (g Gauge) Set(value float64) { g.number(value) }

// Record says that it took so long.
func (t Timer) Record(duration time.Duration) {
	if t.refused != nil {
		t.shared.refuse()
		return
	}
	var room room
	give(t.shared, t.series, room.milliseconds(duration))
}

// RecordMs says that it took so many milliseconds.
func (t Timer) RecordMs(milliseconds float64) { t.number(milliseconds) }

// Start measures from now until Stop:
//
//	defer timer.Start().Stop()
func (t Timer) Start() Timing { return Timing{timer: t, since: time.Now()} }

// A Timing is a duration that is being measured.
type Timing struct {
	timer Timer
	since time.Time
}

// Stop gives the time since Start.
func (t Timing) Stop() { t.timer.Record(time.Since(t.since)) }

// Record gives a value.
func (h Histogram) Record(value float64) { h.number(value) }

// Record gives a value.
func (d Distribution) Record(value float64) { d.number(value) }

// Insert says that this member was there: any text that is not empty.
func (s Set) Insert(member string) {
	if s.refused != nil {
		s.shared.refuse()
		return
	}
	give(s.shared, s.series, member)
}
