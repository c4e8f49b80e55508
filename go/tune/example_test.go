package tune_test

import (
	"fmt"
	"log"
	"net/http"

	"hone/go/tune"
)

// A service switches both tuners on at the beginning of main. Their metrics stand beside its other metrics.
func Example() {
	collector := tune.GC(tune.GCOptions{Log: func(line string) { log.Print(line) }})
	defer collector.Stop()
	cpus := tune.CPU(tune.CPUOptions{Reserve: 0.5}) // for a sidecar in the same container
	defer cpus.Stop()

	http.HandleFunc("/metrics", func(answer http.ResponseWriter, _ *http.Request) {
		collector.Write(answer)
		cpus.Write(answer)
	})
	fmt.Println(collector.Err(), cpus.Err())
	// Output: <nil> <nil>
}

// A heap may take more of a limit that nothing else shares.
func ExampleGC() {
	collector := tune.GC(tune.GCOptions{Threshold: 0.85, MaxPercent: 1000})
	defer collector.Stop()

	if collector.Stats().Tight {
		log.Print("memory is tight: shed load")
	}
	fmt.Println(collector.Err())
	// Output: <nil>
}
