// A record to JSON by reflection, and by hand.
package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"syscall"
)

type record struct {
	Name  string
	Value uint64
	Parts [8]uint64
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

func main() {
	isOdd := odd != ""
	x := uint64(1)
	one := record{Name: "one"}
	text := make([]byte, 0, 512)
	for cpu() < 0.6 {
		for i := 0; i < 100; i++ {
			one.Value = x
			if isOdd {
				text, _ = json.Marshal(&one)
			} else {
				text = append(text[:0], `{"Value":`...)
				text = strconv.AppendUint(text, x, 10)
			}
			x = calm(x+uint64(text[4]), 300)
		}
	}
	fmt.Println(x)
}
