package harness

import (
	"net/rpc"
	"runtime/debug"
	"time"

	"hone/bench/gauge"
)

// Control is the interface of a server for the load generator, beside its answers to calls.
type Control struct{ gauge.Control }

// Usage reports the usage of the server.
func (c *Control) Usage(_ gauge.Nothing, usage *Usage) (err error) {
	*usage, err = usageNow()
	return err
}

// Memory reports the memory of the server.
func (c *Control) Memory(_ gauge.Nothing, memory *Memory) (err error) {
	*memory, err = memoryNow()
	return err
}

// Settle collects garbage and returns free memory to the system. It does so twice, since pools keep their contents for one collection.
func (c *Control) Settle(gauge.Nothing, *gauge.Nothing) error {
	debug.FreeOSMemory()
	debug.FreeOSMemory()
	return nil
}

func serve(stack Stack, args arguments) error {
	if err := gauge.ServeControl(args.control, new(Control)); err != nil {
		return err
	}
	return stack.Serve(args.variant, args.address)
}

// controlOf waits until a server listens, and connects to its control.
func controlOf(args arguments) (*rpc.Client, error) {
	if err := gauge.AwaitListener(args.address.Network, args.address.Text); err != nil {
		return nil, err
	}
	return gauge.DialControl(args.control)
}

// moment holds the usage of both sides up to a moment.
type moment struct {
	at             time.Time
	client, server Usage
}

func momentNow(control *rpc.Client) (m moment, err error) {
	if err := control.Call("Control.Usage", gauge.Nothing{}, &m.server); err != nil {
		return m, err
	}
	m.client, err = usageNow()
	m.at = time.Now()
	return m, err
}
