// A hot call that costs too much to be inlined without a profile, and an interface call with one usual target.
// Usage: hot ROUNDS [FILE for a profile by the runtime]
package main

import (
	"fmt"
	"os"
	"runtime/pprof"
	"strconv"
)

type shape interface{ area(scale int) int }

type square struct{ side int }
type circle struct{ radius int }

func (s square) area(scale int) int  { return s.side * s.side * scale }
func mix(a, b int) int               { return a ^ b<<3 }
func (c *circle) area(scale int) int { return 3 * c.radius * c.radius * scale }

// step costs more than the compiler inlines without a profile.
func step(state, i int) int {
	state ^= state << 13
	state ^= int(uint(state) >> 7)
	state ^= state << 17
	if i%3 == 0 {
		state += i * 5
	} else {
		state ^= i + 3
	}
	if i%5 == 0 {
		state += i * 7
	} else {
		state ^= i + 5
	}
	if i%7 == 0 {
		state += i * 9
	} else {
		state ^= i + 7
	}
	if i%11 == 0 {
		state += i * 13
	} else {
		state ^= i + 11
	}
	if i%13 == 0 {
		state += i * 15
	} else {
		state ^= i + 13
	}
	if i%17 == 0 {
		state += i * 19
	} else {
		state ^= i + 17
	}
	return state
}

//go:noinline
func total(shapes []shape, scale int) (sum int) {
	for _, s := range shapes {
		sum += s.area(scale)
	}
	return sum
}

//go:noinline
func spin(n int) (state int) {
	state = 88172645463325252
	for i := 0; i < n; i++ {
		state = mix(step(state, i), i)
	}
	return state
}

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	if len(os.Args) > 2 {
		file, _ := os.Create(os.Args[2])
		pprof.StartCPUProfile(file)
		defer pprof.StopCPUProfile()
	}
	shapes := make([]shape, 0, 1000)
	for i := 0; i < 1000; i++ {
		if i%500 == 0 {
			shapes = append(shapes, &circle{i})
		} else {
			shapes = append(shapes, square{i})
		}
	}
	sum := 0
	for i := 0; i < rounds; i++ {
		sum += total(shapes, i) + spin(1000)
	}
	fmt.Println(sum)
}
