package load

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Result is the result of a run, without its warm-up.
type Result struct {
	Plan Plan
	// Latency holds the duration of calls in nanoseconds, also of failed ones: in an open loop from the time when they should have begun.
	Latency *hdrhistogram.Histogram
	// Lateness holds the delays in nanoseconds, relative to the schedule, of calls for which a caller was free: this program itself causes them.
	Lateness *hdrhistogram.Histogram
	// Errors holds the number of failed calls by the kind of error.
	Errors map[string]int64
	// NotBegun is the number of calls of an open loop that should have begun, but for which no caller was free until the run was over.
	NotBegun int64
	usage    usage
}

// Failed returns the number of failed calls.
func (r *Result) Failed() (n int64) {
	for _, count := range r.Errors {
		n += count
	}
	return n
}

// PerSecond returns the number of calls per second.
func (r *Result) PerSecond() float64 {
	if r.Plan.Duration <= 0 {
		return 0
	}
	return float64(r.Latency.TotalCount()) / r.Plan.Duration.Seconds()
}

// quantiles are the reported quantiles, in per cent.
var quantiles = []float64{50, 90, 99, 99.9}

// perCall returns the CPU time for each call that ended while it was counted.
func (r *Result) perCall(took time.Duration) time.Duration {
	if r.usage.calls == 0 {
		return 0
	}
	return took / time.Duration(r.usage.calls)
}

// Text returns the result as text for people.
func (r *Result) Text() string {
	var text strings.Builder
	loop := fmt.Sprintf("closed loop of %d callers", r.Plan.Callers)
	if r.Plan.Rate > 0 {
		loop = fmt.Sprintf("open loop of %g calls/s", r.Plan.Rate)
	}
	fmt.Fprintf(&text, "%s for %v, after %v of warm-up\n", loop, r.Plan.Duration, r.Plan.Warmup)
	fmt.Fprintf(&text, "%-14s %d, %.1f/s\n", "calls", r.Latency.TotalCount(), r.PerSecond())
	for _, q := range quantiles {
		fmt.Fprintf(&text, "%-14s %v\n", fmt.Sprintf("latency p%g", q), duration(r.Latency.ValueAtQuantile(q)))
	}
	fmt.Fprintf(&text, "%-14s %v\n", "latency max", duration(r.Latency.Max()))
	fmt.Fprintf(&text, "%-14s %v per call, this side\n", "CPU", rounded(r.perCall(r.usage.cpu.Client)))
	if r.usage.cpu.HasServer {
		fmt.Fprintf(&text, "%-14s %v per call, the server\n", "CPU", rounded(r.perCall(r.usage.cpu.Server)))
	}
	if r.Plan.Rate > 0 {
		fmt.Fprintf(&text, "%-14s p99 %v: what of the latency may be this program's own\n", "began late", duration(r.Lateness.ValueAtQuantile(99)))
	}
	if r.NotBegun > 0 {
		fmt.Fprintf(&text, "%-14s %d calls: no caller was free; the rate is too high, or give more --callers\n", "not begun", r.NotBegun)
	}
	fmt.Fprintf(&text, "%-14s %d\n", "errors", r.Failed())
	for _, kind := range r.kinds() {
		fmt.Fprintf(&text, "  %-12d %s\n", r.Errors[kind], kind)
	}
	return text.String()
}

// kinds returns the kinds of errors, the most frequent first.
func (r *Result) kinds() []string {
	var kinds []string
	for kind := range r.Errors {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b string) int {
		if r.Errors[a] != r.Errors[b] {
			return int(r.Errors[b] - r.Errors[a])
		}
		return strings.Compare(a, b)
	})
	return kinds
}

func duration(ns int64) time.Duration { return rounded(time.Duration(ns)) }

// rounded rounds a time to three digits or more.
func rounded(d time.Duration) time.Duration {
	switch {
	case d >= time.Second:
		return d.Round(time.Millisecond)
	case d >= time.Millisecond:
		return d.Round(time.Microsecond)
	}
	return d.Round(10 * time.Nanosecond)
}

// MarshalJSON returns the result for programs. Times are in seconds.
func (r *Result) MarshalJSON() ([]byte, error) {
	seconds := func(d time.Duration) float64 { return d.Seconds() }
	latency := map[string]float64{"max": seconds(time.Duration(r.Latency.Max())), "mean": r.Latency.Mean() / 1e9}
	for _, q := range quantiles {
		latency[fmt.Sprintf("p%g", q)] = seconds(time.Duration(r.Latency.ValueAtQuantile(q)))
	}
	told := map[string]any{
		"calls": r.Latency.TotalCount(), "calls_per_second": r.PerSecond(), "latency_s": latency,
		"errors": r.Failed(), "errors_by_kind": r.Errors,
		"client_cpu_per_call_s": seconds(r.perCall(r.usage.cpu.Client)),
		"duration_s":            seconds(r.Plan.Duration), "warmup_s": seconds(r.Plan.Warmup), "callers": r.Plan.Callers,
	}
	if r.usage.cpu.HasServer {
		told["server_cpu_per_call_s"] = seconds(r.perCall(r.usage.cpu.Server))
	}
	if r.Plan.Rate > 0 {
		told["rate_per_second"], told["not_begun"] = r.Plan.Rate, r.NotBegun
		told["began_late_p99_s"] = seconds(time.Duration(r.Lateness.ValueAtQuantile(99)))
	}
	return json.Marshal(told)
}

// WriteHistogram writes all of the latencies, in milliseconds, in the text format that HdrHistogram's tools read.
func (r *Result) WriteHistogram(to io.Writer) error {
	const ticksPerHalf = 5
	_, err := r.Latency.PercentilesPrint(to, ticksPerHalf, float64(time.Millisecond))
	return err
}
