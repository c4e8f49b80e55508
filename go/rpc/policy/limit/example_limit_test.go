package limit_test

import (
	"fmt"
	"log"
	"time"

	"hone/go/rpc/policy/limit"
)

// A rate of ten calls per second with a burst of two lets two calls in at once, and then one each 100 ms.
func ExampleRate() {
	rate, err := limit.NewRate(10, 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, now := range []time.Duration{0, 0, 0, 100 * time.Millisecond, 101 * time.Millisecond} {
		fmt.Println(now, rate.Allow(now)) // now is the time since a fixed moment, such as time.Since(start)
	}
	// Output:
	// 0s true
	// 0s true
	// 0s false
	// 100ms true
	// 101ms false
}

// Work that finds no room is refused at once, and does not wait.
func ExampleConcurrency() {
	room, err := limit.NewConcurrency(1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("first:", room.Acquire())
	fmt.Println("second:", room.Acquire())
	room.Release()
	fmt.Println("after the first has ended:", room.Acquire())
	// Output:
	// first: true
	// second: false
	// after the first has ended: true
}
