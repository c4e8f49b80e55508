package main

import (
	"runtime"
	"runtime/metrics"
)

// stats are what the process has done since it began.
type stats struct {
	Procs       int     `json:"procs"`
	GOGC        int64   `json:"gogc"`
	Collections uint64  `json:"collections"`
	CollectingS float64 `json:"collecting_s"`
	// AvailableS is the CPU time that GOMAXPROCS CPUs had.
	AvailableS float64 `json:"available_s"`
	LiveBytes  uint64  `json:"live_bytes"`
	// Changes of GOMAXPROCS or GOGC by a tuner of package tune.
	Changes uint64 `json:"changes"`
}

// stats reads them. CPU time is that at the end of the last collection; marking on CPUs that nobody else wanted counts, as it uses a quota up.
func (t tuners) stats() stats {
	samples := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/cycles/total:gc-cycles"}, {Name: "/cpu/classes/gc/total:cpu-seconds"},
		{Name: "/cpu/classes/total:cpu-seconds"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(samples)
	s := stats{
		Procs: runtime.GOMAXPROCS(0), GOGC: int64(samples[0].Value.Uint64()), Collections: samples[1].Value.Uint64(),
		CollectingS: samples[2].Value.Float64(), AvailableS: samples[3].Value.Float64(), LiveBytes: samples[4].Value.Uint64(),
	}
	if t.cpu != nil {
		s.Changes = t.cpu.Stats().Changes
	}
	if t.gc != nil {
		s.Changes = t.gc.Stats().Changes
	}
	return s
}
