package main

import (
	"runtime"
	"runtime/metrics"
)

// stats holds the process' counts since it began.
type stats struct {
	Procs       int     `json:"procs"`
	GOGC        int64   `json:"gogc"`
	Collections uint64  `json:"collections"`
	CollectingS float64 `json:"collecting_s"`
	// AvailableS is the CPU time of GOMAXPROCS CPUs.
	AvailableS float64 `json:"available_s"`
	LiveBytes  uint64  `json:"live_bytes"`
	// Changes is the number of changes of GOMAXPROCS or GOGC by a tuner of package tune.
	Changes uint64 `json:"changes"`
}

// stats reads the statistics. CPU time is as of the end of the last collection; marking on otherwise idle CPUs counts, as it uses up a quota.
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
