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
	// Target is the service's name, or addresses such as tcp://10.0.0.1:9090,tcp://10.0.0.2:9090 or unix:///run/hello.sock. The forms of
	// resolve.Instance, 10.0.0.1:9090 and unix:/run/hello.sock, are addresses too.
	// A comma in a path ends the path only if another address follows.
	Target string
	// Wire is the protocol in which calls are written; the default is TTHeader.
	Wire Wire
	// Resolver finds the addresses of a service that Target names. It may be nil if Target has addresses; names that begin with
	// dns:/// are then looked up, such as dns:///hello.example.org:9090.
	Resolver resolve.Resolver
	// Policies define how the client handles instances and calls that fail or take long.
	Policies Policies
	// Interceptors run around every call, the first outermost.
	Interceptors []Interceptor
	// Name is the caller's own name, by which the service knows who calls.
	Name string
	// Multiplexed is true if functions are named SERVICE:FUNCTION, as servers with Apache's TMultiplexedProcessor want it. Servers of this package
	// need it only for services that have functions of the same name, over wires without a TTHeader.
	Multiplexed bool
	// Timeout is the time limit of a call whose context has no deadline; 0 means no limit.
	Timeout time.Duration
	// ConnectTimeout is the time limit of an attempt to connect. 0 is 1 s.
	ConnectTimeout time.Duration
	// Connections is the number of connections to each address: one is open from the first call of the client on, others are opened as calls
	// need them. 0 means one for every four of GOMAXPROCS: more connections mean smaller writes.
	Connections int
	// MaxConnectionAge is the time for which calls are sent over a connection, a tenth more or less at random. Then a new connection takes its place,
	// and the old one ends once its calls are answered. So, behind a load balancer of connections, calls reach servers that are new. 0 means for
	// ever.
	MaxConnectionAge time.Duration
	// MessageBytes is the length that a message may have, in both directions, with its headers. 0 is 16 MiB.
	MessageBytes int
	// Thrift holds the options for reading messages of Thrift.
	Thrift thrift.Options
	// KeepAlive sets when the client pings a silent server of gRPC, to notice that it has vanished. It does nothing if Every is 0.
	KeepAlive KeepAlive
	// Compress is the length in bytes above which requests of gRPC are compressed; 0 means never.
	Compress int
	// Compressors decompress answers of gRPC, beside gzip. The first one compresses requests; the server must support it too. Without any, gzip
	// compresses requests.
	Compressors []Compressor
	// SharedMemory requests shared memory from servers at Unix sockets, and from instances on this machine that have the tag [resolve.SharedMemory],
	// whatever their address is. With nil, it is requested only at addresses shm:///PATH. If a server gives none, calls go over its socket.
	SharedMemory *shm.Dialer
	// Proxy chooses the proxies for connections of TCP: nil means none, and FromEnvironment of package rpc/proxy takes the one that HTTPS_PROXY names.
	Proxy Proxy
	// DialContext makes connections in place of a net.Dialer: network is tcp, unix or shm.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
	// TLS makes connections secure. If its ServerName is not set, the host of the address is used.
	TLS *tls.Config

	once        sync.Once
	startErr    error
	compression compression
	thrift      *thriftwire.Protocols
	chained     Interceptor
	governance  *governance
	route       *route
	// connections holds the connections that have not ended.
	connections connections
	// templates holds the first fields of the headers of gRPC calls, by method and authority.
	templates sync.Map
	stop      context.CancelFunc
	isClosed  atomic.Bool
	// control sets options of sockets, in tests.
	control func(network, address string, socket syscall.RawConn) error
}

// Dial makes a client of a service, which the target names or whose addresses it lists. The client connects at its first call, and stays
// connected until it is closed.
func Dial(target string) *Client { return &Client{Target: target} }

const (
	defaultConnectTimeout = time.Second
	callersPerConnection  = 4
)

// ErrClientClosed is the cause of the error of a call by a client that has been closed.
var ErrClientClosed = errors.New("the client has been closed")

// start fills in the defaults, and begins to look for the addresses.
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

// dnsPrefix begins the names that are looked up in DNS.
const dnsPrefix = "dns:///"

// resolver returns the resolver that finds the addresses, and the name that it must find.
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

// Close closes the connections. Calls that wait for an answer fail. Messages that have been sent are written before, which takes a second at most.
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
// An [Error], which unwraps to the context's error if the context ended first, and to the [thrift.ApplicationException] that the server answered with.
func (c *Client) Call(ctx context.Context, method string, args thrift.Writer, result thrift.Reader) error {
	return c.callThrift(ctx, request{client: c, method: method}, args, result)
}

// ForService returns a caller of one of the server's services, which is named as in the IDL; idempotent are the functions that the IDL says may
// run twice for one call. Generated clients call it.
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

// OpenStream opens a stream of Thrift, over TTHeader. It implements [thrift.Opener]. The stream ends when its context ends; a caller that does
// not receive up to the end must end the context, or the stream stays open.
func (c *Client) OpenStream(ctx context.Context, method string, only thrift.Writer) (stream.ClientStream, error) {
	return c.openThrift(ctx, &request{client: c, method: method}, only)
}

func (c *Client) callThrift(ctx context.Context, r request, args thrift.Writer, result thrift.Reader) error {
	r.args = args
	if err := c.checkKind(thriftFunction); err != nil {
		return r.name(err)
	}
	if result != nil {
		// A nil result must not become one that is not nil.
		r.result = result
	}
	return c.do(ctx, &r)
}

// do makes a call through the interceptors and the fallback.
func (c *Client) do(ctx context.Context, r *request) error {
	return c.doCall(ctx, r, nil)
}

// doCall makes a call like do, with the [Call] that interceptors see. If call is nil, it is made from the request.
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

// nameOf returns the name of a function in messages.
func (c *Client) nameOf(service, method string) string {
	if c.Multiplexed && service != "" {
		return service + ":" + method
	}
	return method
}
