package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/rpc"
	"hone/go/rpc/policy/breaker"
	"hone/go/rpc/policy/outlier"
	"hone/go/rpc/policy/retry"
	"hone/go/rpc/resolve"
)

// several are instances of a service, with a client of all of them.
type several struct {
	instances []*counting
	client    *rpc.Client
	shopper   *api.ShopClient
}

// counting is a shop that counts its calls and answers Find as it is told.
type counting struct {
	*shop
	server  *rpc.Server
	address string
	calls   atomic.Int64
	find    atomic.Pointer[func(context.Context) error]
	// gone is closed when the server no longer listens.
	gone chan struct{}
}

func (c *counting) Find(ctx context.Context, id api.ItemID, asked *base.Context) (*api.Item, error) {
	c.calls.Add(1)
	if find := c.find.Load(); find != nil {
		if err := (*find)(ctx); err != nil {
			return nil, err
		}
	}
	return c.shop.Find(ctx, id, asked)
}

// All fails if Find does.
func (c *counting) All(ctx context.Context) (map[string][]*api.Item, error) {
	c.calls.Add(1)
	if find := c.find.Load(); find != nil {
		return nil, (*find)(ctx)
	}
	return c.shop.All(ctx)
}

// answers makes Find return an error, or wait.
func (c *counting) answers(find func(context.Context) error) { c.find.Store(&find) }

// setSeveral makes instances with a client that is connected to all of them, so that the calls that are counted are spread over all.
func setSeveral(t *testing.T, count int, policies rpc.Policies) *several {
	t.Helper()
	s := makeSeveral(t, count, policies)
	s.client.AwaitAttempts()
	return s
}

// makeSeveral makes instances with a client that has not called yet.
func makeSeveral(t *testing.T, count int, policies rpc.Policies) *several {
	t.Helper()
	s := &several{}
	var addresses []string
	for i := range count {
		one := startCounting(t, "unix://"+filepath.Join(t.TempDir(), fmt.Sprint(i)))
		s.instances = append(s.instances, one)
		addresses = append(addresses, one.address)
	}
	s.client = rpc.Dial(strings.Join(addresses, ","))
	s.client.Policies = policies
	s.shopper = api.NewShopClient(s.client)
	t.Cleanup(func() { s.client.Close() })
	return s
}

func startCounting(t *testing.T, address string) *counting {
	t.Helper()
	one := &counting{shop: newShop(), server: rpc.NewServer(), address: address}
	api.RegisterShop(one.server, one)
	one.serve(t)
	return one
}

func (c *counting) serve(t *testing.T) {
	t.Helper()
	listener, err := rpc.Listen(c.address)
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	c.gone = gone
	go func() {
		defer close(gone)
		c.server.Serve(listener)
	}()
	t.Cleanup(c.server.Close)
}

// leaves closes the server, and returns when nobody can connect to it any more.
func (c *counting) leaves() {
	c.server.Close()
	<-c.gone
}

func isFind(_, method string) bool { return method == "find" }

func (s *several) find(ctx context.Context) error {
	_, err := s.shopper.Find(ctx, 1, nil)
	return err
}

