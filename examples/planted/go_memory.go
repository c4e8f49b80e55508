// A new buffer for each message, and one that is kept.
package main

import (
	"fmt"
	"syscall"
)

type message struct {
	parts []*[64]byte
}

// Set by the linker.
var odd string

func cpu() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Sec) + float64(usage.Utime.Usec)/1e6
}

//go:noinline
func calm(x uint64, steps int) uint64 {
	for i := 0; i < steps; i++ {
		x ^= x >> 27
		x *= 0x3c79ac492ba7b653
		x ^= x >> 33
	}
	return x
}

var kept message

//go:noinline
func fill(x uint64, isNew bool) uint64 {
	if isNew {
		kept.parts = nil
	}
	for i := 0; i < 50; i++ {
		if len(kept.parts) <= i {
			kept.parts = append(kept.parts, new([64]byte))
		}
		kept.parts[i][x%64] = byte(i)
	}
	return x + uint64(kept.parts[x%50][3])
}

func main() {
	isOdd := odd != ""
	x := uint64(1)
	for cpu() < 0.6 {
		for i := 0; i < 100; i++ {
			x = calm(fill(x, isOdd), 1000)
		}
	}
	fmt.Println(x)
}
