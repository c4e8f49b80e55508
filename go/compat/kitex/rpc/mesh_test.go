package rpc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/remote"
	"github.com/cloudwego/kitex/server"
	"github.com/cloudwego/kitex/transport"

	"hone/go/compat/kitex/ours/shop/api"
	"hone/go/compat/kitex/ours/shop/base"
	"hone/go/compat/kitex/shop"
	"hone/go/rpc"
)

// mesh is a running hone-mesh.
type mesh struct {
	front, admin string
	process      *exec.Cmd
	ended        chan error
}

var listens = regexp.MustCompile(`(\w+) listens on (\S+)`)

// startMesh runs the command that HONE_MESH names, with routes and clusters of Thrift, until the test ends.
func startMesh(t *testing.T, routes, clusters string) *mesh {
	t.Helper()
	command := os.Getenv("HONE_MESH")
	if command == "" {
		t.Skip("HONE_MESH does not name a hone-mesh: mesh/tests/peers does")
	}
	config := filepath.Join(t.TempDir(), "mesh.yaml")
	text := "workers: 2\nadmin: 127.0.0.1:0\ndrain_timeout: 10s\nlisteners:\n  - name: front\n    address: 127.0.0.1:0\n    protocol: thrift\n" +
		"    routes:\n" + routes + "clusters:\n" + clusters
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m := &mesh{process: exec.Command(command, "run", config), ended: make(chan error, 1)}
	said, err := m.process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.process.Start(); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	lines := bufio.NewScanner(said)
	for lines.Scan() && !strings.Contains(lines.Text(), "ready") {
		fmt.Fprintln(&all, lines.Text())
		for _, found := range listens.FindAllStringSubmatch(lines.Text(), -1) {
			if found[1] == "front" {
				m.front = found[2]
			} else {
				m.admin = found[2]
			}
		}
	}
	go func() {
		io.Copy(&all, said)
		m.ended <- m.process.Wait()
	}()
	t.Cleanup(func() {
		m.process.Process.Signal(syscall.SIGTERM)
		if err := <-m.ended; err != nil {
			t.Errorf("hone-mesh: %v\n%s", err, all.String())
		}
	})
	if m.front == "" {
		t.Fatalf("hone-mesh does not listen:\n%s", all.String())
	}
	return m
}

// metric returns the sum of a metric over all its labels that contain a text.
func (m *mesh) metric(t *testing.T, name, label string) (sum float64) {
	t.Helper()
	answer, err := http.Get("http://" + m.admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		var value float64
		line := lines.Text()
		if !strings.HasPrefix(line, name+"{") || !strings.Contains(line, label) {
			continue
		}
		if _, err := fmt.Sscan(line[strings.LastIndexByte(line, ' ')+1:], &value); err != nil {
			t.Fatal(line, err)
		}
		sum += value
	}
	return sum
}

const toBack = "      - to: back\n"

func back(more string, addresses ...string) string {
	return fmt.Sprintf("  - {name: back, endpoints: [\"%s\"], %s}\n", strings.Join(addresses, `", "`), more)
}

// behind holds the ways from the mesh to a server, each with the servers that support it.
var behind = []struct {
	name, more string
	kitex      []server.Option
	isOurs     bool
}{
	{name: "kitex framed", more: "protocol: framed"},
	{name: "kitex one after the other", more: "protocol: ttheader"},
	{name: "kitex mux", more: "protocol: ttheader, limits: {calls: 100}", kitex: []server.Option{server.WithMuxTransport()}},
	{name: "ours framed", more: "protocol: framed", isOurs: true},
	{name: "ours shared", more: "protocol: ttheader, limits: {calls: 100}", isOurs: true},
}

func TestCallsGoThroughTheMesh(t *testing.T) {
	for _, way := range behind {
		t.Run(way.name, func(t *testing.T) {
			handlers := services{"Shop": shop.NewHandler()}
			var address string
			if way.isOurs {
				address, _ = serve(t, handlers)
			} else {
				address, _ = serveKitex(t, handlers, way.kitex...)
			}
			front := startMesh(t, toBack, back(way.more, address)).front
			for name, options := range shop.Wires {
				if name == "buffered" {
					continue
				}
				t.Run("kitex's client "+name, func(t *testing.T) {
					caller := dialKitex(t, "Shop", front, options...)
					if err := errors.Join(shop.CallAll(caller), shop.CallAtOnce(caller, 20, 20)); err != nil {
						t.Fatal(err)
					}
					_, err := api.NewShopClient(caller).Find(background, -2, &base.Context{})
					expectKitexException(t, err, remote.InternalError, "the shelf fell over")
				})
			}
			wires := []rpc.Wire{rpc.TTHeader, rpc.TTHeaderFramed, rpc.Framed}
			if way.isOurs {
				wires = append(wires, rpc.TTHeaderCompact, rpc.FramedCompact)
			}
			for _, wire := range wires {
				t.Run("our client "+wire.String(), func(t *testing.T) {
					caller := dial(t, front, wire)
					if err := errors.Join(shop.CallAll(caller), shop.CallAtOnce(caller, 20, 20)); err != nil {
						t.Fatal(err)
					}
				})
			}
		})
	}
}

