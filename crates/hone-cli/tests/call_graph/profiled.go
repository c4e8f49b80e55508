// A program whose SIGPROF handler, Go's own, takes much of the time: it looks at deep stacks often.
package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/pprof"
)

var sink uint32

//go:noinline
func spin(n uint32) {
	for i := uint32(0); i < n; i++ {
		sink = sink*1664525 + i
	}
}

//go:noinline
func deep(depth int, n uint32) {
	if depth == 0 {
		spin(n)
	} else {
		deep(depth-1, n)
	}
	sink++
}

func main() {
	runtime.SetCPUProfileRate(5000)
	_ = pprof.StartCPUProfile(io.Discard)
	for i := 0; i < 60; i++ {
		deep(60, 10000000)
	}
	pprof.StopCPUProfile()
	fmt.Println(sink)
}
