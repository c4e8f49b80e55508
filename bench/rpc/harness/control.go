package harness

import (
	"errors"
	"fmt"
	"net"
	"net/rpc"
	"net/rpc/jsonrpc"
	"os"
	"runtime/debug"
	"runtime/pprof"
	"time"
)

// Control is what a server does for the load generator, beside answering calls: over a Unix socket, by Go's net/rpc.
type Control struct{ profile *os.File }

// Nothing is an argument or answer without a content.
type Nothing struct{}

// Usage tells what the server has used.
func (c *Control) Usage(_ Nothing, usage *Usage) (err error) {
	*usage, err = usageNow()
	return err
}

// Memory tells what the server has in memory.
func (c *Control) Memory(_ Nothing, memory *Memory) (err error) {
	*memory, err = memoryNow()
	return err
}

// Settle collects garbage and gives what is free back to the system. Twice, since pools keep what they have for one collection.
func (c *Control) Settle(Nothing, *Nothing) error {
	debug.FreeOSMemory()
	debug.FreeOSMemory()
	return nil
}

// Profile begins a CPU profile in a file, or ends it if no file is named: then a profile of all allocations goes into a file beside it.
func (c *Control) Profile(path string, _ *Nothing) (err error) {
	if path != "" {
		if c.profile, err = os.Create(path); err != nil {
			return err
		}
		return pprof.StartCPUProfile(c.profile)
	}
	pprof.StopCPUProfile()
	allocations, err := os.Create(c.profile.Name() + ".allocations")
	if err != nil {
		return err
	}
	return errors.Join(c.profile.Close(), pprof.Lookup("allocs").WriteTo(allocations, 0), allocations.Close())
}

func serve(stack Stack, args arguments) error {
	listener, err := net.Listen("unix", args.control)
	if err != nil {
		return err
	}
	server := rpc.NewServer()
	if err := server.Register(new(Control)); err != nil {
		return err
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go server.ServeCodec(jsonrpc.NewServerCodec(conn))
		}
	}()
	return stack.Serve(args.variant, args.address)
}

// startTimeout is how long a server may take until it listens.
const startTimeout = 20 * time.Second

// controlOf waits until a server listens, and connects to its control.
func controlOf(args arguments) (*rpc.Client, error) {
	if err := AwaitListener("unix", args.control); err != nil {
		return nil, err
	}
	if err := AwaitListener(args.address.Network, args.address.Text); err != nil {
		return nil, err
	}
	return jsonrpc.Dial("unix", args.control)
}

// AwaitListener waits until something listens at an address.
func AwaitListener(network, address string) error {
	if network == "shm" {
		// Connections begin over its socket.
		network = "unix"
	}
	for deadline := time.Now().Add(startTimeout); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial(network, address)
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the server does not listen: %w", err)
		}
	}
}

// moment is what both sides have used up to now.
type moment struct {
	at             time.Time
	client, server Usage
}

func momentNow(control *rpc.Client) (m moment, err error) {
	if err := control.Call("Control.Usage", Nothing{}, &m.server); err != nil {
		return m, err
	}
	m.client, err = usageNow()
	m.at = time.Now()
	return m, err
}

// profiled runs something under CPU profiles of both sides, if they are wanted.
func profiled(control *rpc.Client, path string, run func() error) error {
	if path == "" {
		return run()
	}
	own := Control{}
	if err := own.Profile(path, nil); err != nil {
		return err
	}
	if err := control.Call("Control.Profile", path+".server", &Nothing{}); err != nil {
		return err
	}
	err := run()
	if err := control.Call("Control.Profile", "", &Nothing{}); err != nil {
		return err
	}
	if closed := own.Profile("", nil); err == nil {
		err = closed
	}
	return err
}
