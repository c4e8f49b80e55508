// Package harness is the common part of the programs of all stacks: the payloads, a server that reports its usage, and a load of calls.
//
// Each stack is a program of its own, PROGRAM serve|load|idle, without code of the others. So a server's memory and its garbage collector are those
// of one stack, and the load comes from the stack's own client.
package harness

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	"hone/bench/gauge"
	"hone/go/tune"
)

// Stack is one way to serve and to call.
type Stack struct {
	// Serve answers calls at an address until the process ends.
	Serve func(variant string, address Address) error
	// Dial returns functions that make calls, one for each of the callers, over as many connections as the variant uses for them.
	Dial func(variant string, address Address, payload Payload, callers int) ([]Call, error)
	// Payloads are the payloads that the stack supports.
	Payloads []Payload
	// Codec matches the names of the functions that read and write messages.
	Codec *regexp.Regexp
}

// Call makes one call, or passes one message of a stream, and returns an error for a wrong answer.
type Call = gauge.Call

// Address is where a server listens: "tcp" and host:port, or "unix" or "shm" and a path.
type Address struct{ Network, Text string }

// Payload is the kind of a call's request and answer.
type Payload string

// All payloads.
const (
	// Echo is a text of 1 KB, which is sent back.
	Echo Payload = "echo"
	// Price is a struct of 5 KB, which is sent back with its calculated total.
	Price Payload = "price"
	// Maps and Rows are also orders, answered as Price is: of 12 KB that are nearly all maps, and of 50 KB with 400 rows and without maps.
	Maps Payload = "maps"
	Rows Payload = "rows"
	// Chat, Expand and Collect are streams of texts of 1 KB, one for each caller: each text is sent back before the next one is sent, or the
	// server sends all of them, or the client.
	Chat    Payload = "chat"
	Expand  Payload = "expand"
	Collect Payload = "collect"
)

// Calls and Streams are the payloads of each kind.
var (
	Calls   = []Payload{Echo, Price, Maps, Rows}
	Streams = []Payload{Chat, Expand, Collect}
)

// arguments are the arguments of all commands.
type arguments struct {
	variant     string
	address     Address
	control     string
	profile     string
	hasParts    bool
	payload     string
	callers     int
	rate        float64
	warmUp      time.Duration
	duration    time.Duration
	connections int
}

// Main runs the command that the arguments name.
func Main(stack Stack) {
	if err := run(stack); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", os.Args[0], err)
		os.Exit(1)
	}
}

func run(stack Stack) error {
	if len(os.Args) < 2 {
		return fmt.Errorf("usage: %s serve|load|idle OPTIONS", os.Args[0])
	}
	args, err := parse(os.Args[2:])
	if err != nil {
		return err
	}
	if os.Getenv("TUNED") != "" {
		tuner := tune.GC(tune.GCOptions{})
		if err := tuner.Err(); err != nil {
			return err
		}
		defer tuner.Stop()
	}
	switch os.Args[1] {
	case "serve":
		return serve(stack, args)
	case "load":
		return tell(load(stack, args))
	case "idle":
		return tell(idle(stack, args))
	}
	return fmt.Errorf("command %q is not known; take serve, load or idle", os.Args[1])
}

func parse(words []string) (arguments, error) {
	var args arguments
	flags := flag.NewFlagSet(os.Args[0], flag.ContinueOnError)
	flags.StringVar(&args.variant, "variant", "", "the stack's way to use connections, if it has several")
	flags.StringVar(&args.address.Network, "network", "tcp", "tcp or unix, and shm where the stack knows it")
	flags.StringVar(&args.address.Text, "address", "", "host:port, or the path of a socket")
	flags.StringVar(&args.control, "control", "", "the path of the socket over which the server tells what it used")
	flags.StringVar(&args.profile, "profile", "", "the file that gets a CPU profile of the load generator; the server's has .server behind its name")
	flags.BoolVar(&args.hasParts, "parts", false, "tell what the server's CPU time was used for")
	flags.StringVar(&args.payload, "payload", string(Echo), "echo, price, maps, rows, chat, expand or collect")
	flags.IntVar(&args.callers, "callers", 100, "how many goroutines call")
	flags.Float64Var(&args.rate, "rate", 0, "calls a second, which come whether or not those before are answered; 0 is a call after each answer")
	flags.DurationVar(&args.warmUp, "warm-up", time.Second, "how long calls are made before any counts")
	flags.DurationVar(&args.duration, "duration", 2*time.Second, "how long calls count")
	flags.IntVar(&args.connections, "connections", 10_000, "idle connections")
	return args, flags.Parse(words)
}

// tell prints a result.
func tell[R any](result R, err error) error {
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}
