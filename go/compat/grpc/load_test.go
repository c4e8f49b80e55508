package grpc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	grpcgo "google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"

	"hone/go/compat/grpc/ours/peer"
	"hone/go/internal/greeter"
	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
)

// atOnce calls run count times at once, and returns the first error.
func atOnce(count int, run func(i int) error) error {
	errs := make(chan error, count)
	for i := range count {
		go func() { errs <- run(i) }()
	}
	var first error
	for range count {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return first
}

// exchange makes a call, or an exchange by a stream, whose messages are larger than all buffers.
func exchange(ctx context.Context, c client, i int) error {
	text := strings.Repeat("x", 20_000+i)
	if i%4 != 0 {
		got, _, _, err := c.hello(ctx, text)
		if err == nil && got != "Hello, "+text {
			err = errors.New("another text came back")
		}
		return err
	}
	stream, err := c.chat(ctx)
	if err != nil {
		return err
	}
	for range 3 {
		if err := stream.Send(&greeter.Note{Text: text}); err != nil {
			return err
		}
		note, err := stream.Recv()
		if err != nil {
			return err
		}
		if note.Text != text {
			return errors.New("another note came back")
		}
	}
	return stream.CloseSend()
}

// Clients of grpc-go have hung in such places: https://github.com/grpc/grpc-go/issues/9330.
func TestManyCallsAtOnceOverTinyBuffersEnd(t *testing.T) {
	for _, count := range []int{512, 2048} {
		for _, network := range []string{"unix", "tcp"} {
			buffer := 4096
			if network == "tcp" {
				// The kernel waits for timers where a smaller one is full.
				buffer = 64 << 10
			}
			t.Run(fmt.Sprint(count, " over ", network), func(t *testing.T) {
				s := setting{network: network, buffer: buffer}
				eachDirection(t, s, func(t *testing.T, _ *world, c client) {
					ctx := within(t, 5*patience)
					if err := atOnce(count, func(i int) error { return exchange(ctx, c, i) }); err != nil {
						t.Fatal(err)
					}
				})
			})
		}
	}
}

// load makes calls until it is stopped, or one fails.
type load struct {
	*testing.T
	calls atomic.Int64
	ends  atomic.Bool
	ended chan struct{}
	err   error
}

func underLoad(t *testing.T, c client) *load {
	t.Helper()
	l := &load{T: t, ended: make(chan struct{})}
	go func() {
		defer close(l.ended)
		l.err = atOnce(50, func(int) error {
			for !l.ends.Load() {
				if _, _, _, err := c.hello(background, fmt.Sprint(l.calls.Add(1))); err != nil {
					l.ends.Store(true)
					return err
				}
			}
			return nil
		})
	}()
	return l
}

// await waits until the given number of further calls have been made.
func (l *load) await(more int64) {
	l.Helper()
	await(l.T, &l.calls, more, l.ends.Load)
}

// stop stops the load, and fails the test if a call has failed.
func (l *load) stop() {
	l.Helper()
	l.ends.Store(true)
	<-l.ended
	if l.err != nil {
		l.Error(l.err)
	}
}

// await waits until a count has grown by more, or cannot grow any further.
func await(t *testing.T, count *atomic.Int64, more int64, hasEnded func() bool) {
	t.Helper()
	ctx := within(t, patience)
	for until := count.Load() + more; count.Load() < until && !hasEnded(); time.Sleep(time.Millisecond) {
		if ctx.Err() != nil {
			t.Fatal("nothing happens any more")
		}
	}
}

func TestNoCallIsLostWhenServersOfGRPCGoSendConnectionsAway(t *testing.T) {
	s := setting{theirServer: []grpcgo.ServerOption{grpcgo.KeepaliveParams(keepalive.ServerParameters{
		MaxConnectionAge: 20 * time.Millisecond, MaxConnectionAgeGrace: patience,
	})}}
	_, address := s.serveTheirs(t, newWorld())
	accepted := new(atomic.Int64)
	l := underLoad(t, s.dialByOurs(t, forward(t, address, accepted)))
	for accepted.Load() < 10 && !l.ends.Load() {
		l.await(10)
	}
	l.stop()
}

// forward accepts connections, forwards them to an address, and counts them.
func forward(t *testing.T, to net.Addr, accepted *atomic.Int64) net.Addr {
	t.Helper()
	l := setting{}.listen(t)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			accepted.Add(1)
			out, err := net.Dial(to.Network(), to.String())
			if err != nil {
				in.Close()
				continue
			}
			go pass(in, out)
			go pass(out, in)
		}
	}()
	return l.Addr()
}

func pass(from, to net.Conn) {
	defer to.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err == nil {
			_, err = to.Write(buffer[:n])
		}
		if err != nil {
			return
		}
	}
}

func TestNoCallIsLostWhenOneOfTwoServersOfGRPCGoEnds(t *testing.T) {
	s := setting{}
	first, one := s.serveTheirs(t, newWorld())
	_, two := s.serveTheirs(t, newWorld())
	l := underLoad(t, s.dialByOurs(t, one, two))
	l.await(500)
	first.GracefulStop()
	l.await(500)
	l.stop()
}

