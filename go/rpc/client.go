package rpc

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"hone/go/rpc/internal/thriftwire"
	"hone/go/rpc/resolve"
	"hone/go/shm"
	"hone/go/stream"
	"hone/go/thrift"
)

// Client calls a service. Many goroutines may use it: calls share connections. Its fields are set before the first call, and not changed
// after.
type Client struct {
	// Target is the service's name, or addresses such as tcp://10.0.0.1:9090,tcp://10.0.0.2:9090 or unix:///run/hello.sock.
	// A comma of a path ends it only where another address follows.
	Target string
	// Wire is how calls are written; TTHeader if nothing is said.
	Wire Wire
	// Resolver finds the addresses of a service that Target names. It may be nil where Target has addresses; names that begin with
	// dns:/// are then looked up, such as dns:///hello.example.org:9090.
	Resolver resolve.Resolver
	// Policies say what is done about instances and calls that fail or take long.
	Policies Policies
	// Interceptors stand around every call, the first outermost.
	Interceptors []Interceptor
	// Name is the caller's own, for the service to know who calls.
	Name string
	// Multiplexed names functions SERVICE:FUNCTION, as servers with Apache's TMultiplexedProcessor want it. This package's need it only for
	// services that have functions of the same name, over wires without a TTHeader.
	Multiplexed bool
	// Timeout is how long a call may take whose context has no deadline; 0 is for ever.
	Timeout time.Duration
	// ConnectTimeout is how long an attempt to connect may take. 0 is 1 s.
	ConnectTimeout time.Duration
	// Connections is how many are opened to each address: one from the first call of the client on, and others as calls need them. 0 is one for every four of GOMAXPROCS: more of them means smaller writes.
	Connections int
	// MaxConnectionAge is how long calls are sent over a connection, a tenth more or less by chance. Then another one is made, and the old one ends once its calls are answered: behind
	// a load balancer of connections, calls find servers that are new. 0 is for ever.
	MaxConnectionAge time.Duration
	// MessageBytes is how long a message may be, in both directions, with its headers. 0 is 16 MiB.
	MessageBytes int
	// Thrift says how messages of Thrift are read.
	Thrift thrift.Options
	// KeepAlive is how the client finds out that a server of gRPC has gone without a word, if Every is not 0.
	KeepAlive KeepAlive
	// Compress compresses requests of gRPC, if they are longer than that many bytes; 0 is never.
	Compress int
	// Compressors are read in answers of gRPC, beside gzip. The first one compresses requests: the server must have it too. Without any it is gzip.
	Compressors []Compressor
	// SharedMemory asks servers of Unix sockets for shared memory, and instances on this machine that have the tag [resolve.SharedMemory], wherever calls would go else. Nil asks at addresses
	// shm:///PATH alone. A server that gives none is called over its socket.
	SharedMemory *shm.Dialer
	// Proxy tells through which proxies connections of TCP go: nil is through none, and FromEnvironment of package rpc/proxy through that which HTTPS_PROXY names.
	Proxy Proxy
	// DialContext connects in place of a net.Dialer: network is tcp, unix or shm.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
	// TLS makes connections secure. ServerName is the address' host if it is not set.
	TLS *tls.Config

	once        sync.Once
	startErr    error
	compression compression
	thrift      *thriftwire.Protocols
	chained     Interceptor
	governance  *governance
	route       *route
	// connections are those that calls may still go over.
	connections connections
	// templates hold what the headers of gRPC calls of a method and an authority begin with.
	templates sync.Map
	stop      context.CancelFunc
	isClosed  atomic.Bool
	// control sets options of sockets, in tests.
	control func(network, address string, socket syscall.RawConn) error
}

// Dial makes a client of a service: of a name, or of addresses. It connects when it is first called, and stays connected until it is closed.
func Dial(target string) *Client { return &Client{Target: target} }

const (
	defaultConnectTimeout = time.Second
	callersPerConnection  = 4
)

// ErrClientClosed is the cause of calls by a client that has been closed.
var ErrClientClosed = errors.New("the client has been closed")

// start settles what was left to defaults, and begins to look for the addresses.
func (c *Client) start() error {
	c.once.Do(func() {
		c.ConnectTimeout = cmp.Or(c.ConnectTimeout, defaultConnectTimeout)
		c.Connections = cmp.Or(c.Connections, max(1, runtime.GOMAXPROCS(0)/callersPerConnection))
		c.MessageBytes = cmp.Or(c.MessageBytes, defaultMessageBytes)
		c.thrift = thriftwire.NewProtocols(c.Thrift)
		c.compression = newCompression(c.Compress, c.Compressors)
		if c.DialContext == nil {
			c.DialContext = c.dial
		}
		c.chained = chain(c.Interceptors)
		c.stop = func() {}
		c.startErr = c.startRoute()
	})
	return c.startErr
}

func (c *Client) startRoute() (err error) {
	if c.governance, err = newGovernance(c.Policies); err != nil {
		return err
	}
	resolver, service, err := c.resolver()
	if err != nil {
		return err
	}
	var ctx context.Context
	ctx, c.stop = context.WithCancel(context.Background())
	c.route = newRoute(ctx, c)
	goUnlabelled(func() { c.route.watch(ctx, resolver, service) })
	goUnlabelled(func() { c.route.tend(ctx) })
	if local := c.governance.LocalFirst; local != nil {
		goUnlabelled(func() { c.route.watchCallers(ctx, local.Callers, service) })
	}
	return nil
}

