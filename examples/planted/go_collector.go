// A garbage collector that runs whenever a small heap has doubled, and one that may let it grow.
package main

import (
	"fmt"
	"runtime/debug"
	"syscall"
)

type node struct {
	next, other *node
	value       uint64
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

// What lives on: some megabytes of pointers for the collector to follow.
func index(count int) []*node {
	nodes := make([]*node, count)
	for i := range nodes {
		nodes[i] = &node{value: uint64(i)}
	}
	x := uint64(1)
	for _, node := range nodes {
		x = calm(x+1, 1)
		node.next, node.other = nodes[x%uint64(count)], nodes[x/3%uint64(count)]
	}
	return nodes
}

var kept [64][]byte

// A message of a few kilobytes without pointers, cheap to make.
//
//go:noinline
func message(x uint64) uint64 {
	buffer := make([]byte, 4096)
	buffer[x%4096] = byte(x)
	kept[x%64] = buffer
	return x + uint64(len(kept[x%64]))
}

func main() {
	if odd == "" {
		debug.SetGCPercent(1000)
	}
	nodes := index(60_000)
	x := uint64(1)
	for cpu() < 2.5 {
		for i := 0; i < 100; i++ {
			x = calm(x+nodes[x%uint64(len(nodes))].next.value, 5000)
			x = message(x)
		}
	}
	fmt.Println(x)
}
