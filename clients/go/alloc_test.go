//go:build !race

// The race detector makes pools forget at random.

package agentclient

import (
	"testing"
	"time"
)

func TestSamplesAllocateNothing(t *testing.T) {
	client, err := New(Config{Address: "unixgram:/nobody/is/here", QueuePackets: 2, FlushEvery: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	counter, rate, gauge := client.Counter("c", T("k", "v")), client.Rate("r"), client.Gauge("g")
	timer, histogram := client.Timer("t"), client.Histogram("h")
	distribution, set := client.Distribution("d"), client.Set("s")
	member, shop := "a member of this set that is no short text", "eu"
	samples := map[string]func(){
		"counter":      func() { counter.Add(3) },
		"rate":         func() { rate.Add(0.5) },
		"gauge":        func() { gauge.Set(0.1 + 0.2) },
		"timer":        func() { timer.Start().Stop() },
		"histogram":    func() { histogram.Record(1e300) },
		"distribution": func() { distribution.Record(-7.25) },
		"set":          func() { set.Insert(member) },
		"ad hoc":       func() { client.Record(KindCounter, "orders", 1, T("shop", shop), T("paid", "yes")) },
		"ad hoc set":   func() { client.Insert("users", member, T("shop", shop)) },
	}
	for name, sample := range samples {
		for range 10_000 { // all packets are in use from here on
			sample()
		}
		if allocations := testing.AllocsPerRun(10_000, sample); allocations != 0 {
			t.Errorf("a sample of %s allocates %v times", name, allocations)
		}
	}
}
