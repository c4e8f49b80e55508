// Command hone-load puts a function of a service under load, and reports the duration of calls and the CPU time of both sides.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"hone/go/call/command"
	"hone/go/call/connect"
	"hone/go/call/definitions"
	"hone/go/call/load"
)

const usage = `usage: hone load ADDRESS Service.Method ['{json}' | @FILE | -] --idl FILE (--rate N/s | --callers N) [OPTIONS]
Calls a function again and again, and prints how long calls took, how many were made, their
errors, and the CPU time of both sides for each call. With --rate, calls begin on schedule whatever
became of those before, and their time counts from there (an open loop, without coordinated
omission); with --callers alone, each caller begins a call when its last one has ended. The exit
status is 1 if a call failed, 2 if the definition or the arguments are wrong.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, os.Args[1:]))
}

// options are the options of this command.
type options struct {
	command.Arguments
	rate        rate
	callers     int
	connections int
	duration    time.Duration
	warmup      time.Duration
	pid         int
	json        bool
	outputHDR   string
}

// rate is a flag of the form "1000/s" or "1000".
type rate float64

func (r *rate) String() string { return fmt.Sprintf("%g/s", float64(*r)) }

// Set implements [flag.Value].
func (r *rate) Set(text string) error {
	number, err := strconv.ParseFloat(strings.TrimSuffix(text, "/s"), 64)
	if err != nil || !(number > 0 && number <= mostRate) {
		return errors.New("write a number of calls per second, as in 1000/s")
	}
	*r = rate(number)
	return nil
}

const (
	// mostRate is a rate that no program reaches.
	mostRate = 1e9
	// openCallers is the default for the largest number of concurrent calls in an open loop.
	openCallers = 100
	// mostCallers bounds the memory of callers.
	mostCallers = 1 << 20
)

func run(ctx context.Context, s command.Streams, args []string) int {
	o, status := arguments(s, args)
	if o == nil {
		return status
	}
	if err := o.check(); err != nil {
		return tell(s, err, command.Misuse)
	}
	d, err := o.Load(s)
	if err != nil {
		return tell(s, err, command.Misuse)
	}
	target, err := o.Target(s, d)
	if err != nil {
		return tell(s, err, command.Misuse)
	}
	if target.Function.TakesStream || target.Function.GivesStream {
		return tell(s, fmt.Errorf("%s is a stream, which is no load; call a function with one request and one response", target.Function.FullName()), command.Misuse)
	}
	clients, err := newClients(o, target)
	if err != nil {
		return tell(s, err, command.Misuse)
	}
	defer closeAll(clients)
	if err := reach(ctx, o, target.Address); err != nil {
		return tell(s, err, command.Failed)
	}
	work := load.Work{Call: caller(target, o.callers, clients), Kind: command.Kind, CPU: cpuOf(s, o, target.Address)}
	return report(s, o, load.Run(ctx, o.plan(), work, load.SystemClock()))
}

func arguments(s command.Streams, args []string) (*options, int) {
	o := &options{}
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	flags.SetOutput(s.Err)
	o.Register(flags)
	flags.Var(&o.rate, "rate", "how many calls begin in a second, as in 1000/s: an open loop")
	flags.IntVar(&o.callers, "callers", 0, fmt.Sprintf("how many calls there are at a time, at most with --rate; %d with --rate, if nothing is said", openCallers))
	flags.IntVar(&o.connections, "connections", 0,
		"how many connections there are; if nothing is said one, or one for each caller where the wire carries one call at a time")
	flags.DurationVar(&o.duration, "duration", 30*time.Second, "how long calls are made that count")
	flags.DurationVar(&o.warmup, "warmup", 5*time.Second, "how long calls are made before that do not count")
	flags.IntVar(&o.pid, "pid", 0, "the server's process, for its CPU time; if nothing is said it is looked for where the server is on this machine")
	flags.BoolVar(&o.json, "json", false, "write JSON")
	flags.StringVar(&o.outputHDR, "output-hdr", "", "a file for all latencies, in milliseconds, as HdrHistogram's tools read them")
	flags.Usage = func() {
		fmt.Fprint(s.Err, usage)
		flags.PrintDefaults()
	}
	switch err := o.Parse(flags, args); {
	case errors.Is(err, flag.ErrHelp):
		return nil, command.Done
	case err != nil:
		return nil, command.Misuse
	}
	return o, command.Done
}

// check returns an error for wrong options, and fills in defaults.
func (o *options) check() error {
	if o.callers == 0 && o.rate > 0 {
		o.callers = openCallers
	}
	switch {
	case o.callers == 0:
		return errors.New("there is no load; write --rate 1000/s for an open loop or --callers 100 for a closed one")
	case o.callers < 0 || o.callers > mostCallers:
		return fmt.Errorf("--callers must be from 1 to %d", mostCallers)
	case o.connections < 0 || o.connections > o.callers:
		return errors.New("--connections must be from 1 to the number of callers")
	case o.duration <= 0:
		return errors.New("--duration must be positive; write --duration 30s")
	case o.warmup < 0:
		return errors.New("--warmup must not be negative; write --warmup 5s")
	case o.pid < 0:
		return errors.New("--pid must be the number of a process")
	}
	return o.Check()
}

func (o *options) plan() load.Plan {
	return load.Plan{Rate: float64(o.rate), Callers: o.callers, Warmup: o.warmup, Duration: o.duration, Timeout: o.Timeout}
}

func tell(s command.Streams, err error, status int) int {
	fmt.Fprintf(s.Err, "hone load: %v\n", err)
	return status
}

// newClients returns one client for each connection.
func newClients(o *options, target *command.Target) ([]*connect.Client, error) {
	how, err := o.Connect()
	if err != nil {
		return nil, err
	}
	isShared, err := how.IsShared(target.Function.Language)
	if err != nil {
		return nil, err
	}
	n := o.connections
	switch {
	case n > 0:
	case isShared:
		n = 1
	default:
		n = o.callers
	}
	clients := make([]*connect.Client, n)
	for i := range clients {
		if clients[i], err = connect.New(target.Address, target.Function.Language, how); err != nil {
			return nil, err
		}
	}
	return clients, nil
}

// reach connects to the address, so that a wrong address is reported before any load.
func reach(ctx context.Context, o *options, address string) error {
	network, place, err := connect.Socket(address)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	stream, err := new(net.Dialer).DialContext(ctx, network, place)
	if err != nil {
		return err
	}
	return stream.Close()
}

func closeAll(clients []*connect.Client) {
	for _, one := range clients {
		// Nothing is lost by a connection that does not close as it should.
		_ = one.Close()
	}
}

// worker makes the calls of one caller. It reads all results into one message.
type worker struct {
	client *connect.Client
	result definitions.Message
}

// caller returns a function that makes calls by clients, which callers share evenly.
func caller(target *command.Target, callers int, clients []*connect.Client) func(ctx context.Context, caller int) error {
	workers := make([]worker, callers)
	for i := range workers {
		workers[i] = worker{clients[i%len(clients)], target.Function.Result()}
	}
	return func(ctx context.Context, caller int) error {
		w := &workers[caller]
		if err := w.client.Invoke(ctx, target.Function, target.Args, w.result); err != nil {
			return err
		}
		if name := command.Exception(w.result); name != "" {
			return &command.Thrown{Name: name}
		}
		return nil
	}
}

// report prints the result, and writes its histogram.
func report(s command.Streams, o *options, result *load.Result) int {
	if o.outputHDR != "" {
		if err := writeHistogram(o.outputHDR, result); err != nil {
			return tell(s, fmt.Errorf("the histogram cannot be written: %w", err), command.Misuse)
		}
	}
	text := result.Text()
	if o.json {
		told, err := json.MarshalIndent(result, "", "  ")
		if err != nil {
			return tell(s, err, command.Failed)
		}
		text = string(told) + "\n"
	}
	if _, err := fmt.Fprint(s.Out, text); err != nil {
		return tell(s, fmt.Errorf("the result cannot be written: %w", err), command.Failed)
	}
	if result.Failed() > 0 {
		return command.Failed
	}
	return command.Done
}

func writeHistogram(path string, result *load.Result) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(result.WriteHistogram(f), f.Close())
}
