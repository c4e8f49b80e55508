package agent_test

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	agentclient "hone/clients/go"

	"hone/go/agent"
	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
)

var background = context.Background()

// testPatience is the time limit for an event that must happen, on a slow machine too.
const testPatience = 4 * time.Minute

func newClient(t testing.TB, socket string) *agentclient.Client {
	t.Helper()
	client, err := agentclient.New(agentclient.Config{Address: "unixgram:" + socket})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// shop answers Alive, unless it is shut.
type shop struct {
	api.Shop
	isShut bool
}

func (s shop) Alive(context.Context) (bool, error) {
	if s.isShut {
		return false, rpc.Errorf(rpc.Unavailable, "come back tomorrow")
	}
	return true, nil
}

// call calls a shop a number of times, with the interceptor on both sides, and returns when all is measured.
func call(t *testing.T, s shop, times int, calls *agent.Calls) {
	t.Helper()
	address := "unix://" + filepath.Join(t.TempDir(), "s")
	listener, err := rpc.Listen(address)
	if err != nil {
		t.Fatal(err)
	}
	server, client := rpc.NewServer(), rpc.Dial(address)
	// The function is idempotent: each call would be repeated.
	client.Policies.Retry.Attempts = 1
	server.Interceptors, client.Interceptors = []rpc.Interceptor{calls.Intercept}, []rpc.Interceptor{calls.Intercept}
	api.RegisterShop(server, s)
	go server.Serve(listener)
	defer server.Close()
	defer client.Close()
	for range times {
		if _, err := api.NewShopClient(client).Alive(background); (err != nil) != s.isShut {
			t.Fatal(err)
		}
	}
}

// The bytes are those of clients/go: a point is a metric, a number and tags.
func TestCallsComeToTheSocketOfAnAgent(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "agent.sock")
	listener, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client := newClient(t, socket)
	calls := agent.New(client)
	call(t, shop{}, 3, calls)
	call(t, shop{isShut: true}, 2, calls)
	client.Close()
	listener.SetReadDeadline(time.Now().Add(testPatience))
	points, packet := map[string]int{}, make([]byte, 65536)
	for want := client.Counts().Packets; want > 0; want-- {
		n, err := listener.Read(packet)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []string{"server", "client"} {
			for _, point := range strings.Split(string(packet[:n]), "rpc."+side+".call")[1:] {
				for _, code := range []string{"OK", "Unavailable"} {
					if tags := "service=Shop|method=alive|code=" + code; strings.Contains(point[:min(len(point), 100)], tags) {
						points[side+" "+code]++
					}
				}
			}
		}
	}
	for series, want := range map[string]int{"server OK": 3, "client OK": 3, "server Unavailable": 2, "client Unavailable": 2} {
		if points[series] != want {
			t.Errorf("%d points of %s, not %d", points[series], series, want)
		}
	}
}

func TestACallIsMeasuredWithoutAnAllocation(t *testing.T) {
	client := newClient(t, filepath.Join(t.TempDir(), "nobody.sock"))
	calls := agent.New(client)
	call := &rpc.Call{Side: rpc.ServerSide, Service: "Shop", Method: "alive"}
	next := func(context.Context) error { return nil }
	if n := testing.AllocsPerRun(100, func() { calls.Intercept(background, call, next) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestACallWithANameThatTheAgentCannotTakeIsCountedAsDropped(t *testing.T) {
	client := newClient(t, filepath.Join(t.TempDir(), "nobody.sock"))
	calls := agent.New(client)
	calls.Intercept(background, &rpc.Call{Method: "with a space"}, func(context.Context) error { return nil })
	calls.Intercept(background, &rpc.Call{Method: "plain"}, func(context.Context) error { return nil })
	if counts := client.Counts(); counts.DroppedFor[agentclient.ReasonSeries] != 1 || counts.Waiting != 1 {
		t.Errorf("%+v", counts)
	}
}

func BenchmarkIntercept(b *testing.B) {
	client := newClient(b, filepath.Join(b.TempDir(), "nobody.sock"))
	calls := agent.New(client)
	call := &rpc.Call{Side: rpc.ServerSide, Service: "Shop", Method: "alive"}
	next := func(context.Context) error { return nil }
	b.ReportAllocs()
	for b.Loop() {
		calls.Intercept(background, call, next)
	}
}
