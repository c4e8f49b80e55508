package rpc_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hone/go/internal/greeter"
	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
	"hone/go/shm"
)

// meshProxy is a running hone-mesh that passes calls to one address of shared memory on to another one.
type meshProxy struct {
	process *exec.Cmd
	config  string
	admin   string
	said    strings.Builder
	ended   sync.WaitGroup
}

var adminListens = regexp.MustCompile(`admin listens on (\S+)`)

// startMesh runs the command that HONE_MESH names, until the test ends.
func startMesh(t *testing.T, name, from, to string, wire rpc.Wire) *meshProxy {
	t.Helper()
	protocol, upstream := "thrift", "ttheader"
	if wire == rpc.GRPC {
		protocol, upstream = "http", "http2"
	}
	text := "workers: 2\nadmin: 127.0.0.1:0\nshared_memory: {ring_kb: 64}\nlisteners:\n" +
		fmt.Sprintf("  - {name: in, address: %q, protocol: %s, routes: [{to: up}]}\n", from, protocol) +
		fmt.Sprintf("clusters:\n  - {name: up, endpoints: [%q], protocol: %s, connect_timeout: 120s}\n", to, upstream)
	p := &meshProxy{config: filepath.Join(t.TempDir(), name+".yaml")}
	if err := os.WriteFile(p.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p.start(t)
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("hone-mesh %s: %s", name, p.said.String())
		}
	})
	return p
}

func (p *meshProxy) start(t *testing.T) {
	t.Helper()
	p.process = exec.Command(os.Getenv("HONE_MESH"), "run", p.config)
	p.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	said, err := p.process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.process.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		fmt.Fprintln(&p.said, lines.Text())
		if found := adminListens.FindStringSubmatch(lines.Text()); found != nil {
			p.admin = found[1]
		}
		if strings.Contains(lines.Text(), "ready") {
			p.ended.Go(func() { io.Copy(&p.said, said) })
			return
		}
	}
	t.Fatalf("hone-mesh does not begin: %s", p.said.String())
}

func (p *meshProxy) kill() {
	p.process.Process.Kill()
	p.ended.Wait()
	p.process.Wait()
}

var carried = regexp.MustCompile(`hone_mesh_shared_memory_connections\{carrier="(\w+)"\} (\d+)`)

// carriers returns the number of open connections that go through memory, and of those that go over their sockets.
func (p *meshProxy) carriers(t *testing.T) map[string]int {
	t.Helper()
	answer, err := http.Get("http://" + p.admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, one := range carried.FindAllStringSubmatch(string(text), -1) {
		found[one[1]], _ = strconv.Atoi(one[2])
	}
	return found
}

// mapped returns the number of pieces of shared memory that the process has mapped.
func (p *meshProxy) mapped(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", p.process.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	pieces := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		// A piece may be mapped in parts: the inode says which it is.
		if fields := strings.Fields(line); strings.Contains(line, "/memfd:") {
			pieces[fields[4]] = true
		}
	}
	return len(pieces)
}

// needsMesh skips a test if there is no hone-mesh to run.
func needsMesh(t *testing.T) {
	if os.Getenv("HONE_MESH") == "" {
		t.Skip("HONE_MESH does not name a hone-mesh: mesh/tests/shared does")
	}
}

// hops are the addresses of a server, of the proxy before it, and of the proxy of its clients.
type hops struct{ server, behind, before string }

func newHops(t *testing.T) hops {
	directory := t.TempDir()
	return hops{"shm://" + filepath.Join(directory, "server"), "shm://" + filepath.Join(directory, "behind"), "shm://" + filepath.Join(directory, "before")}
}

func dialMesh(t *testing.T, address string, wire rpc.Wire) *rpc.Client {
	client := rpc.Dial(address)
	client.Wire, client.ConnectTimeout = wire, testPatience
	client.SharedMemory = &shm.Dialer{Patience: testPatience}
	t.Cleanup(func() { client.Close() })
	return client
}

// isLostInMesh reports whether an error may come from the end of any connection of a call. Proxies answer with one exception of Thrift for all that
// fails between them and the server.
func isLostInMesh(err error) bool { return isUnavailable(err) || rpc.CodeOf(err) == rpc.Internal }