func TestTheMeshRefusesMessagesWithoutALength(t *testing.T) {
	address, _ := serve(t, services{"Shop": shop.NewHandler()})
	m := startMesh(t, toBack, back("protocol: framed", address))
	if _, err := api.NewShopClient(dial(t, m.front, rpc.Buffered)).Alive(background); err == nil {
		t.Fatal("there is an answer")
	}
	if refused := m.metric(t, "hone_mesh_requests_refused_total", "front"); refused < 1 {
		t.Fatal("the mesh has counted no refusal:", refused)
	}
}

// serveShop answers calls of a shop by our server until the test ends.
func serveShop(t *testing.T) (address string, handler *shop.Handler) {
	t.Helper()
	handler = shop.NewHandler()
	address, _ = serve(t, services{"Shop": handler})
	return address, handler
}

func TestTheMeshRoutesByServiceFunctionAndFact(t *testing.T) {
	one, _ := serveShop(t)
	const routes = `      - {match: {path: /Shop/alive, headers: [{name: RPC_TRANSIT_lane, exact: blue}]}, to: back}
      - {match: {path: /Shop/alive}, reply: {status: 503, body: closed for today}}
      - {match: {headers: [{name: ":to-service", exact: elsewhere}]}, reply: {status: 404, body: not here}}
      - {match: {prefix: /Shop}, to: back}
`
	m := startMesh(t, routes, back("protocol: ttheader", one))
	caller := dial(t, m.front, rpc.TTHeader).ForService("Shop")
	ours := api.NewShopClient(caller)
	if alive, err := ours.Alive(rpc.WithMetadata(background, "lane", "blue")); err != nil || !alive {
		t.Fatal("by a fact:", alive, err)
	}
	if _, err := ours.Alive(background); rpc.CodeOf(err) != rpc.Internal || !strings.Contains(err.Error(), "closed for today") {
		t.Fatal("without it:", err)
	}
	if _, err := ours.Find(background, 1, &base.Context{}); err != nil {
		t.Fatal("by the service:", err)
	}
	// Without a service's name no route matches the call.
	bare := api.NewShopClient(dial(t, m.front, rpc.Framed))
	if _, err := bare.Find(background, 1, &base.Context{}); rpc.CodeOf(err) != rpc.Unimplemented {
		t.Fatal("without a name:", err)
	}
	kitex := dialKitex(t, "Shop", m.front, client.WithDestService("elsewhere"), client.WithTransportProtocol(transport.TTHeader))
	_, err := api.NewShopClient(kitex).Find(background, 1, &base.Context{})
	expectKitexException(t, err, remote.UnknownMethod, "not here")
}

func TestTheMeshCallsAnotherEndpointWhereOneIsDead(t *testing.T) {
	alive, _ := serveShop(t)
	dead := listen(t)
	dead.Close()
	m := startMesh(t, toBack, back("protocol: ttheader", dead.Addr().String(), alive))
	client := api.NewShopClient(dial(t, m.front, rpc.TTHeader))
	for range 20 {
		if _, err := client.Alive(background); err != nil {
			t.Fatal(err)
		}
	}
	if retries := m.metric(t, "hone_mesh_upstream_retries_total", "back"); retries < 1 {
		t.Fatal("nothing was tried again:", retries)
	}
	none := startMesh(t, toBack, back("protocol: framed", dead.Addr().String()))
	_, err := api.NewShopClient(dialKitex(t, "Shop", none.front, shop.Wires["framed"]...)).Alive(background)
	expectKitexException(t, err, remote.InternalError, "Service Unavailable")
}

func TestTheMeshKeepsToACallsOwnTime(t *testing.T) {
	// The server accepts connections and writes nothing.
	quiet := listen(t)
	go func() {
		for {
			conn, err := quiet.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
		}
	}()
	t.Cleanup(func() { quiet.Close() })
	m := startMesh(t, toBack, back("protocol: ttheader", quiet.Addr().String()))
	// A call that may take 200 ms (number 12). Clients go away at that very time.
	conn, err := net.Dial("tcp", m.front)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const call = "\x00\x00\x00\x2c\x10\x00\x00\x00\x00\x00\x00\x07\x00\x04\x00\x00\x10\x00\x01\x00\x0c\x00\x03200\x00\x00\x00\x00" +
		"\x80\x01\x00\x01\x00\x00\x00\x05alive\x00\x00\x00\x07\x00"
	if _, err := io.WriteString(conn, call); err != nil {
		t.Fatal(err)
	}
	conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	answer := make([]byte, 1000)
	n, err := conn.Read(answer)
	if err != nil || !strings.Contains(string(answer[:n]), "Gateway Timeout") {
		t.Fatalf("%q %v", answer[:n], err)
	}
	if timeouts := m.metric(t, "hone_mesh_upstream_timeouts_total", "back"); timeouts != 1 {
		t.Fatal(timeouts)
	}
}

func TestTheMeshAnswersWhatIsUnderWayWhenItEnds(t *testing.T) {
	for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.Framed} {
		t.Run(wire.String(), func(t *testing.T) {
			address, handler := serveShop(t)
			m := startMesh(t, toBack, back("protocol: ttheader", address))
			answered := make(chan error, 1)
			client := api.NewShopClient(dial(t, m.front, wire))
			go func() {
				answered <- client.Nothing(background)
			}()
			<-handler.Entered
			m.process.Process.Signal(syscall.SIGTERM)
			close(handler.Release)
			if err := <-answered; err != nil {
				t.Fatal(err)
			}
		})
	}
}
