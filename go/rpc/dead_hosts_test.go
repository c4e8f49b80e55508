package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"hone/go/internal/greeter"
	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
	"hone/go/rpc/policy/breaker"
	"hone/go/rpc/policy/outlier"
	"hone/go/rpc/policy/retry"
	"hone/go/rpc/resolve"
)

// fault is the kind of fault that a host has.
type fault uint8

const (
	healthy fault = iota
	// refuses hosts run, and nothing listens on them.
	refuses
	// drops hosts are off: nothing comes back.
	drops
	// isSilent hosts take connections, and never answer.
	isSilent
)

func (f fault) String() string { return [...]string{"healthy", "refuses", "drops", "is silent"}[f] }

// fleet is the hosts of one service. All healthy hosts are one server.
type fleet struct {
	server *rpc.Server
	at     string
	mu     sync.Mutex
	faults map[string]fault
	dials  atomic.Int64
	// reached is closed when something has come to a host that is silent.
	reached     chan struct{}
	reachedOnce sync.Once
	client      *rpc.Client
	call        func(context.Context) error
}

// hostNames returns the addresses of hosts.
func hostNames(first, count int) (names []string) {
	for n := range count {
		names = append(names, fmt.Sprintf("10.0.0.%d:9090", first+n))
	}
	return names
}

// setFleet makes a fleet with a client; the first hosts have a fault.
func setFleet(t *testing.T, wire rpc.Wire, policies rpc.Policies, hosts, faulty int, wrong fault) *fleet {
	t.Helper()
	f := &fleet{server: rpc.NewServer(), at: filepath.Join(t.TempDir(), "s"), faults: map[string]fault{}, reached: make(chan struct{})}
	api.RegisterShop(f.server, newShop())
	greeter.RegisterGreeter(f.server, &polite{})
	listener, err := rpc.Listen("unix://" + f.at)
	if err != nil {
		t.Fatal(err)
	}
	go f.server.Serve(listener)
	t.Cleanup(f.server.Close)
	names := hostNames(1, hosts)
	for _, name := range names[:faulty] {
		f.faults[name] = wrong
	}
	f.client = rpc.Dial("tcp://" + strings.Join(names, ",tcp://"))
	f.client.Wire, f.client.Policies, f.client.DialContext = wire, policies, f.dial
	f.call = callOf(f.client)
	t.Cleanup(func() { f.client.Close() })
	return f
}

// callOf returns a function that makes a call over the client's wire.
func callOf(client *rpc.Client) func(context.Context) error {
	if client.Wire == rpc.GRPC {
		polite := greeter.NewGreeterClient(client)
		return func(ctx context.Context) error {
			_, err := polite.Hello(ctx, &greeter.HelloRequest{Name: "Ada"})
			return err
		}
	}
	shopper := api.NewShopClient(client)
	return func(ctx context.Context) error {
		_, err := shopper.Find(ctx, 1, nil)
		return err
	}
}

func (f *fleet) dial(ctx context.Context, _, address string) (net.Conn, error) {
	f.dials.Add(1)
	f.mu.Lock()
	wrong := f.faults[address]
	f.mu.Unlock()
	switch wrong {
	case refuses:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	case drops:
		<-ctx.Done()
		return nil, ctx.Err()
	case isSilent:
		ours, theirs := net.Pipe()
		go func() {
			theirs.Read(make([]byte, 1))
			f.reachedOnce.Do(func() { close(f.reached) })
			io.Copy(io.Discard, theirs)
		}()
		return ours, nil
	}
	return new(net.Dialer).DialContext(ctx, "unix", f.at)
}

func (f *fleet) set(wrong fault, names ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range names {
		f.faults[name] = wrong
	}
}

// failures makes calls from several callers, and counts the calls that fail.
func (f *fleet) failures(t *testing.T, calls int) (failed int64, last error) {
	t.Helper()
	const callers = 4
	var count atomic.Int64
	var why atomic.Value
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range calls / callers {
				if err := f.call(within(t, testPatience)); err != nil {
					count.Add(1)
					why.Store(err)
				}
			}
		})
	}
	all.Wait()
	last, _ = why.Load().(error)
	return count.Load(), last
}