func TestMeshPassesOnThroughMemory(t *testing.T) {
	needsMesh(t)
	for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.GRPC} {
		t.Run(fmt.Sprint(wire), func(t *testing.T) {
			at := newHops(t)
			server, shop := sharingServer(), &patterned{shop: newShop()}
			api.RegisterShop(server, shop)
			greeter.RegisterGreeter(server, &polite{})
			listener, err := rpc.Listen(at.server)
			if err != nil {
				t.Fatal(err)
			}
			go server.Serve(listener)
			defer server.Close()
			proxies := []*meshProxy{startMesh(t, "behind", at.behind, at.server, wire), startMesh(t, "before", at.before, at.behind, wire)}
			client := dialMesh(t, at.before, wire)
			call := func(ctx context.Context, size api.ItemID) error {
				return findChecked(ctx, api.NewShopClient(client), size)
			}
			if wire == rpc.GRPC {
				call = func(ctx context.Context, size api.ItemID) error {
					name := string(pattern(size, 1)) + "!"
					reply, err := greeter.NewGreeterClient(client).Hello(ctx, &greeter.HelloRequest{Name: name})
					if err == nil && reply.Text != "Hello, "+name {
						return errWrong
					}
					return err
				}
			}
			var callers sync.WaitGroup
			for range 4 {
				for _, size := range killSizes {
					if wire == rpc.GRPC {
						// The name is sent in a header, too, so it must be short.
						size = min(size, 4<<10)
					}
					callers.Go(func() {
						for range 20 {
							if err := call(within(t, testPatience), size); err != nil {
								t.Errorf("a call of %d bytes: %v", size, err)
								return
							}
						}
					})
				}
			}
			callers.Wait()
			if wrong := shop.wrong.Load(); wrong != 0 {
				t.Errorf("%d requests were others than were sent", wrong)
			}
			for _, one := range proxies {
				if got := one.carriers(t); got["memory"] < 2 || got["socket"] != 0 {
					t.Errorf("%s: connections are carried by %v", one.config, got)
				}
			}
		})
	}
}

// Whichever of four processes is killed, calls end with an error or with the right answer, and calls succeed again once the process has been started
// again.
func TestMeshSurvivesWhoeverIsKilled(t *testing.T) {
	needsMesh(t)
	at := newHops(t)
	server := startChild(t, "server", at.server)
	server.begin(t)
	proxies := []*meshProxy{startMesh(t, "behind", at.behind, at.server, rpc.TTHeader), startMesh(t, "before", at.before, at.behind, rpc.TTHeader)}
	shopper := api.NewShopClient(dialMesh(t, at.before, rpc.TTHeader))
	random := killMoments()
	for n := range kills() {
		// In the second half the proxies stay alive, so that resources that they do not give back would add up.
		victim := n % 4
		if n > kills()/2 && (victim == 1 || victim == 2) {
			victim = 3 * (n % 2)
		}
		var other *child
		if victim == 3 {
			other = startChild(t, "client", at.before)
			other.begin(t)
			anyMoment(random)
			other.kill()
		} else {
			calls := callUntilLost(t, shopper, isLostInMesh)
			anyMoment(random)
			switch victim {
			case 0:
				server.kill()
				calls.Wait()
				server = startChild(t, "server", at.server)
				server.begin(t)
			default:
				proxies[victim-1].kill()
				calls.Wait()
				proxies[victim-1].start(t)
			}
		}
		for late := time.Now().Add(testPatience); ; {
			err := findChecked(within(t, testPatience), shopper, 100)
			if err == nil {
				break
			}
			if !isLostInMesh(err) || time.Now().After(late) {
				t.Fatalf("after kill %d, of %d: %v", n, victim, err)
			}
		}
	}
	for _, one := range proxies {
		carriers := one.carriers(t)
		if carriers["memory"] < 2 {
			t.Errorf("%s: connections are carried by %v in the end", one.config, carriers)
		}
		// Each connection has a segment, and perhaps a page of notices. The memory of ended connections is given back when the next one begins or ends.
		if got := one.mapped(t); got > 2*carriers["memory"]+8 {
			t.Errorf("%s: %d pieces of memory are mapped after %d kills, for connections of %v", one.config, got, kills(), carriers)
		}
	}
}
