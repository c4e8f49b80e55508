package gauge

import (
	"errors"
	"fmt"
	"net"
	"net/rpc"
	"net/rpc/jsonrpc"
	"os"
	"runtime/pprof"
	"time"
)

// Control is the interface of a server for the load generator, beside its answers to calls: over a Unix socket, by Go's net/rpc. A benchmark that
// needs more methods embeds it into a type of this name.
type Control struct{ profile *os.File }

// Nothing is an argument or answer without content.
type Nothing struct{}

// CPU reports the CPU time of the server.
func (c *Control) CPU(_ Nothing, cpu *CPU) (err error) {
	*cpu, err = CPUNow()
	return err
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

// ServeControl answers requests to a control, over a Unix socket at a path, until the process ends.
//
// # Errors
//
// Those of the socket, and of a type whose methods net/rpc cannot call.
func ServeControl(path string, control any) error {
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	server := rpc.NewServer()
	if err := server.RegisterName("Control", control); err != nil {
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
	return nil
}

// DialControl waits until a server has a control at a path, and connects to it.
//
// # Errors
//
// That of [AwaitListener].
func DialControl(path string) (*rpc.Client, error) {
	if err := AwaitListener("unix", path); err != nil {
		return nil, err
	}
	return jsonrpc.Dial("unix", path)
}

// startTimeout is the time that a server may take until it listens.
const startTimeout = 20 * time.Second

// AwaitListener waits until something listens at an address of network tcp, unix or shm.
//
// # Errors
//
// That of the last attempt, after 20 s.
func AwaitListener(network, address string) error {
	if network == "shm" {
		// Connections through shared memory begin over a Unix socket.
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

// Profiled calls run under CPU profiles of both sides if a file is named: the server's file has .server added to that name.
func Profiled(control *rpc.Client, path string, run func() error) error {
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