func TestACallThatWasNotSentGoesToAnotherInstance(t *testing.T) {
	s := makeSeveral(t, 2, rpc.Policies{Balance: rpc.RoundRobin})
	s.instances[0].leaves()
	for range 20 {
		if err := s.find(background); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOnlyIdempotentCallsAreRepeatedOnceAServerMayHaveBegun(t *testing.T) {
	unavailable := func(context.Context) error { return rpc.Errorf(rpc.Unavailable, "not now") }
	s := setSeveral(t, 3, rpc.Policies{Balance: rpc.RoundRobin})
	for _, one := range s.instances {
		one.answers(unavailable)
	}
	if err := s.find(background); rpc.CodeOf(err) != rpc.Unavailable || s.total() != 1 {
		t.Fatal(s.total(), err)
	}
	s = setSeveral(t, 3, rpc.Policies{Balance: rpc.RoundRobin, IsIdempotent: isFind, Retry: retry.Policy{Base: time.Millisecond}})
	for _, one := range s.instances {
		one.answers(unavailable)
	}
	if err := s.find(background); rpc.CodeOf(err) != rpc.Unavailable || s.total() != 3 {
		t.Fatal(s.total(), err)
	}
	for _, one := range s.instances {
		if one.calls.Load() != 1 {
			t.Fatal("each attempt goes to another instance:", one.calls.Load())
		}
	}
}

func TestFunctionsThatTheDefinitionCallsIdempotentAreRepeated(t *testing.T) {
	// The definition says this of All, but not of Find.
	for _, c := range []struct {
		override func(service, method string) bool
		want     int64
	}{{nil, 3}, {isFind, 1}} {
		s := setSeveral(t, 3, rpc.Policies{Balance: rpc.RoundRobin, IsIdempotent: c.override, Retry: retry.Policy{Base: time.Millisecond}})
		for _, one := range s.instances {
			one.answers(func(context.Context) error { return rpc.Errorf(rpc.Unavailable, "not now") })
		}
		if _, err := s.shopper.All(background); rpc.CodeOf(err) != rpc.Unavailable || s.total() != c.want {
			t.Error(s.total(), err)
		}
	}
}

func (s *several) total() (total int64) {
	for _, one := range s.instances {
		total += one.calls.Load()
	}
	return total
}

func TestWhatTheServerRefusesIsRepeatedElsewhere(t *testing.T) {
	refuses := startLimited(t)
	takes := startCounting(t, "unix://"+filepath.Join(t.TempDir(), "takes"))
	client := rpc.Dial(refuses.address + "," + takes.address)
	client.Policies.Balance = rpc.RoundRobin
	defer client.Close()
	shopper := api.NewShopClient(client)
	// The only place of the first instance is taken.
	go refuses.hold()
	<-refuses.entered
	for range 10 {
		if _, err := shopper.Find(background, 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	if takes.calls.Load() != 10 {
		t.Fatal(takes.calls.Load())
	}
	close(refuses.release)
}

// startLimited starts an instance that answers one call at a time.
func startLimited(t *testing.T) *counting {
	t.Helper()
	one := &counting{shop: newShop(), server: rpc.NewServer(), address: "unix://" + filepath.Join(t.TempDir(), "limited")}
	one.server.Limits.Concurrent = 1
	api.RegisterShop(one.server, one)
	one.serve(t)
	return one
}

// hold takes a place of the server until release is closed.
func (c *counting) hold() {
	client := rpc.Dial(c.address)
	defer client.Close()
	api.NewShopClient(client).Nothing(background)
}

func TestABackupRequestAnswersForASlowInstance(t *testing.T) {
	s := setSeveral(t, 2, rpc.Policies{Balance: rpc.RoundRobin, IsIdempotent: isFind, Backup: &retry.HedgeOptions{Delay: time.Millisecond, Share: 1}})
	given := make(chan struct{}, 100)
	s.instances[0].answers(func(ctx context.Context) error {
		<-ctx.Done()
		given <- struct{}{}
		return ctx.Err()
	})
	for range 6 {
		if item, err := s.shopper.Find(within(t, testPatience), 7, nil); err != nil || item.ID != 7 {
			t.Fatal(item, err)
		}
	}
	if s.instances[1].calls.Load() != 6 {
		t.Fatal(s.instances[1].calls.Load())
	}
}

func TestTheCircuitBreakerOfAnInstancePassesItOver(t *testing.T) {
	s := setSeveral(t, 2, rpc.Policies{Balance: rpc.RoundRobin, Breaker: &breaker.Options{Consecutive: 3, OpenFor: time.Hour}})
	s.instances[0].answers(func(context.Context) error { return rpc.Errorf(rpc.Unavailable, "broken") })
	for range 20 {
		s.find(background)
	}
	if got := s.instances[0].calls.Load(); got != 3 {
		t.Fatal(got)
	}
	for range 10 {
		if err := s.find(background); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDeadlinesThatPassOpenTheCircuitBreakerOfAnInstance(t *testing.T) {
	s := setSeveral(t, 1, rpc.Policies{Breaker: &breaker.Options{Consecutive: 3, OpenFor: time.Hour}})
	entered, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	s.instances[0].answers(func(context.Context) error {
		entered <- struct{}{}
		<-release
		return nil
	})
	for range 3 {
		ctx := expiring{background, make(chan struct{})}
		go func() {
			<-entered
			close(ctx.done)
		}()
		if err := s.find(ctx); rpc.CodeOf(err) != rpc.DeadlineExceeded {
			t.Fatal(err)
		}
	}
	if err := s.find(background); err == nil || !strings.Contains(err.Error(), "the circuit breakers of the instances that were tried are open") {
		t.Fatal(err)
	}
}

func TestTheCircuitBreakerOfTheServiceDropsCallsHere(t *testing.T) {
	s := setSeveral(t, 1, rpc.Policies{ServiceBreaker: &breaker.Options{Consecutive: 3, OpenFor: time.Hour}})
	s.instances[0].answers(func(context.Context) error { return rpc.Errorf(rpc.Unavailable, "broken") })
	for range 10 {
		s.find(background)
	}
	if err := s.find(background); s.total() != 3 || !strings.Contains(err.Error(), "the circuit breaker of the service is open") {
		t.Fatal(s.total(), err)
	}
}

func TestOutliersAreEjected(t *testing.T) {
	s := setSeveral(t, 3, rpc.Policies{Balance: rpc.RoundRobin, Outlier: &outlier.Options{Consecutive: 4, BaseEjection: time.Hour, MaxEjected: 0.5}})
	s.instances[1].answers(func(context.Context) error { return rpc.Errorf(rpc.Unavailable, "broken") })
	for range 60 {
		s.find(background)
	}
	if got := s.instances[1].calls.Load(); got != 4 {
		t.Fatal(got)
	}
}

// told is a resolver that reports the updates of a test.
type told chan resolve.Update

func (c told) Watch(ctx context.Context, service string, tell func(resolve.Update)) error {
	for {
		select {
		case update := <-c:
			tell(update)
		case <-ctx.Done():
			return nil
		}
	}
}

func TestCallsFollowTheResolver(t *testing.T) {
	first := startCounting(t, "unix://"+filepath.Join(t.TempDir(), "1"))
	second := startCounting(t, "unix://"+filepath.Join(t.TempDir(), "2"))
	updates := make(told)
	client := rpc.Dial("shops")
	client.Resolver = updates
	defer client.Close()
	shopper := api.NewShopClient(client)
	if _, err := shopper.Find(within(t, 10*time.Millisecond), 1, nil); rpc.CodeOf(err) != rpc.DeadlineExceeded || !strings.Contains(err.Error(), "finding the service") {
		t.Fatal("a call waits for the first word of the resolver:", err)
	}
	updates <- resolve.Update{Instances: resolve.Addresses(first.address)}
	for range 5 {
		if _, err := shopper.Find(background, 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	updates <- resolve.Update{Instances: resolve.Addresses(second.address)}
	updates <- resolve.Update{Err: errors.New("the registry is away")}
	for range 5 {
		if _, err := shopper.Find(background, 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	if first.calls.Load() != 5 || second.calls.Load() != 5 {
		t.Fatal(first.calls.Load(), second.calls.Load())
	}
}

func TestAConnectionThatTheServerHasClosedIsKnownBeforeTheNextCall(t *testing.T) {
	one := startCounting(t, "unix://"+filepath.Join(t.TempDir(), "s"))
	client := rpc.Dial(one.address)
	client.Policies.Retry.Attempts = 1
	defer client.Close()
	shopper := api.NewShopClient(client)
	for range 20 {
		if _, err := shopper.Find(background, 1, nil); err != nil {
			t.Fatal(err)
		}
		one.server.Shutdown(within(t, testPatience))
		one.server = rpc.NewServer()
		api.RegisterShop(one.server, one)
		one.serve(t)
	}
}

func TestAClientOfNobodySaysSo(t *testing.T) {
	for target, text := range map[string]string{
		"hello":                   `"hello" is no address`,
		"ftp://host:1":            "ftp is not known",
		"unix:///does/not/exist1": "connecting: Unavailable",
	} {
		client := rpc.Dial(target)
		client.Policies.Retry.Attempts = 1
		_, err := api.NewShopClient(client).Find(background, 1, nil)
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Error(target, err)
		}
		client.Close()
	}
	wrong := rpc.Dial("tcp://127.0.0.1:1")
	wrong.Policies.Retry.Attempts = 99
	if _, err := api.NewShopClient(wrong).Find(background, 1, nil); err == nil || !strings.Contains(err.Error(), "99 attempts") {
		t.Error(err)
	}
}

func TestAPortThatSpeaksHTTPIsTold(t *testing.T) {
	s := set(t, "tcp", rpc.TTHeader)
	conn := dial(t, s.address)
	conn.Write([]byte("GET / HTTP/1.1\r\n\r\n"))
	conn.(*net.TCPConn).CloseWrite()
	answer := make([]byte, 1000)
	n, _ := conn.Read(answer)
	if !strings.Contains(string(answer[:n]), "400 Bad Request") {
		t.Fatalf("%q", answer[:n])
	}
}