// allBalances are the ways to choose an instance, by name.
var allBalances = map[string]rpc.Balance{"least requests": rpc.LeastRequests, "round robin": rpc.RoundRobin, "random": rpc.Random, "consistent hash": rpc.ConsistentHash}

// deadWires are wires of each kind.
var deadWires = []rpc.Wire{rpc.TTHeader, rpc.Framed, rpc.BufferedCompact, rpc.GRPC}

func TestNoCallFailsOrWaitsForHostsThatAreDown(t *testing.T) {
	for _, wire := range deadWires {
		for name, balance := range allBalances {
			for _, wrong := range []fault{refuses, drops} {
				for _, faulty := range []int{1, 3, 5, 9} {
					t.Run(fmt.Sprintf("%s/%s/%d %s", wire, name, faulty, wrong), func(t *testing.T) {
						// There is no second attempt, and a call that waited for a connection to a faulty host would wait longer than the test may
						// take.
						f := setFleet(t, wire, rpc.Policies{Balance: balance, Retry: retry.Policy{Attempts: 1}}, 10, faulty, wrong)
						f.client.ConnectTimeout = time.Hour
						if failed, err := f.failures(t, 200); failed > 0 {
							t.Fatalf("%d calls failed, the last one by %v", failed, err)
						}
					})
				}
			}
		}
	}
}

func TestNoCallFailsByHostsThatAreDownWhateverThePoliciesAre(t *testing.T) {
	for name, policies := range map[string]rpc.Policies{
		"breaker":         {Breaker: &breaker.Options{Consecutive: 3}},
		"service breaker": {ServiceBreaker: &breaker.Options{Consecutive: 3}},
		"outlier":         {Outlier: &outlier.Options{}},
		"backup":          {IsIdempotent: func(_, _ string) bool { return true }, Backup: &retry.HedgeOptions{Delay: time.Nanosecond, Share: 1}},
		"wait for ready":  {WaitForReady: true},
		"probe":           {ProbeNew: true},
		"no panic":        {PanicThreshold: -1},
	} {
		for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.GRPC} {
			t.Run(name+"/"+wire.String(), func(t *testing.T) {
				f := setFleet(t, wire, policies, 10, 6, refuses)
				f.set(drops, hostNames(1, 3)...)
				if failed, err := f.failures(t, 200); failed > 0 {
					t.Fatalf("%d calls failed, the last one by %v", failed, err)
				}
			})
		}
	}
}

func TestNoCallGoesToAHostOfGRPCThatTakesConnectionsAndNeverAnswers(t *testing.T) {
	for name, balance := range allBalances {
		t.Run(name, func(t *testing.T) {
			f := setFleet(t, rpc.GRPC, rpc.Policies{Balance: balance, Retry: retry.Policy{Attempts: 1}}, 10, 5, isSilent)
			f.client.ConnectTimeout = time.Hour
			if failed, err := f.failures(t, 200); failed > 0 {
				t.Fatalf("%d calls failed, the last one by %v", failed, err)
			}
		})
	}
}

func TestNoCallGoesToAHostThatDoesNotAnswerItsProbe(t *testing.T) {
	for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.Framed, rpc.Buffered, rpc.BufferedCompact} {
		t.Run(wire.String(), func(t *testing.T) {
			f := setFleet(t, wire, rpc.Policies{Balance: rpc.RoundRobin, ProbeNew: true}, 10, 5, isSilent)
			f.client.ConnectTimeout = time.Hour
			if failed, err := f.failures(t, 200); failed > 0 {
				t.Fatalf("%d calls failed, the last one by %v", failed, err)
			}
		})
	}
}

// expiring is a context whose deadline passes when a test says so.
type expiring struct {
	context.Context
	done chan struct{}
}

func (e expiring) Done() <-chan struct{} { return e.done }

