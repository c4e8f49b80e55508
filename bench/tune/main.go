// Command tune holds the programs that bench/tune/run measures: a service, a load for it, and a program whose live memory rises and falls. Each runs
// in a process of its own; the service and the sawtooth run in control groups, with one of several ways to choose GOMAXPROCS and GOGC.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"
)

const usage = "usage: tune serve|load|sawtooth [FLAGS]; tune COMMAND -h lists the flags"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tune:", err)
		os.Exit(1)
	}
}

func run(words []string) error {
	if len(words) == 0 {
		return errors.New(usage)
	}
	flags := flag.NewFlagSet(words[0], flag.ExitOnError)
	socket := flags.String("socket", "", "path of the service's Unix socket")
	way := flags.String("variant", "default", "how GOMAXPROCS and GOGC are chosen")
	limit := flags.Uint64("limit", 0, "memory limit of the control group, in bytes; 0: none")
	live := flags.Uint64("live", 0, "bytes of live memory of the service")
	rate := flags.Float64("rate", 1, "requests a second")
	warmUp := flags.Duration("warm-up", 3*time.Second, "requests in it do not count")
	duration := flags.Duration("duration", 5*time.Second, "requests that are due in it count")
	teeth := flags.Int("teeth", 2, "how often live memory rises")
	if err := flags.Parse(words[1:]); err != nil {
		return err
	}
	if *rate <= 0 {
		return fmt.Errorf("-rate %v; write requests a second, above 0", *rate)
	}
	switch words[0] {
	case "serve":
		return serve(*socket, *way, *limit, *live)
	case "load":
		return load(*socket, *rate, *warmUp, *duration)
	case "sawtooth":
		return sawtooth(*way, *limit, *teeth)
	}
	return errors.New(usage)
}

func print(value any) error { return json.NewEncoder(os.Stdout).Encode(value) }