// dnsPrefix is what names that are to be looked up in DNS begin with.
const dnsPrefix = "dns:///"

// resolver is what finds the addresses, and the name to ask it for.
func (c *Client) resolver() (resolve.Resolver, string, error) {
	if c.Resolver != nil {
		return c.Resolver, c.Target, nil
	}
	if name, isName := strings.CutPrefix(c.Target, dnsPrefix); isName {
		return resolve.DNS{}, name, nil
	}
	var addresses []string
	for _, address := range addressesOf(c.Target) {
		if !isEndpoint(address) {
			return nil, "", fmt.Errorf("%q is no address; write tcp://HOST:PORT, unix:///PATH, shm:///PATH or dns:///HOST:PORT, or set Resolver", address)
		}
		at, err := parseEndpoint(address)
		if err != nil {
			return nil, "", err
		}
		addresses = append(addresses, at.forResolver())
	}
	return resolve.Static{c.Target: resolve.Addresses(addresses...)}, c.Target, nil
}

// Close closes the connections. Calls that wait for an answer fail. What has been sent is written before, which takes a second at most.
func (c *Client) Close() error {
	c.isClosed.Store(true)
	c.start()
	c.stop()
	c.connections.close(ErrClientClosed)
	return nil
}

// Call calls a function of Thrift and waits for its answer; result is nil for a one-way function. It implements [thrift.Caller].
//
// # Errors
//
// An [Error], which unwraps to the context's error where that ended first, and to a [thrift.ApplicationException] that was answered.
func (c *Client) Call(ctx context.Context, method string, args thrift.Writer, result thrift.Reader) error {
	return c.callThrift(ctx, request{client: c, method: method}, args, result)
}

// ForService gives a caller of one service of those that the other side has, by its name in the IDL, with the functions that the IDL says may
// run twice for one call. Generated clients ask for it.
func (c *Client) ForService(service string, idempotent ...string) thrift.Caller {
	return &serviceCaller{c, service, idempotent}
}

type serviceCaller struct {
	client     *Client
	service    string
	idempotent []string
}

// Call implements [thrift.Caller].
func (s *serviceCaller) Call(ctx context.Context, method string, args thrift.Writer, result thrift.Reader) error {
	r := request{client: s.client, service: s.service, method: method, isIdempotent: slices.Contains(s.idempotent, method)}
	return s.client.callThrift(ctx, r, args, result)
}

// OpenStream implements [thrift.Opener].
func (s *serviceCaller) OpenStream(ctx context.Context, method string, only thrift.Writer) (stream.ClientStream, error) {
	return s.client.openThrift(ctx, &request{client: s.client, service: s.service, method: method, isIdempotent: slices.Contains(s.idempotent, method)}, only)
}

// OpenStream opens a stream of Thrift, over TTHeader. It implements [thrift.Opener]. The stream ends when its context does; a caller that does
// not receive up to the end must see to that, or the stream stays open.
func (c *Client) OpenStream(ctx context.Context, method string, only thrift.Writer) (stream.ClientStream, error) {
	return c.openThrift(ctx, &request{client: c, method: method}, only)
}

func (c *Client) callThrift(ctx context.Context, r request, args thrift.Writer, result thrift.Reader) error {
	r.args = args
	if c.Wire == GRPC {
		return r.name(&Error{Code: InvalidArgument, Stage: Sending, Message: "functions of Thrift are not called over gRPC; set Wire to one of Thrift's"})
	}
	if result != nil {
		// A nil result must not become one that is not nil.
		r.result = result
	}
	return c.do(ctx, &r)
}

// do makes a call with what stands around it.
func (c *Client) do(ctx context.Context, r *request) error {
	return c.doCall(ctx, r, nil)
}

// doCall is do for a call that interceptors are to see; nil is made of the request.
func (c *Client) doCall(ctx context.Context, r *request, call *Call) error {
	if err := c.start(); err != nil {
		return r.name(&Error{Code: InvalidArgument, Stage: Resolving, Cause: err})
	}
	if c.isClosed.Load() {
		return r.name(&Error{Code: Canceled, Stage: Connecting, Cause: ErrClientClosed})
	}
	if c.chained == nil && c.Policies.Fallback == nil {
		return r.do(ctx)
	}
	if call == nil {
		call = &Call{Service: r.service, Method: r.method, Wire: c.Wire, Target: c.Target, Request: r.args, Response: r.result}
	}
	next := func(ctx context.Context) error {
		again := *r
		again.args, again.result = call.Request, call.Response
		return c.fallBack(ctx, call, again.do(ctx))
	}
	if c.chained == nil {
		return next(ctx)
	}
	return c.chained(ctx, call, next)
}

// nameOf is how a function is named in messages.
func (c *Client) nameOf(service, method string) string {
	if c.Multiplexed && service != "" {
		return service + ":" + method
	}
	return method
}
