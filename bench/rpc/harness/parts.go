package harness

import (
	"fmt"
	"net/rpc"
	"os"
	"path/filepath"
	"regexp"

	"github.com/google/pprof/profile"
	"hone/bench/gauge"
)

// Parts is the CPU time of a server in ns, by purpose.
type Parts struct {
	// Codec is the time to read and write messages, with their allocations.
	Codec int64 `json:"codec_ns"`
	// Handler is the time of the service's own code.
	Handler int64 `json:"handler_ns"`
	// Collector is the time of the garbage collector that is not charged to another part.
	Collector int64 `json:"collector_ns"`
	// Kernel is the time of system calls.
	Kernel int64 `json:"kernel_ns"`
	// Rest is the time of the stack itself, and of Go's scheduler.
	Rest int64 `json:"rest_ns"`
}

var (
	handlers   = regexp.MustCompile(`^main\.\(?\*?handler\)?\.`)
	collectors = regexp.MustCompile(`^runtime\.(gcBgMarkWorker|bgsweep|bgscavenge)$`)
	kernel     = regexp.MustCompile(`(^|/)syscall(/linux)?\.(Raw)?Syscall6?$|^runtime\.(futex|epollwait|usleep|madvise|mmap|munmap)$`)
)

// partsDuring calls run, and returns the parts of the server's CPU time meanwhile.
func partsDuring(control *rpc.Client, codec *regexp.Regexp, run func() error) (*Parts, error) {
	directory, err := os.MkdirTemp("", "parts")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(directory)
	path := filepath.Join(directory, "profile")
	if err := gauge.Profiled(control, path, run); err != nil {
		return nil, err
	}
	return partsOf(path+".server", codec)
}

// partsOf reads a CPU profile of Go. Functions of the codec are those whose names match.
func partsOf(path string, codec *regexp.Regexp) (*Parts, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	read, err := profile.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("the server's profile: %w", err)
	}
	parts := new(Parts)
	for _, sample := range read.Sample {
		*parts.of(sample, codec) += sample.Value[len(sample.Value)-1]
	}
	return parts, nil
}

// of returns the part that a sample belongs to. System calls of the codec and of handlers belong to these.
func (p *Parts) of(sample *profile.Sample, codec *regexp.Regexp) *int64 {
	switch {
	case anyFrame(sample.Location, codec):
		return &p.Codec
	case anyFrame(sample.Location, handlers):
		return &p.Handler
	case anyFrame(sample.Location, collectors):
		return &p.Collector
	case len(sample.Location) > 0 && anyFrame(sample.Location[:1], kernel):
		return &p.Kernel
	}
	return &p.Rest
}

func anyFrame(locations []*profile.Location, pattern *regexp.Regexp) bool {
	for _, location := range locations {
		for _, line := range location.Line {
			if line.Function != nil && pattern.MatchString(line.Function.Name) {
				return true
			}
		}
	}
	return false
}
