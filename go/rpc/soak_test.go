package rpc_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hone/go/internal/greeter"
	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/talk"
	"hone/go/internal/wait"
	"hone/go/rpc"
	"hone/go/rpc/policy/breaker"
	"hone/go/rpc/policy/outlier"
	"hone/go/shm"
)

// A soak takes soakTime, or the time in the first variable, such as 1h. The second one names a file that gets a line of JSON for each rest.
const (
	soakTime       = 20 * time.Second
	soakVariable   = "HONE_SOAK"
	reportVariable = "HONE_SOAK_REPORT"
)

// soakRounds is the number of times that everything rests, so that the resources that are held can be counted.
const soakRounds = 10

// mostMore is the number of goroutines and descriptors that a rest may have more than the first rest. Resources that live as long as servers and
// clients, such as workers that wait for calls and connections for streams, are not the same at each rest.
const mostMore = 50

// soaked are servers that come and go, and clients that do everything to them, in one process.
type soaked struct {
	t       *testing.T
	servers [2]*soakedServer
	clients []*soakedClient
	calls   atomic.Int64
	// codes count how calls ended.
	codes [17]atomic.Int64
	// longestNs is the duration of the longest call since the last rest.
	longestNs atomic.Int64
}

// soakedServer runs one server after the other at the same addresses, one of each network.
type soakedServer struct {
	addresses map[string]string
	server    *rpc.Server
	listeners []net.Listener
}

// soakedClient is called throughout the soak.
type soakedClient struct {
	*rpc.Client
	network string
	shop    *api.ShopClient
	greeter *greeter.GreeterClient
	talk    *talk.TalkClient
}

// rest is a count of the resources that are held while nothing happens.
type rest struct {
	Seconds     float64
	Calls       int64
	Codes       map[string]int64
	LongestMs   int64
	HeapBytes   uint64
	Goroutines  int
	Descriptors int
}

func TestASoakLeavesMemoryGoroutinesAndDescriptorsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on a clock")
	}
	lasts := soakTime
	if said := os.Getenv(soakVariable); said != "" {
		var err error
		if lasts, err = time.ParseDuration(said); err != nil {
			t.Fatal(err)
		}
	}
	before, descriptors, began := takeStock(), descriptorsOf(t), time.Now()
	s := newSoaked(t)
	var first rest
	for round := range soakRounds {
		s.round(lasts / soakRounds)
		now := s.rest(began, first)
		report(t, now)
		if round == 0 {
			first = now
		} else if now.HeapBytes > first.HeapBytes+mostKeptBytes {
			t.Errorf("%d bytes are held after %d rounds, and %d after the first", now.HeapBytes, round+1, first.HeapBytes)
		}
	}
	if s.codes[rpc.OK].Load() == 0 {
		t.Error("no call was answered")
	}
	s.end()
	before.expectReturned(t)
	if now := descriptorsOf(t); now > descriptors {
		t.Errorf("%d descriptors are open, and %d before", now, descriptors)
	}
}

func newSoaked(t *testing.T) *soaked {
	s := &soaked{t: t}
	folder := t.TempDir()
	for n := range s.servers {
		s.servers[n] = &soakedServer{addresses: map[string]string{"tcp": "tcp://127.0.0.1:0", "unix": fmt.Sprintf("unix://%s/u%d", folder, n), "shm": fmt.Sprintf("shm://%s/s%d", folder, n)}}
		s.servers[n].begin(t)
	}
	for _, network := range networks {
		for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.Framed, rpc.GRPC} {
			client := rpc.Dial(s.servers[0].addresses[network] + "," + s.servers[1].addresses[network])
			client.Wire, client.MessageBytes, client.Connections = wire, soakedLimit, 1
			client.Policies = rpc.Policies{IsIdempotent: func(string, string) bool { return true }}
			if network == "tcp" {
				client.Policies.Breaker, client.Policies.Outlier = new(breaker.Options), new(outlier.Options)
			}
			s.clients = append(s.clients, &soakedClient{client, network, api.NewShopClient(client), greeter.NewGreeterClient(client), talk.NewTalkClient(client)})
		}
	}
	return s
}

