package grpc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"sync"
	"testing"

	peer "google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"hone/go/rpc/internal/h2"
	"hone/go/rpc/internal/link"
)

var background = context.Background()

// bytesCodec leaves messages unchanged, so that both sides decide which bytes are on the wire.
type bytesCodec struct{}

func (bytesCodec) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }
func (bytesCodec) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = append([]byte(nil), data...)
	return nil
}
func (bytesCodec) Name() string { return "bytes" }

// networks are the networks of the tests: with buffers of the usual size, and with tiny ones.
var networks = []network{{kind: "tcp"}, {kind: "unix"}, {kind: "tcp", buffer: 2048}, {kind: "unix", buffer: 2048}}

type network struct {
	kind   string
	buffer int
	// path is the path of a Unix socket; the test chooses one if it is empty.
	path string
}

func (n network) String() string {
	if n.buffer > 0 {
		return n.kind + "-tiny"
	}
	return n.kind
}

func eachNetwork(t *testing.T, test func(t *testing.T, n network)) {
	for _, n := range networks {
		t.Run(n.String(), func(t *testing.T) { test(t, n) })
	}
}

// narrow gives a connection tiny buffers.
func (n network) narrow(c net.Conn) net.Conn {
	if sized, ok := c.(interface {
		SetReadBuffer(int) error
		SetWriteBuffer(int) error
	}); ok && n.buffer > 0 {
		sized.SetWriteBuffer(n.buffer)
		if n.kind == "unix" {
			// With TCP the kernel would then wait for timers before it sends more.
			sized.SetReadBuffer(n.buffer)
		}
	}
	return c
}

func (n network) listen(t testing.TB) net.Listener {
	t.Helper()
	address := n.path
	if address == "" && n.kind == "unix" {
		address = filepath.Join(t.TempDir(), "s")
	} else if address == "" {
		address = "127.0.0.1:0"
	}
	listener, err := net.Listen(n.kind, address)
	if err != nil {
		t.Fatal(err)
	}
	return narrowListener{listener, n}
}

type narrowListener struct {
	net.Listener
	network
}

func (l narrowListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.narrow(c), nil
}

func (n network) dial(address net.Addr) (net.Conn, error) {
	c, err := net.Dial(address.Network(), address.String())
	if err != nil {
		return nil, err
	}
	return n.narrow(c), nil
}

// ourServer serves all connections of a listener with package h2.
type ourServer struct {
	listener net.Listener
	mu       sync.Mutex
	all      map[*h2.Server]*link.Link
	serving  sync.WaitGroup
}

func serveOurs(t testing.TB, n network, options h2.Options, handle func(*h2.Stream)) *ourServer {
	t.Helper()
	s := &ourServer{listener: n.listen(t), all: map[*h2.Server]*link.Link{}}
	s.serving.Add(1)
	go func() {
		defer s.serving.Done()
		for {
			c, err := s.listener.Accept()
			if err != nil {
				return
			}
			l := link.New(c, link.Options{})
			server := h2.NewServer(l, options, handle)
			s.mu.Lock()
			s.all[server] = l
			s.mu.Unlock()
			s.serving.Add(1)
			go func() {
				defer s.serving.Done()
				server.Serve()
				s.mu.Lock()
				delete(s.all, server)
				s.mu.Unlock()
			}()
		}
	}()
	t.Cleanup(s.stop)
	return s
}

// each calls a function for every present connection.
func (s *ourServer) each(do func(*h2.Server, *link.Link)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for server, l := range s.all {
		do(server, l)
	}
}

func (s *ourServer) stop() {
	s.listener.Close()
	s.each(func(_ *h2.Server, l *link.Link) { l.Close(errors.New("the test is over")) })
	s.serving.Wait()
}

// theirClient makes a client of grpc-go for an address.
func theirClient(t testing.TB, n network, address net.Addr, options ...peer.DialOption) *peer.ClientConn {
	t.Helper()
	options = append([]peer.DialOption{
		peer.WithTransportCredentials(insecure.NewCredentials()),
		peer.WithContextDialer(func(context.Context, string) (net.Conn, error) { return n.dial(address) }),
		peer.WithDefaultCallOptions(peer.ForceCodec(bytesCodec{}), peer.MaxCallRecvMsgSize(64<<20)),
	}, options...)
	client, err := peer.NewClient("passthrough:///test", options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// ourClient makes a client of package h2 for an address.
func ourClient(t testing.TB, n network, address net.Addr, options h2.Options) *h2.Client {
	t.Helper()
	c, err := n.dial(address)
	if err != nil {
		t.Fatal(err)
	}
	l := link.New(c, link.Options{})
	client := h2.NewClient(l, options)
	t.Cleanup(func() {
		l.Close(errors.New("the test is over"))
		<-client.Ended()
	})
	return client
}

// method makes a call of a method of the test's service.
func method(name string, metadata ...h2.Field) h2.Call {
	return h2.Call{Header: templates[name], Metadata: metadata}
}

var templates = map[string]*h2.Template{}

func init() {
	for _, name := range []string{"Echo", "Collect", "Expand", "Chat", "Fail", "Wait", "Unknown", "Meta"} {
		templates[name] = h2.NewRequestTemplate("http", "test", "/test.Service/"+name, "application/grpc", "hone")
	}
}

// kept keeps a reply, and decompresses it if necessary.
type kept struct {
	bytes        []byte
	isCompressed bool
}

func (k *kept) ReadMessage(_ *h2.Stream, message []byte, isCompressed bool) error {
	k.bytes, k.isCompressed = append([]byte(nil), message...), isCompressed
	return nil
}

// atOnce runs a function n times at once, and returns the first error.
func atOnce(n int, run func(i int) error) error {
	errs := make(chan error, n)
	for i := range n {
		go func() {
			if err := run(i); err != nil {
				err = fmt.Errorf("%d: %w", i, err)
				errs <- err
				return
			}
			errs <- nil
		}()
	}
	var first error
	for range n {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return first
}
