package tune

import (
	"fmt"
	"io"
	"strings"
)

// metric is a metric of Prometheus.
type metric struct {
	name, kind, help string
	value            float64
}

const gauge, counter = "gauge", "counter"

// Write writes the tuner's statistics in Prometheus' text format, as package hone/go/rpc/metrics does for calls.
func (t *GCTuner) Write(to io.Writer) error {
	s := t.Stats()
	return write(to, []metric{
		{"tune_gc_percent", gauge, "GOGC, -1 where it is off.", float64(s.Percent)},
		{"tune_gc_changes_total", counter, "Changes of GOGC.", float64(s.Changes)},
		{"tune_gc_active", gauge, "1 if GOGC is tuned, 0 if it is left alone.", one(s.Idle == "")},
		{"tune_gc_cpu_ratio", gauge, "Part of the CPU time of GOMAXPROCS CPUs that collections take.", s.Share},
		{"tune_memory_tight", gauge, "1 if the limit asks for a smaller GOGC than the options.", one(s.Tight)},
		{"tune_memory_limit_bytes", gauge, "Limit that leaves the least to the heap, 0 without any.", float64(s.LimitBytes)},
		{"tune_memory_live_bytes", gauge, "Live heap at the end of the last collection.", float64(s.LiveBytes)},
		{"tune_memory_other_bytes", gauge, "Memory below the limit that is not the heap's.", float64(s.OtherBytes)},
		{"tune_memory_processes_bytes", gauge, "Memory below the limit that is other processes'.", float64(s.ProcessesBytes)},
	})
}

// Write writes the tuner's statistics in Prometheus' text format, as package hone/go/rpc/metrics does for calls.
func (t *CPUTuner) Write(to io.Writer) error {
	s := t.Stats()
	return write(to, []metric{
		{"tune_cpu_procs", gauge, "GOMAXPROCS.", float64(s.Procs)},
		{"tune_cpu_changes_total", counter, "Changes of GOMAXPROCS.", float64(s.Changes)},
		{"tune_cpu_active", gauge, "1 if GOMAXPROCS is tuned, 0 if it is left alone.", one(s.Idle == "")},
		{"tune_cpu_quota_cpus", gauge, "Tightest quota in CPUs, 0 without any.", s.QuotaCPUs},
		{"tune_cpu_reserved_cpus", gauge, "CPUs left to others under the quota.", s.ReservedCPUs},
		{"tune_cpu_used_cpus", gauge, "CPUs that this process used lately.", s.UsedCPUs},
		{"tune_cpu_held_up_ratio", gauge, "Part of the last periods that a quota cut short.", s.HeldUp},
		{"tune_cpu_late_ratio", gauge, "Part of goroutines that waited 10 ms or longer until they ran.", s.Late},
		{"tune_cpu_periods_total", counter, "Periods of the quota in which its group ran.", float64(s.Periods)},
		{"tune_cpu_throttled_periods_total", counter, "Periods that the quota cut short.", float64(s.Throttled)},
		{"tune_cpu_throttled_seconds_total", counter, "Time for which the quota stopped its group.", s.ThrottledTime.Seconds()},
	})
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func write(to io.Writer, all []metric) error {
	var text strings.Builder
	for _, m := range all {
		fmt.Fprintf(&text, "# HELP %s %s\n# TYPE %s %s\n%s %v\n", m.name, m.help, m.name, m.kind, m.name, m.value)
	}
	_, err := io.WriteString(to, text.String())
	return err
}