// begin serves at all addresses. That of TCP has its port from the first time on.
func (s *soakedServer) begin(t *testing.T) {
	server := rpc.NewServer()
	server.SharedMemory = &shm.Server{Options: shm.Options{RingBytes: 64 << 10}}
	server.Lost = func(error) {}
	server.WriteTimeout = time.Second
	api.RegisterShop(server, soakedShop{})
	greeter.RegisterGreeter(server, &soakedGreeter{})
	talk.RegisterTalk(server, soakedTalk{})
	for network, address := range s.addresses {
		listener, err := rpc.Listen(address)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.server == nil && network == "tcp" {
			s.addresses[network] = network + "://" + listener.Addr().String()
		}
		s.listeners = append(s.listeners, listener)
		go server.Serve(listener)
	}
	s.server = server
}

// restart ends the server in order, or at once, and begins the next one.
func (s *soakedServer) restart(t *testing.T, inOrder bool) {
	if inOrder {
		ctx, cancel := context.WithTimeout(background, 100*time.Millisecond)
		s.server.Shutdown(ctx)
		cancel()
	}
	s.server.Close()
	// The next restart may come before Serve has begun with the listeners.
	for _, listener := range s.listeners {
		listener.Close()
	}
	s.listeners = nil
	s.begin(t)
}

// round runs all kinds of calls and restarts for some time, and waits until all of them have ended.
func (s *soaked) round(lasts time.Duration) {
	ctx, cancel := context.WithTimeout(background, lasts)
	defer cancel()
	var all sync.WaitGroup
	all.Go(func() {
		for pause(ctx, 2*time.Second) {
			s.servers[rand.IntN(len(s.servers))].restart(s.t, rand.IntN(2) == 0)
		}
	})
	const workers = 4
	for _, client := range s.clients {
		for range workers {
			all.Go(func() {
				for pause(ctx, 10*time.Millisecond) {
					s.one(client)
				}
			})
		}
	}
	ended := make(chan struct{})
	go func() {
		all.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(lasts + testPatience):
		s.t.Fatalf("calls have not ended:\n%s", stacks())
	}
}

// pause waits for a random part of a time; false once the context has ended.
func pause(ctx context.Context, most time.Duration) bool {
	return wait.For(ctx, rand.N(most)) && ctx.Err() == nil
}

// rest waits until at most mostMore more goroutines and descriptors are left than at the first rest, and counts the resources that are held.
func (s *soaked) rest(began time.Time, first rest) rest {
	s.t.Helper()
	for late := time.Now().Add(testPatience); ; wait.For(background, 100*time.Millisecond) {
		stock, descriptors := takeStock(), descriptorsOf(s.t)
		now := rest{time.Since(began).Seconds(), s.calls.Load(), map[string]int64{}, s.longestNs.Load() / 1e6, stock.heap, stock.goroutines, descriptors}
		for code := range s.codes {
			if count := s.codes[code].Load(); count > 0 {
				now.Codes[rpc.Code(code).String()] = count
			}
		}
		if first.Goroutines == 0 || now.Goroutines <= first.Goroutines+mostMore && now.Descriptors <= first.Descriptors+mostMore {
			s.longestNs.Store(0)
			return now
		}
		if time.Now().After(late) {
			s.t.Fatalf("%d goroutines and %d descriptors, and %d and %d at the first rest:\n%s", now.Goroutines, now.Descriptors, first.Goroutines, first.Descriptors, stacks())
		}
	}
}

func (s *soaked) end() {
	for _, client := range s.clients {
		client.Close()
	}
	for _, server := range s.servers {
		server.server.Close()
	}
}

func stacks() string {
	all := make([]byte, 1<<20)
	return string(all[:runtime.Stack(all, true)])
}

// descriptorsOf returns the number of descriptors that this process has; 0 on systems other than Linux.
func descriptorsOf(t *testing.T) int {
	if runtime.GOOS != "linux" {
		return 0
	}
	all, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// report logs the results, and writes them into the file that reportVariable names.
func report(t *testing.T, found any) {
	t.Helper()
	line, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", line)
	if path := os.Getenv(reportVariable); path != "" {
		file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := fmt.Fprintf(file, "%s\n", line); err != nil {
			t.Fatal(err)
		}
	}
}
