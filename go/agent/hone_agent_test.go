package agent_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"hone/go/agent"
)

// agentVariable names the environment variable with the hone-agent that the tests run. Without that variable they run agentBuilt, which cargo builds.
const (
	agentVariable = "HONE_AGENT"
	agentBuilt    = "../../target/debug/hone-agent"
)

// runningAgent is a hone-agent, and the back end that the agent sends to.
type runningAgent struct {
	*testing.T
	command *exec.Cmd
	socket  string
	backend *net.TCPListener
}

// startAgent starts a hone-agent, which listens when startAgent returns.
func startAgent(t *testing.T) *runningAgent {
	t.Helper()
	program := os.Getenv(agentVariable)
	if program == "" {
		if _, err := os.Stat(agentBuilt); err != nil {
			t.Skip("skipped: there is no hone-agent; build it by cargo build -p hone-agent-cli, or name one by " + agentVariable)
		}
		program = agentBuilt
	}
	program, err := filepath.Abs(program)
	if err != nil {
		t.Fatal(err)
	}
	backend, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { backend.Close() })
	directory := t.TempDir()
	config := fmt.Sprintf("[aggregate]\ninterval_s = 1\n[[listen]]\naddress = \"unixgram:agent.sock\"\n[[send]]\nformat = \"graphite\"\naddress = %q\n", backend.Addr())
	if err := os.WriteFile(filepath.Join(directory, "agent.toml"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	a := &runningAgent{t, exec.Command(program, "run", "--config", "agent.toml"), filepath.Join(directory, "agent.sock"), backend}
	a.command.Dir = directory
	a.awaitListening()
	return a
}

func (a *runningAgent) awaitListening() {
	a.Helper()
	stderr, err := a.command.StderrPipe()
	if err != nil {
		a.Fatal(err)
	}
	if err := a.command.Start(); err != nil {
		a.Fatal(err)
	}
	// If the agent has ended, this changes nothing.
	a.Cleanup(func() { a.command.Process.Kill() })
	said := bufio.NewReader(stderr)
	for {
		line, err := said.ReadString('\n')
		if err != nil {
			a.Fatalf("hone-agent does not listen: %v", err)
		}
		if strings.Contains(line, "listening at ") {
			break
		}
	}
	go io.Copy(io.Discard, said)
}

// end ends the agent, which then sends the rest of its data, and returns the sum of each series that it sent.
func (a *runningAgent) end() map[string]float64 {
	a.Helper()
	if err := a.command.Process.Signal(syscall.SIGTERM); err != nil {
		a.Fatal(err)
	}
	a.backend.SetDeadline(time.Now().Add(testPatience))
	conn, err := a.backend.Accept()
	if err != nil {
		a.Fatal(err)
	}
	defer conn.Close()
	conn.SetReadDeadline(time.Now().Add(testPatience))
	sums := map[string]float64{}
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		value, err := strconv.ParseFloat(words[1], 64)
		if err != nil {
			a.Fatal(err)
		}
		parts := strings.Split(words[0], ";")
		tags := slices.DeleteFunc(parts[1:], func(tag string) bool { return strings.HasPrefix(tag, "host=") })
		slices.Sort(tags)
		sums[parts[0]+" "+strings.Join(tags, " ")] += value
	}
	if err := lines.Err(); err != nil {
		a.Fatal(err)
	}
	if err := a.command.Wait(); err != nil {
		a.Fatal(err)
	}
	return sums
}

func TestHoneAgentCountsCallsByMethodAndCode(t *testing.T) {
	running := startAgent(t)
	client := newClient(t, running.socket)
	calls := agent.New(client)
	call(t, shop{}, 30, calls)
	call(t, shop{isShut: true}, 20, calls)
	client.Close()
	sums := running.end()
	for _, side := range []string{"server", "client"} {
		for code, want := range map[string]float64{"OK": 30, "Unavailable": 20} {
			tags := "code=" + code + " method=alive service=Shop"
			if got := sums["rpc."+side+".call.count "+tags]; got != want {
				t.Errorf("%v calls of %s %s, not %v: %v", got, side, tags, want, sums)
			}
			if milliseconds := sums["rpc."+side+".call.sum "+tags]; milliseconds <= 0 {
				t.Errorf("calls of %s %s took %v ms: %v", side, tags, milliseconds, sums)
			}
		}
	}
}
