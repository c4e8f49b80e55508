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

// Wire is how a program speaks over a connection, by the name that it knows.
//
// For Apache's programs it is PROTOCOL-TRANSPORT-NAMES. PROTOCOL is binary; old, which is Binary whose messages begin without a version, as
// programs before Thrift 0.2 wrote them; or compact. TRANSPORT is framed or buffered. NAMES is plain, or multiplexed where functions are
// named with their service, as by TMultiplexedProtocol.
type Wire string

// IsCompact is whether messages are in the Compact protocol.
func (w Wire) IsCompact() bool { return strings.HasPrefix(string(w), "compact-") }

// IsFramed is whether a length stands before messages.
func (w Wire) IsFramed() bool { return strings.Contains(string(w), "-framed-") }

// IsMultiplexed is whether functions are named with their service.
func (w Wire) IsMultiplexed() bool { return strings.HasSuffix(string(w), "-multiplexed") }

func apacheWires() []Wire {
	var all []Wire
	for _, protocol := range []string{"binary", "old", "compact"} {
		for _, transport := range []string{"framed", "buffered"} {
			for _, names := range []string{"plain", "multiplexed"} {
				all = append(all, Wire(protocol+"-"+transport+"-"+names))
			}
		}
	}
	return all
}

// Program is a program that speaks by another library.
type Program struct {
	Name string
	// Wires are all that it speaks.
	Wires     []Wire
	command   []string
	variables []string
}

// ApacheInGo makes the program of Apache's library for Go, or tells that it cannot be made here.
func ApacheInGo(t *testing.T) []*Program {
	t.Helper()
	return made(t, apacheGo)
}

// ApacheInOthers makes those of Apache's libraries for Python and C++ that can be made here, and tells of those that cannot.
func ApacheInOthers(t *testing.T) []*Program {
	t.Helper()
	return made(t, python, cpp)
}

// Kitex makes a program of Kitex's client, which does not serve, or tells that it cannot be made here.
func Kitex(t *testing.T) []*Program {
	t.Helper()
	return made(t, kitex)
}

func made(t *testing.T, makers ...func(*testing.T) (*Program, string)) []*Program {
	t.Helper()
	var all []*Program
	for _, make := range makers {
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
const callTimeout = 4 * time.Minute

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
	command := p.start(ctx, "call", host, port, string(wire))
	if said, err := command.CombinedOutput(); err != nil {
		t.Errorf("%s over %s: %v\n%s", p.Name, wire, err, said)
	}
}

// Serve makes the program answer calls until the test ends, and gives its address, HOST:PORT.
func (p *Program) Serve(t *testing.T, wire Wire) string {
	t.Helper()
	command := p.start(context.Background(), "serve", "127.0.0.1", "0", string(wire))
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
