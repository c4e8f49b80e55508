// Command host makes one host of the simulated fleet real. "host serve" runs one instance of the service on that host, or all instances on other
// hosts; "host call" runs the callers on the host, which reach its instance by the given policy and transport, and those of other hosts over TCP.
package main

//go:generate go run hone/go/cmd/hone-thrift gen -o ../generated ../../rpc/idl/shop.thrift

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"hone/bench/routing/view"
)

// elsewhere stands for the instances of all other hosts.
const elsewhere = -1

// place is the host, and the addresses of its processes.
type place struct {
	service   *view.Service
	host      *view.Host
	port      int
	directory string
}

// tcp returns the TCP address of an instance, each on an IP address of its own.
func (p *place) tcp(instance int) string {
	return fmt.Sprintf("127.1.%d.%d:%d", instance>>8, instance&255, p.port)
}

// socket returns the Unix socket of an instance of the host, which provides shared memory to clients that request it.
func (p *place) socket(instance int) string {
	return filepath.Join(p.directory, fmt.Sprint("instance-", instance))
}

// control returns the socket over which a process reports its usage.
func (p *place) control(instance int) string {
	return filepath.Join(p.directory, fmt.Sprint("control-", instance))
}

// arguments are the arguments of both commands.
type arguments struct {
	view, directory   string
	host, port        int
	instance          int
	policy, transport string
	payload           string
	callers           int
	rate              float64
	warmUp, counted   time.Duration
}

func parse(words []string) (arguments, error) {
	var args arguments
	flags := flag.NewFlagSet(os.Args[0], flag.ContinueOnError)
	flags.StringVar(&args.view, "view", "", "the file with the service, as the simulator prints it with -view")
	flags.IntVar(&args.host, "host", 0, "which of its hosts")
	flags.StringVar(&args.directory, "directory", "", "where the sockets are")
	flags.IntVar(&args.port, "port", 0, "of all instances, each at an address of its own")
	flags.IntVar(&args.instance, "instance", elsewhere, "serve: which instance; -1 is all those of other hosts")
	flags.StringVar(&args.policy, "policy", "local first", "call: as the simulator names it")
	flags.StringVar(&args.transport, "transport", "shm", "call: to the host's own instances: shm, unix or tcp")
	flags.StringVar(&args.payload, "payload", small, "call: small, echo or price")
	flags.IntVar(&args.callers, "callers", 16, "call: how many goroutines call")
	flags.Float64Var(&args.rate, "rate", 0, "call: calls a second; 0 is a call after each answer")
	flags.DurationVar(&args.warmUp, "warm-up", time.Second, "call: how long calls are made, as fast as may be, before any counts")
	flags.DurationVar(&args.counted, "duration", 2*time.Second, "call: how long calls count")
	return args, flags.Parse(words)
}

func (a arguments) place() (*place, error) {
	service, err := view.Read(a.view)
	if err != nil {
		return nil, err
	}
	if a.host < 0 || a.host >= len(service.Hosts) {
		return nil, fmt.Errorf("-host %d is not in %s, which has %d hosts; take 0 for the first", a.host, a.view, len(service.Hosts))
	}
	return &place{service, &service.Hosts[a.host], a.port, a.directory}, nil
}

func run() error {
	if len(os.Args) < 2 {
		return fmt.Errorf("no command is given; write serve or call, and their options")
	}
	args, err := parse(os.Args[2:])
	if err != nil {
		return err
	}
	p, err := args.place()
	if err != nil {
		return err
	}
	switch os.Args[1] {
	case "serve":
		return p.serve(args.instance)
	case "call":
		made, err := p.call(args)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(made)
	}
	return fmt.Errorf("command %q is not known; take serve or call", os.Args[1])
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "host:", err)
		os.Exit(1)
	}
}
