package tune

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

var metricLine = regexp.MustCompile(`^(# (HELP|TYPE) tune_[a-z_]+ .+|tune_[a-z_]+ -?[0-9.]+(e[+-][0-9]+)?)$`)

func TestPrometheusSeesWhatTheTunersDo(t *testing.T) {
	c := newCollector(100, memoryLimit{name: "group", bytes: 1000 * mib, used: 3 * mib})
	c.state.live = 600 * mib
	collector := c.tuner(t, GCOptions{}, "")
	s := newScheduler(quota{name: "own", cpus: 2.5, throttledTime: 1500 * time.Millisecond})
	cpus := s.tuner(t, CPUOptions{Reserve: 0.5}, "")
	var text strings.Builder
	if err := collector.Write(&text); err != nil {
		t.Fatal(err)
	}
	if err := cpus.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"tune_gc_percent 50", "tune_gc_active 1", "tune_memory_limit_bytes 1.048576e+09", "tune_memory_tight 0",
		"tune_cpu_procs 2", "tune_cpu_quota_cpus 2.5", "tune_cpu_throttled_seconds_total 1.5"} {
		if !strings.Contains(text.String(), want+"\n") {
			t.Errorf("no line %s in\n%s", want, text.String())
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(text.String()), "\n") {
		if !metricLine.MatchString(line) {
			t.Errorf("%q is no line of the format", line)
		}
	}
}
