// A program whose SIGPROF handler, Go's own, takes much of the time: it looks at deep stacks, as often as it is sent
// the signal, which it sends itself.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"syscall"
	"time"
)

var sink uint32

//go:noinline
func spin(n uint32) {
	for i := uint32(0); i < n; i++ {
		sink = sink*1664525 + i
	}
}

//go:noinline
func deep(depth int) {
	if depth > 0 {
		deep(depth - 1)
	} else {
		spin(1000)
		_ = syscall.Tgkill(os.Getpid(), syscall.Gettid(), syscall.SIGPROF)
	}
	sink++
}

func main() {
	runtime.LockOSThread()
	_ = pprof.StartCPUProfile(io.Discard)
	for start := time.Now(); time.Since(start) < 2*time.Second; {
		deep(60)
	}
	pprof.StopCPUProfile()
	fmt.Println(sink)
}
