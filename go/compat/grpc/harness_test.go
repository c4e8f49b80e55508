package grpc

import (
	"context"
	"crypto/tls"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	grpcgo "google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"hone/go/compat/grpc/ours/peer"
	"hone/go/internal/greeter"
	"hone/go/rpc"
)

var background = context.Background()

var insecureCredentials = grpcgo.WithTransportCredentials(insecure.NewCredentials())

// patience is the time limit for an event that must happen, on a slow machine too.
const patience = 4 * time.Minute

// within returns a context that ends before the test does.
func within(t testing.TB, timeout time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(background, timeout)
	t.Cleanup(cancel)
	return ctx
}

// setting is the network of a test, and its options.
type setting struct {
	// network is tcp or unix; "" means tcp.
	network string
	// buffer is the size of sockets' buffers, where it can be set.
	buffer int
	// serverTLS and clientTLS are nil where connections are not secure.
	serverTLS, clientTLS *tls.Config
	ourServer            func(*rpc.Server)
	ourClient            func(*rpc.Client)
	theirServer          []grpcgo.ServerOption
	theirClient          []grpcgo.DialOption
	// writes counts the writes of servers and of their client.
	writes *atomic.Int64
}

// direction is a client of one library and a server of the other.
type direction struct {
	name  string
	start func(t testing.TB, w *world, s setting) client
}

var directions = []direction{
	{"grpc-go calls us", func(t testing.TB, w *world, s setting) client {
		_, address := s.serveOurs(t, w)
		return s.dialByTheirs(t, address)
	}},
	{"we call grpc-go", func(t testing.TB, w *world, s setting) client {
		_, address := s.serveTheirs(t, w)
		return s.dialByOurs(t, address)
	}},
}

func eachDirection(t *testing.T, s setting, test func(t *testing.T, w *world, c client)) {
	t.Helper()
	for _, d := range directions {
		t.Run(d.name, func(t *testing.T) {
			w := newWorld()
			test(t, w, d.start(t, w, s))
		})
	}
}

// conn is a connection with buffers of the setting's size, whose writes are counted.
type conn struct {
	net.Conn
	writes *atomic.Int64
}

func (c conn) Write(b []byte) (int, error) {
	if c.writes != nil {
		c.writes.Add(1)
	}
	return c.Conn.Write(b)
}

func (s setting) wrap(c net.Conn) net.Conn {
	if sized, ok := c.(interface {
		SetReadBuffer(int) error
		SetWriteBuffer(int) error
	}); ok && s.buffer > 0 {
		sized.SetReadBuffer(s.buffer)
		sized.SetWriteBuffer(s.buffer)
	}
	if s.writes == nil {
		return c
	}
	return conn{c, s.writes}
}

type listener struct {
	net.Listener
	setting
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.wrap(c), nil
}

func (s setting) listen(t testing.TB) listener {
	t.Helper()
	network, address := "tcp", "127.0.0.1:0"
	if s.network == "unix" {
		network, address = "unix", filepath.Join(t.TempDir(), "s")
	}
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	return listener{l, s}
}

func (s setting) serveOurs(t testing.TB, w *world) (*rpc.Server, net.Addr) {
	t.Helper()
	server := rpc.NewServer()
	server.TLS = s.serverTLS
	server.Lost = func(err error) { t.Log(err) }
	greeter.RegisterGreeter(server, ours{world: w})
	if s.ourServer != nil {
		s.ourServer(server)
	}
	l := s.listen(t)
	served := make(chan struct{})
	go func() {
		defer close(served)
		server.Serve(l)
	}()
	t.Cleanup(func() {
		// The server logs to the test, so it must end before the test does.
		server.Close()
		server.Shutdown(within(t, patience))
		<-served
	})
	return server, l.Addr()
}

func (s setting) serveTheirs(t testing.TB, w *world) (*grpcgo.Server, net.Addr) {
	t.Helper()
	options := s.theirServer
	if s.serverTLS != nil {
		options = append(options, grpcgo.Creds(credentials.NewTLS(s.serverTLS)))
	}
	server := grpcgo.NewServer(options...)
	peer.RegisterGreeterServer(server, theirs{world: w})
	l := s.listen(t)
	served := make(chan struct{})
	go func() {
		defer close(served)
		server.Serve(l)
	}()
	t.Cleanup(func() {
		server.Stop()
		<-served
	})
	return server, l.Addr()
}

func (s setting) dialByOurs(t testing.TB, addresses ...net.Addr) *ourClient {
	t.Helper()
	target := ""
	for i, address := range addresses {
		if i > 0 {
			target += ","
		}
		target += address.Network() + "://" + address.String()
	}
	client := rpc.Dial(target)
	client.Wire, client.TLS = rpc.GRPC, s.clientTLS
	if s.ourClient != nil {
		s.ourClient(client)
	}
	t.Cleanup(func() { client.Close() })
	return &ourClient{client, greeter.NewGreeterClient(client)}
}

func (s setting) dialByTheirs(t testing.TB, address net.Addr) *theirClient {
	t.Helper()
	security := insecure.NewCredentials()
	if s.clientTLS != nil {
		security = credentials.NewTLS(s.clientTLS)
	}
	options := append([]grpcgo.DialOption{
		grpcgo.WithTransportCredentials(security),
		grpcgo.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			var dialer net.Dialer
			c, err := dialer.DialContext(ctx, address.Network(), address.String())
			if err != nil {
				return nil, err
			}
			return s.wrap(c), nil
		}),
	}, s.theirClient...)
	client, err := grpcgo.NewClient("passthrough:///localhost", options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return &theirClient{client, peer.NewGreeterClient(client)}
}
