package tune_test

import (
	"fmt"
	"runtime/debug"

	"hone/go/tune"
)

// The CPU tuner leaves half a CPU of the quota to a sidecar; wrong options change nothing and stop no service.
func ExampleCPU() {
	cpus := tune.CPU(tune.CPUOptions{Reserve: 0.5})
	fmt.Println(cpus.Err())
	cpus.Stop()

	cpus = tune.CPU(tune.CPUOptions{Reserve: -1})
	fmt.Println(cpus.Err())
	cpus.Stop()
	// Output:
	// <nil>
	// tune: -1 CPUs or a share of 0 reserved; write CPUs from 0, or a share from 0 and below 1
}

// A stopped tuner has restored GOGC.
func ExampleGCTuner_Stop() {
	before := debug.SetGCPercent(80)
	collector := tune.GC(tune.GCOptions{})
	collector.Stop()
	fmt.Println("GOGC is", debug.SetGCPercent(before))
	// Output: GOGC is 80
}

// A second tuner of the same setting sets nothing, and says why.
func ExampleGCTuner_Err() {
	first := tune.GC(tune.GCOptions{})
	defer first.Stop()
	second := tune.GC(tune.GCOptions{})
	defer second.Stop()
	fmt.Println(first.Err())
	fmt.Println(second.Err())
	// Output:
	// <nil>
	// tune: GOGC is tuned already; stop that tuner first
}
