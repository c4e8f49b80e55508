package harness

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"hone/bench/gauge"
)

// Usage is the use of resources by a process since it began.
type Usage struct {
	gauge.CPU
	Calls       int64  `json:"calls"`
	Allocations uint64 `json:"allocations"`
	Bytes       uint64 `json:"allocated_bytes"`
	Collections int64  `json:"collections"`
}

// usageNow returns the usage of this process.
func usageNow() (Usage, error) {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	cpu, err := gauge.CPUNow()
	if err != nil {
		return Usage{}, err
	}
	return Usage{CPU: cpu, Calls: Answered.Load(), Allocations: memory.Mallocs, Bytes: memory.TotalAlloc, Collections: int64(memory.NumGC)}, nil
}

// Since returns the usage since an earlier moment.
func (u Usage) Since(before Usage) Usage {
	return Usage{u.CPU.Since(before.CPU), u.Calls - before.Calls, u.Allocations - before.Allocations, u.Bytes - before.Bytes, u.Collections - before.Collections}
}

// Memory is the memory of a process. Pss counts shared pages in parts.
type Memory struct {
	RssBytes int64 `json:"rss_bytes"`
	PssBytes int64 `json:"pss_bytes"`
}

// memoryNow returns the memory of this process.
func memoryNow() (Memory, error) {
	var memory Memory
	text, err := os.ReadFile("/proc/self/smaps_rollup")
	if err != nil {
		return memory, err
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		fields := bytes.Fields(lines.Bytes())
		if len(fields) != 3 {
			continue
		}
		kib, err := strconv.ParseInt(string(fields[1]), 10, 64)
		if err != nil {
			return memory, fmt.Errorf("/proc/self/smaps_rollup: %w", err)
		}
		switch string(fields[0]) {
		case "Rss:":
			memory.RssBytes = kib << 10
		case "Pss:":
			memory.PssBytes = kib << 10
		}
	}
	return memory, nil
}
