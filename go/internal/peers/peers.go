// Package peers runs programs that call services, and answer calls, by others' libraries of Thrift. For tests of package rpc.
//
// All programs serve and call the service Shop of idl/testdata/shop.thrift in the same way: what a function does follows from what it is
// asked, and a program that calls checks each answer by itself. The tests of a program that cannot be made here are skipped.
package peers

import (
	"bufio"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Protocol is how a program writes messages.
type Protocol string

// All protocols.
const (
	Binary Protocol = "binary"
	// OldBinary is Binary whose messages begin without a version, as programs before Thrift 0.2 wrote them.
	OldBinary Protocol = "old"
	Compact   Protocol = "compact"
)

// Wire is how a program speaks over a connection.
type Wire struct {
	Protocol Protocol
	IsFramed bool
	// IsMultiplexed is whether functions are named with their service, as by Apache's TMultiplexedProtocol.
	IsMultiplexed bool
}

// Wires are all that Apache's libraries speak.
func Wires() []Wire {
	var all []Wire
	for _, protocol := range []Protocol{Binary, OldBinary, Compact} {
		for _, isFramed := range []bool{true, false} {
			for _, isMultiplexed := range []bool{false, true} {
				all = append(all, Wire{protocol, isFramed, isMultiplexed})
			}
		}
	}
	return all
}

// String is the name, for subtests.
func (w Wire) String() string { return strings.Join(w.arguments(), "-") }

func (w Wire) arguments() []string {
	transport, names := "buffered", "plain"
	if w.IsFramed {
		transport = "framed"
	}
	if w.IsMultiplexed {
		names = "multiplexed"
	}
	return []string{string(w.Protocol), transport, names}
}

// Program is a program that speaks by another library.
type Program struct {
	Name      string
	command   []string
	variables []string
}

// All makes all programs that can be made here, and tells of those that cannot.
func All(t *testing.T) []*Program {
	t.Helper()
	var all []*Program
	for _, make := range []func(*testing.T) (*Program, string){apacheGo, python, cpp} {
		program, missing := make(t)
		if missing != "" {
			t.Logf("skipped: %s", missing)
			continue
		}
		all = append(all, program)
	}
	return all
}

// callTimeout is how long a program may take for all its calls, on a machine that does much else.
const callTimeout = time.Minute

func (p *Program) start(ctx context.Context, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, p.command[0], append(p.command[1:len(p.command):len(p.command)], arguments...)...)
	command.Env = append(os.Environ(), p.variables...)
	return command
}

// Call makes the program call each function at an address, HOST:PORT. It fails the test where the program says that an answer was wrong.
func (p *Program) Call(t *testing.T, wire Wire, address string) {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Error(err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	command := p.start(ctx, append([]string{"call", host, port}, wire.arguments()...)...)
	if said, err := command.CombinedOutput(); err != nil {
		t.Errorf("%s over %s: %v\n%s", p.Name, wire, err, said)
	}
}

// Serve makes the program answer calls until the test ends, and gives its address, HOST:PORT.
func (p *Program) Serve(t *testing.T, wire Wire) string {
	t.Helper()
	command := p.start(context.Background(), append([]string{"serve", "127.0.0.1", "0"}, wire.arguments()...)...)
	// The program ends with its standard input, also where this process dies.
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	command.Stderr = &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		input.Close()
		io.Copy(io.Discard, output)
		command.Wait()
	})
	port, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		input.Close()
		command.Wait()
		t.Fatalf("%s over %s does not serve: %v\n%s", p.Name, wire, err, said.String())
	}
	return net.JoinHostPort("127.0.0.1", strings.TrimSpace(port))
}

// here is the folder of this package, and below is a path in module hone/go.
func here() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}

func below(path string) string { return filepath.Join(here(), "../..", path) }