func (e expiring) Err() error {
	select {
	case <-e.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestAHostThatFallsSilentGetsNoMoreCallsUntilItAnswersAProbe(t *testing.T) {
	for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.Framed, rpc.BufferedCompact} {
		t.Run(wire.String(), func(t *testing.T) {
			f := setFleet(t, wire, rpc.Policies{Balance: rpc.RoundRobin, Retry: retry.Policy{Attempts: 1}}, 2, 1, isSilent)
			f.client.ConnectTimeout = time.Hour
			first := expiring{background, f.reached}
			err := f.call(first)
			for late := within(t, testPatience); err == nil && late.Err() == nil; {
				err = f.call(first)
			}
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal("no call has gone to the host that is silent:", err)
			}
			// A call to the silent host would take longer than the test may.
			if failed, err := f.failures(t, 100); failed > 0 {
				t.Fatal(err)
			}
		})
	}
}

func TestTheFirstCallsWaitForAConnectionAndFailIfNoneCanBeMade(t *testing.T) {
	for _, wire := range deadWires {
		f := setFleet(t, wire, rpc.Policies{}, 10, 10, refuses)
		var own *rpc.Error
		if err := f.call(within(t, testPatience)); rpc.CodeOf(err) != rpc.Unavailable || !errors.As(err, &own) || own.Stage != rpc.Connecting || own.Address == "" {
			t.Fatal(wire, err)
		}
		f.set(healthy, hostNames(1, 1)...)
		for late := within(t, testPatience); f.call(late) != nil; {
			if late.Err() != nil {
				t.Fatal("a host that is back gets no calls")
			}
		}
	}
}

