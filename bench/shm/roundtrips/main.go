// Roundtrips passes messages between two processes: one that answers each, and one that sends them and measures.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/rpc"
	"os"
	"strings"
	"time"

	"hone/bench/gauge"
	"hone/bench/shm/message"
	"hone/bench/shm/transport"
)

// arguments are the arguments of both commands.
type arguments struct {
	transport.Options
	name     string
	control  string
	profile  string
	rate     float64
	warmUp   time.Duration
	duration time.Duration
}

// result is the result of a load. CPU times are those of both sides in the counted time.
type result struct {
	Seconds    float64   `json:"seconds"`
	RoundTrips int64     `json:"round_trips"`
	Errors     int64     `json:"errors"`
	FirstError string    `json:"first_error,omitempty"`
	Unsent     int64     `json:"unsent"`
	P50Us      float64   `json:"p50_us"`
	P99Us      float64   `json:"p99_us"`
	Server     gauge.CPU `json:"server"`
	Client     gauge.CPU `json:"client"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", os.Args[0], err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) < 2 {
		return fmt.Errorf("usage: %s serve|load OPTIONS", os.Args[0])
	}
	args, err := parse(os.Args[2:])
	if err != nil {
		return err
	}
	way, is := transport.All[args.name]
	if !is {
		return fmt.Errorf("transport %q is not known; take one of %s", args.name, strings.Join(transport.Names(), ", "))
	}
	switch os.Args[1] {
	case "serve":
		if err := gauge.ServeControl(args.control, new(gauge.Control)); err != nil {
			return err
		}
		return way.Serve(args.Options, transport.Answer)
	case "load":
		loaded, err := load(way, args)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(loaded)
	}
	return fmt.Errorf("command %q is not known; take serve or load", os.Args[1])
}

func parse(words []string) (arguments, error) {
	var args arguments
	flags := flag.NewFlagSet(os.Args[0], flag.ContinueOnError)
	flags.StringVar(&args.name, "transport", "unix", strings.Join(transport.Names(), ", "))
	flags.StringVar(&args.Address, "address", "", "host:port, or the path of a socket")
	flags.StringVar(&args.control, "control", "", "the path of the socket over which the server tells what it used")
	flags.StringVar(&args.profile, "profile", "", "the file that gets a CPU profile of the client; the server's has .server behind its name")
	flags.IntVar(&args.MessageBytes, "size", 64, "bytes of each message, a multiple of 8")
	flags.IntVar(&args.Connections, "connections", 1, "how many connections there are, each with one message on its way")
	flags.DurationVar(&args.Spin, "spin", 0, "how long package shm looks before it sleeps; negative: not at all")
	flags.IntVar(&args.RingBytes, "ring", 0, "bytes of a ring of package shm; 0: as fits the messages")
	flags.Float64Var(&args.rate, "rate", 0, "round trips a second, which are due whether or not those before are done; 0 is one after the other")
	flags.DurationVar(&args.warmUp, "warm-up", time.Second, "how long messages are passed before any counts")
	flags.DurationVar(&args.duration, "duration", 2*time.Second, "how long they count")
	if err := flags.Parse(words); err != nil {
		return args, err
	}
	if args.MessageBytes <= 0 || args.MessageBytes%message.Word != 0 {
		return args, fmt.Errorf("-size %d is no multiple of %d", args.MessageBytes, message.Word)
	}
	if args.Connections <= 0 {
		return args, fmt.Errorf("-connections %d must be positive", args.Connections)
	}
	return args, nil
}

// roundTrip returns a call that sends a message, another one each time, and checks the answer.
func roundTrip(conn transport.Conn) gauge.Call {
	seed := uint64(0)
	return func(context.Context) error {
		seed++
		if err := conn.Send(seed); err != nil {
			return err
		}
		answer, err := conn.Receive()
		if err == nil && answer != transport.AnswerTo(seed) {
			err = fmt.Errorf("the answer is another message's: %#x, not %#x", answer, transport.AnswerTo(seed))
		}
		return err
	}
}

func load(way transport.Transport, args arguments) (*result, error) {
	network := "unix"
	if args.name == "tcp" {
		network = "tcp"
	}
	if err := gauge.AwaitListener(network, args.Address); err != nil {
		return nil, err
	}
	control, err := gauge.DialControl(args.control)
	if err != nil {
		return nil, err
	}
	defer control.Close()
	conns, err := way.Dial(args.Options)
	if err != nil {
		return nil, err
	}
	var calls []gauge.Call
	for _, conn := range conns {
		calls = append(calls, roundTrip(conn))
	}
	running, err := gauge.Start(calls, args.rate)
	if err != nil {
		return nil, err
	}
	time.Sleep(args.warmUp)
	measured := new(result)
	err = gauge.Profiled(control, args.profile, func() error { return measured.measure(running, control, args.duration) })
	running.Stop()
	if err != nil {
		return nil, err
	}
	if failure := running.Wait(); failure != nil {
		measured.FirstError = failure.Error()
	}
	measured.count(running)
	return measured, nil
}

// measure counts round trips for the time during, and the CPU time that both sides use for them.
func (r *result) measure(running *gauge.Load, control *rpc.Client, during time.Duration) error {
	began := time.Now()
	serverBefore, clientBefore, err := used(control)
	if err != nil {
		return err
	}
	running.Count(during)
	server, client, err := used(control)
	r.Seconds = time.Since(began).Seconds()
	r.Server, r.Client = server.Since(serverBefore), client.Since(clientBefore)
	return err
}

// used returns the CPU time of both sides up to now.
func used(control *rpc.Client) (server, client gauge.CPU, err error) {
	if err = control.Call("Control.CPU", gauge.Nothing{}, &server); err == nil {
		client, err = gauge.CPUNow()
	}
	return server, client, err
}

func (r *result) count(running *gauge.Load) {
	r.RoundTrips, r.Errors, r.Unsent = running.Done.Load(), running.Errors.Load(), running.Unsent.Load()
	r.P50Us = float64(running.Latency.Quantile(0.5).Nanoseconds()) / 1000
	r.P99Us = float64(running.Latency.Quantile(0.99).Nanoseconds()) / 1000
}
