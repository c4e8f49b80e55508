// Command hosts makes calls to ten instances of a service of which some are down, by several clients, and prints the number of calls, of failed calls
// and their duration.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"time"
)

const (
	hosts    = 10
	deadline = 500 * time.Millisecond
)

// row is one run: a client, a fault, and the number of hosts with that fault.
type row struct {
	Client string  `json:"client"`
	Fault  string  `json:"fault"`
	Faulty int     `json:"faulty"`
	Calls  int     `json:"calls"`
	Failed int     `json:"failed"`
	P50    float64 `json:"p50_ms"`
	P99    float64 `json:"p99_ms"`
	// Error is the error of the last failed call.
	Error string `json:"error,omitempty"`
}

// pause is the time between two calls: it makes runs of all clients alike.
const pause = 2 * time.Millisecond

// measure makes calls by one caller, one after the other, and counts them from the first on.
func measure(call func(context.Context) error, lasts time.Duration) (r row) {
	var took []float64
	for until := time.Now().Add(lasts); time.Now().Before(until); time.Sleep(pause) {
		ctx, cancel := context.WithTimeout(context.Background(), deadline)
		began := time.Now()
		err := call(ctx)
		took = append(took, time.Since(began).Seconds()*1e3)
		cancel()
		if r.Calls++; err != nil {
			r.Failed++
			r.Error = err.Error()
		}
	}
	slices.Sort(took)
	r.P50, r.P99 = took[len(took)/2], took[len(took)*99/100]
	return r
}

func main() {
	lasts := flag.Duration("lasts", 6*time.Second, "time of each run")
	rounds := flag.Int("rounds", 3, "runs of each row")
	flag.Parse()
	var found []row
	for range *rounds {
		for _, kind := range faults {
			for _, faulty := range kind.counts {
				for _, c := range clients {
					found = append(found, run(c, kind, faulty, *lasts))
				}
			}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run starts new hosts, so that no client knows them, and measures a client.
func run(c client, kind fault, faulty int, lasts time.Duration) row {
	var addresses []string
	for n := range hosts {
		if n < faulty {
			address, end := kind.make()
			defer end()
			addresses = append(addresses, address)
			continue
		}
		address, end := serve()
		defer end()
		addresses = append(addresses, address)
	}
	call, end := c.dial(addresses)
	defer end()
	r := measure(call, lasts)
	r.Client, r.Fault, r.Faulty = c.name, kind.name, faulty
	return r
}