func TestACallThatWaitsUntilItsServiceIsReadyIsAnsweredOnceAHostIs(t *testing.T) {
	for _, wire := range deadWires {
		for _, wrong := range []fault{refuses, drops} {
			t.Run(wire.String()+"/"+wrong.String(), func(t *testing.T) {
				f := setFleet(t, wire, rpc.Policies{}, 3, 3, wrong)
				f.client.ConnectTimeout = 5 * time.Millisecond
				ctx := rpc.WithWaitForReady(within(t, testPatience), true)
				answered := make(chan error, 1)
				go func() { answered <- f.call(ctx) }()
				for f.dials.Load() < 12 {
					time.Sleep(time.Millisecond)
				}
				select {
				case err := <-answered:
					t.Fatal("it does not wait:", err)
				default:
				}
				f.set(healthy, hostNames(2, 1)...)
				if err := <-answered; err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

func TestACallThatWaitsUntilItsServiceIsReadyEndsWithItsDeadlineAndItsClient(t *testing.T) {
	f := setFleet(t, rpc.TTHeader, rpc.Policies{WaitForReady: true}, 2, 2, refuses)
	err := f.call(within(t, 500*time.Millisecond))
	if !errors.Is(err, context.DeadlineExceeded) || rpc.CodeOf(err) != rpc.DeadlineExceeded || !strings.Contains(err.Error(), "connection refused") {
		t.Fatal(err)
	}
	if err := f.call(rpc.WithWaitForReady(background, false)); rpc.CodeOf(err) != rpc.Unavailable {
		t.Fatal(err)
	}
	answered := make(chan error, 1)
	go func() { answered <- f.call(background) }()
	for before := f.dials.Load(); f.dials.Load() == before; time.Sleep(time.Millisecond) {
	}
	f.client.Close()
	if err := <-answered; !errors.Is(err, rpc.ErrClientClosed) {
		t.Fatal(err)
	}
}

func TestNoCallFailsWhenAllHostsAreReplaced(t *testing.T) {
	for _, wire := range deadWires {
		t.Run(wire.String(), func(t *testing.T) {
			f := setFleet(t, wire, rpc.Policies{Retry: retry.Policy{Attempts: 1}}, 10, 0, healthy)
			updates := make(told)
			f.client.Resolver = updates
			for turn := range 20 {
				first := 1 + turn%2*100
				f.set(refuses, hostNames(first, 3)...)
				updated := make(chan struct{})
				go func() {
					defer close(updated)
					updates <- resolve.Update{Instances: resolve.Addresses(hostNames(first, 10)...)}
				}()
				if failed, err := f.failures(t, 100); failed > 0 {
					t.Fatalf("%d calls failed, the last one by %v", failed, err)
				}
				<-updated
			}
		})
	}
}

func TestNoCallFailsByAddressesOfANameThatAreDead(t *testing.T) {
	for _, wrong := range []fault{refuses, drops} {
		f := setFleet(t, rpc.GRPC, rpc.Policies{Balance: rpc.RoundRobin, Retry: retry.Policy{Attempts: 1}}, 10, 5, wrong)
		f.client.Target, f.client.Resolver, f.client.ConnectTimeout = "shop.example.org:9090", resolve.DNS{Lookup: names{}}, time.Hour
		if failed, err := f.failures(t, 200); failed > 0 {
			t.Fatalf("%d calls failed, the last one by %v", failed, err)
		}
	}
}

// names is a DNS that knows ten addresses of each host.
type names struct{}

func (names) LookupNetIP(context.Context, string, string) (found []netip.Addr, err error) {
	for _, name := range hostNames(1, 10) {
		found = append(found, netip.MustParseAddrPort(name).Addr())
	}
	return found, nil
}

func (names) LookupSRV(context.Context, string, string, string) (string, []*net.SRV, error) {
	return "", nil, errors.New("there are none")
}

func TestNoCallFailsByDeadSocketsOfTheSameMachine(t *testing.T) {
	for _, network := range []string{"unix", "shm"} {
		for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.Framed} {
			t.Run(network+"/"+wire.String(), func(t *testing.T) {
				addresses := network + "://" + filepath.Join(t.TempDir(), "none")
				for i := range 4 {
					address := network + "://" + filepath.Join(t.TempDir(), fmt.Sprint(i))
					one := startCounting(t, address)
					if addresses += "," + address; i < 2 {
						one.leaves()
					}
				}
				client := rpc.Dial(addresses)
				client.Wire, client.Policies = wire, rpc.Policies{Balance: rpc.RoundRobin, Retry: retry.Policy{Attempts: 1}}
				t.Cleanup(func() { client.Close() })
				f := &fleet{client: client, call: callOf(client)}
				if failed, err := f.failures(t, 200); failed > 0 {
					t.Fatalf("%d calls failed, the last one by %v", failed, err)
				}
			})
		}
	}
}

func TestStreamsGoToHostsThatAreUp(t *testing.T) {
	f := setFleet(t, rpc.GRPC, rpc.Policies{Balance: rpc.RoundRobin, Retry: retry.Policy{Attempts: 1}}, 10, 9, drops)
	f.client.ConnectTimeout = time.Hour
	polite := greeter.NewGreeterClient(f.client)
	for range 20 {
		items, err := polite.List(within(t, testPatience), &greeter.ListRequest{Count: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := items.Recv(); err != nil {
			t.Fatal(err)
		}
		if _, err := items.Recv(); err != io.EOF {
			t.Fatal(err)
		}
	}
}

func TestAConnectionThatIsLostIsMadeAnewWithoutACall(t *testing.T) {
	for _, wire := range deadWires {
		f := setFleet(t, wire, rpc.Policies{}, 1, 0, healthy)
		if err := f.call(within(t, testPatience)); err != nil {
			t.Fatal(err)
		}
		before := f.dials.Load()
		f.server.Close()
		for late := within(t, testPatience); f.dials.Load() == before; time.Sleep(time.Millisecond) {
			if late.Err() != nil {
				t.Fatal(wire, "no connection is made")
			}
		}
	}
}

func TestAHostThatIsBackGetsCallsAgain(t *testing.T) {
	f := setFleet(t, rpc.TTHeader, rpc.Policies{Balance: rpc.RoundRobin}, 3, 2, refuses)
	if failed, err := f.failures(t, 20); failed > 0 {
		t.Fatal(err)
	}
	f.set(healthy, hostNames(1, 2)...)
	f.set(drops, hostNames(3, 1)...)
	before := f.dials.Load()
	for late := within(t, testPatience); f.dials.Load() < before+2; time.Sleep(time.Millisecond) {
		if late.Err() != nil {
			t.Fatal("no connection is made")
		}
	}
	if failed, err := f.failures(t, 20); failed > 0 {
		t.Fatal(err)
	}
}