func TestNoCallOfGRPCGoIsLostWhenOneOfOurTwoServersEnds(t *testing.T) {
	s := setting{}
	first, one := s.serveOurs(t, newWorld())
	_, two := s.serveOurs(t, newWorld())
	known := manual.NewBuilderWithScheme("test")
	known.InitialState(resolver.State{Addresses: []resolver.Address{{Addr: one.String()}, {Addr: two.String()}}})
	both, err := grpcgo.NewClient("test:///", insecureCredentials, grpcgo.WithResolvers(known),
		grpcgo.WithDefaultServiceConfig(`{"loadBalancingConfig": [{"round_robin": {}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	l := underLoad(t, &theirClient{both, peer.NewGreeterClient(both)})
	l.await(500)
	if err := first.Shutdown(within(t, patience)); err != nil {
		t.Error("the server that ends:", err)
	}
	l.await(500)
	l.stop()
}

// The only writes on a quiet stream are answers to PINGs.
func TestSidesThatAskWhetherTheOtherIsThereKeepAQuietStream(t *testing.T) {
	writes := new(atomic.Int64)
	every := rpc.KeepAlive{Every: 5 * time.Millisecond, Timeout: patience}
	s := setting{
		writes:    writes,
		ourServer: func(server *rpc.Server) { server.KeepAlive = every },
		ourClient: func(client *rpc.Client) { client.KeepAlive = every },
		theirServer: []grpcgo.ServerOption{grpcgo.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{
			MinTime: time.Millisecond, PermitWithoutStream: true,
		})},
	}
	eachDirection(t, s, func(t *testing.T, _ *world, c client) {
		stream, err := c.chat(within(t, patience))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := stream.Send(&greeter.Note{Text: "a"}); err != nil {
				t.Fatal(err)
			}
			if _, err := stream.Recv(); err != nil {
				t.Fatal(err)
			}
			await(t, writes, 20, func() bool { return false })
		}
	})
}

// grpc-go closes a connection after a few PINGs between which it has sent nothing, by default.
func TestClientsThatAskTooOftenComeBack(t *testing.T) {
	s := setting{ourClient: func(client *rpc.Client) { client.KeepAlive = rpc.KeepAlive{Every: time.Millisecond} }}
	_, address := s.serveTheirs(t, newWorld())
	c := s.dialByOurs(t, address)
	for range 3 {
		if _, _, _, err := c.hello(within(t, patience), wait); c.told(err).code != rpc.Unavailable {
			t.Fatal(err)
		}
		// On a slow machine the next connection may be closed, too, before it answers.
		ctx := within(t, patience)
		for _, _, _, err := c.hello(ctx, "after"); err != nil; _, _, _, err = c.hello(ctx, "after") {
			if c.told(err).code != rpc.Unavailable {
				t.Fatal(err)
			}
		}
	}
}

// shelf is a service of Thrift.
type shelf struct{ api.Shop }

func (shelf) All(context.Context) (map[string][]*api.Item, error) { return nil, nil }

func TestThriftAndGRPCShareAPort(t *testing.T) {
	s := setting{ourServer: func(server *rpc.Server) { api.RegisterShop(server, shelf{}) }}
	_, address := s.serveOurs(t, newWorld())
	clients := []client{s.dialByTheirs(t, address), s.dialByOurs(t, address)}
	var shops []*api.ShopClient
	for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.Framed, rpc.BufferedCompact} {
		client := rpc.Dial("tcp://" + address.String())
		client.Wire = wire
		defer client.Close()
		shops = append(shops, api.NewShopClient(client))
	}
	ctx := within(t, patience)
	var all sync.WaitGroup
	run := func(call func(i int) error) {
		all.Go(func() {
			for i := range 200 {
				if err := call(i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 5 {
		for _, c := range clients {
			run(func(i int) error { return exchange(ctx, c, i) })
		}
		for _, c := range shops {
			run(func(int) error {
				_, err := c.All(ctx)
				return err
			})
		}
	}
	all.Wait()
}

func TestInterceptorsStandAroundStreamsOfGRPCGo(t *testing.T) {
	var began, ended atomic.Int64
	s := setting{ourServer: func(server *rpc.Server) {
		server.Interceptors = []rpc.Interceptor{func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
			if call.Stream == nil || call.Request != nil {
				return next(ctx)
			}
			began.Add(1)
			err := next(ctx)
			ended.Add(1)
			if rpc.CodeOf(err) == rpc.FailedPrecondition {
				return rpc.Errorf(rpc.DataLoss, "as the interceptor wants it")
			}
			return err
		}}
	}}
	_, address := s.serveOurs(t, newWorld())
	c := s.dialByTheirs(t, address)
	testList(t, c, 10, 10)
	testUpload(t, c, 10, 10)
	testChat(t, c)
	stream, err := c.chat(within(t, patience))
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(&greeter.Note{Text: fail}); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); c.told(err).code != rpc.DataLoss || began.Load() != 4 || ended.Load() != 4 {
		t.Error(began.Load(), ended.Load(), err)
	}
}
