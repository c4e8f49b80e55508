// A service whose hot call costs too much to be inlined without a profile.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func step(state, i int) int {
	state ^= state << 13
	state ^= int(uint(state) >> 7)
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
	return state
}

//go:noinline
func spin(n int) (state int) {
	state = 88172645463325252
	for i := 0; i < n; i++ {
		state += step(state, i)
	}
	return state
}

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	sum := 0
	for i := 0; i < rounds; i++ {
		sum += spin(1000)
	}
	fmt.Println(sum)
}
