// Command routing simulates which instances call each other in a fleet of 10,000 hosts and 1,000 services, under several policies to choose
// instances, and prints the results as JSON. Loads are computed from weights: no call is simulated. The same seed gives the same output. With -view
// it prints the view of some hosts that call one service, so that processes can act as these hosts.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

func main() {
	seed := flag.Uint64("seed", 1, "of everything that is random")
	placement := flag.String("placement", "pools", "pools: services that call each other share hosts; spread: instances are on any hosts")
	hosts := flag.Int("hosts", 10_000, "in the fleet")
	services := flag.Int("services", 1_000, "in the fleet")
	step := flag.Int("step", 10, "one service in so many is looked at, by rank of size, the largest first")
	isView := flag.Bool("view", false, "print one service as three hosts that call it see it")
	flag.Parse()
	if *placement != "pools" && *placement != "spread" {
		fmt.Fprintln(os.Stderr, "routing: -placement must be pools or spread")
		os.Exit(2)
	}
	f := newFleet(*seed, *hosts, *services, *placement == "pools")
	if err := show(f, *step, *isView); err != nil {
		fmt.Fprintln(os.Stderr, "routing:", err)
		os.Exit(1)
	}
}

func show(f *fleet, step int, isView bool) error {
	encoder := json.NewEncoder(os.Stdout)
	if !isView {
		return encoder.Encode(measure(f, step))
	}
	seen, err := viewOf(f, step)
	if err != nil {
		return err
	}
	return encoder.Encode(seen)
}
