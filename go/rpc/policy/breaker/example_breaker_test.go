package breaker_test

import (
	"fmt"
	"log"
	"time"

	"hone/go/rpc/policy/breaker"
)

// A breaker opens after three failures in a row, and lets a probe pass once its time is over.
func ExampleBreaker() {
	b, err := breaker.New(breaker.Options{Consecutive: 3, OpenFor: 5 * time.Second, Probes: 1})
	if err != nil {
		log.Fatal(err)
	}
	call := func(now time.Duration, outcome breaker.Outcome) {
		ticket, isAllowed := b.Allow(now) // now is the time since a fixed moment, such as time.Since(start)
		if isAllowed {
			b.Done(now, ticket, outcome)
		}
		fmt.Println(now, isAllowed, b.State())
	}
	for second := range 4 {
		call(time.Duration(second)*time.Second, breaker.Failure)
	}
	call(8*time.Second, breaker.Success)
	// Output:
	// 0s true closed
	// 1s true closed
	// 2s true open
	// 3s false open
	// 8s true closed
}
