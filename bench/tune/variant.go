package main

import (
	"fmt"

	"github.com/bytedance/gopkg/util/gctuner"
	"go.uber.org/automaxprocs/maxprocs"
	"hone/go/tune"
)

// gctunerThreshold is the part of the limit that gctuner's documentation recommends.
const gctunerThreshold = 0.7

// tuners are the tuners of this process, if the variant has them.
type tuners struct {
	cpu *tune.CPUTuner
	gc  *tune.GCTuner
}

// begin switches on the tuners of a variant; variants that differ only in the environment are called "default". limit is the memory limit in bytes.
func begin(variant string, limit uint64) (tuners, error) {
	switch variant {
	case "default":
	case "automaxprocs":
		_, err := maxprocs.Set()
		return tuners{}, err
	case "tune.CPU":
		tuner := tune.CPU(tune.CPUOptions{})
		return tuners{cpu: tuner}, tuner.Err()
	case "tune.GC":
		tuner := tune.GC(tune.GCOptions{})
		return tuners{gc: tuner}, tuner.Err()
	case "gctuner":
		gctuner.Tuning(uint64(gctunerThreshold * float64(limit)))
	default:
		return tuners{}, fmt.Errorf("no variant is called %q", variant)
	}
	return tuners{}, nil
}
