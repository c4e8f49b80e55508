// Command fanout simulates a service whose callers make several calls to it for each request, under several policies that bound the number of
// concurrent calls, and prints the results as JSON. The same seed gives the same output.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

func main() {
	seed := flag.Uint64("seed", 1, "of everything that is random")
	seconds := flag.Int("seconds", 200, "of simulated time that each figure is taken from")
	flag.Parse()
	var found []scenario
	for _, of := range scenarios {
		found = append(found, of.measure(*seed, *seconds))
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(found); err != nil {
		fmt.Fprintln(os.Stderr, "fanout:", err)
		os.Exit(1)
	}
}
