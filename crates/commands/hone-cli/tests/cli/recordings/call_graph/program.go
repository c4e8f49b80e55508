package main

import "fmt"

//go:noinline
func spin(n uint32) uint32 {
	x := n
	for i := uint32(0); i < n; i++ {
		x = x*1664525 + 1013904223
		if x == 7 {
			fmt.Println("seven")
		}
	}
	return x
}

//go:noinline
func middle(n uint32) uint32 { return spin(n) + spin(n/2) }

func main() {
	sum := uint32(0)
	for i := 0; i < 20; i++ {
		sum += middle(20000000)
	}
	fmt.Println(sum)
}
