// Package peers runs programs that call services, and answer calls, with other Thrift libraries. It is for tests of package rpc.
//
// All programs serve and call the service Shop of idl/testdata/shop.thrift in the same way: the answer of a function follows from its arguments, and
// a calling program checks each answer by itself. The tests of a program that cannot be built here are skipped.
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

// Wire is the name by which a program knows a wire format.
//
// For Apache's programs it is PROTOCOL-TRANSPORT-NAMES. PROTOCOL is binary; old, the Binary protocol with messages that begin without a version, as
// programs before Thrift 0.2 wrote them; or compact. TRANSPORT is framed or buffered. NAMES is plain, or multiplexed if functions are named with
// their service, as by TMultiplexedProtocol.
type Wire string

// IsCompact reports whether messages are in the Compact protocol.
func (w Wire) IsCompact() bool { return strings.HasPrefix(string(w), "compact-") }

// IsFramed reports whether a length stands before messages.
func (w Wire) IsFramed() bool { return strings.Contains(string(w), "-framed-") }

// IsMultiplexed reports whether functions are named with their service.
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

// Program is a program that uses another library.
type Program struct {
	Name string
	// Wires are all wires that the program knows.
	Wires     []Wire
	command   []string
	variables []string
}

// ApacheInGo returns the program of Apache's library for Go, or logs why it cannot be built here.
func ApacheInGo(t *testing.T) []*Program {
	t.Helper()
	return made(t, apacheGo)
}

// ApacheInOthers returns the programs of Apache's libraries for Python and C++ that can be built here, and logs why others cannot.
func ApacheInOthers(t *testing.T) []*Program {
	t.Helper()
	return made(t, python, cpp)
}

// Kitex returns a program of Kitex's client, which does not serve, or logs why it cannot be built here.
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

// callTimeout is the time limit for all calls of a program, on a busy machine too.
const callTimeout = 4 * time.Minute

func (p *Program) start(ctx context.Context, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, p.command[0], append(p.command[1:len(p.command):len(p.command)], arguments...)...)
	command.Env = append(os.Environ(), p.variables...)
	return command
}

// Call makes the program call each function at an address, HOST:PORT. It fails the test if the program reports a wrong answer.
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

// Serve makes the program answer calls until the test ends, and returns its address, HOST:PORT.
func (p *Program) Serve(t *testing.T, wire Wire) string {
	t.Helper()
	command := p.start(context.Background(), "serve", "127.0.0.1", "0", string(wire))
	// The program ends with its standard input, also if this process dies.
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

// here returns the folder of this package, below a path in module hone/go.
func here() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}

func below(path string) string { return filepath.Join(here(), "../..", path) }
