package rpc

import (
	"context"
	"crypto/tls"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hone/go/rpc/internal/thriftwire"
	"hone/go/thrift"
)

// Client calls a service. Many goroutines may use it: calls share connections. Its fields are set before the first call, and not changed
// after.
type Client struct {
	// Target is the service's name, or addresses such as tcp://10.0.0.1:9090,tcp://10.0.0.2:9090 or unix:///run/hello.sock.
	Target string
	// Wire is how calls are written; TTHeader if nothing is said.
	Wire Wire
	// Interceptors stand around every call, the first outermost.
	Interceptors []Interceptor
	// Name is the caller's own, for the service to know who calls.
	Name string
	// Timeout is how long a call may take whose context has no deadline; 0 is for ever.
	Timeout time.Duration
	// ConnectTimeout is how long it may take to connect. 0 is 1 s.
	ConnectTimeout time.Duration
	// Connections is how many are opened to each address. 0 is one for every four of GOMAXPROCS: more of them means smaller writes.
	Connections int
	// MessageBytes is how long a message may be, in both directions, with its headers. 0 is 16 MiB.
	MessageBytes int
	// Thrift says how messages of Thrift are read.
	Thrift thrift.Options
	// TLS makes connections secure. ServerName is the address' host if it is not set.
	TLS *tls.Config

	once      sync.Once
	startErr  error
	thrift    *thriftwire.Protocols
	chained   Interceptor
	instances []*instance
	turn      atomic.Uint32
	isClosed  atomic.Bool
}

// Dial makes a client of a service: of a name, or of addresses. It connects when it is first called.
func Dial(target string) *Client { return &Client{Target: target} }

const (
	defaultConnectTimeout = time.Second
	callersPerConnection  = 4
)

// ErrClientClosed is the cause of calls by a client that has been closed.
var ErrClientClosed = errors.New("the client has been closed")

// start settles what was left to defaults, and finds the addresses.
func (c *Client) start() error {
	c.once.Do(func() {
		c.ConnectTimeout = orDefault(c.ConnectTimeout, defaultConnectTimeout)
		c.Connections = orDefault(c.Connections, max(1, runtime.GOMAXPROCS(0)/callersPerConnection))
		c.MessageBytes = orDefault(c.MessageBytes, defaultMessageBytes)
		c.thrift = thriftwire.NewProtocols(c.Thrift)
		c.chained = chain(c.Interceptors)
		for address := range strings.SplitSeq(c.Target, ",") {
			at, err := parseEndpoint(address)
			if err != nil {
				c.startErr = err
				return
			}
			c.instances = append(c.instances, newInstance(c, at))
		}
	})
	return c.startErr
}

// Close closes the connections. Calls that wait for an answer fail.
func (c *Client) Close() error {
	c.isClosed.Store(true)
	c.start()
	for _, instance := range c.instances {
		instance.close()
	}
	return nil
}

// Call calls a function of Thrift and waits for its answer; result is nil for a one-way function. It implements [thrift.Caller].
//
// # Errors
//
// An [Error], which unwraps to the context's error where that ended first, and to a [thrift.ApplicationException] that was answered.
func (c *Client) Call(ctx context.Context, method string, args thrift.Writer, result thrift.Reader) error {
	return c.callService(ctx, "", method, args, result)
}

// ForService gives a caller of one service of those that the other side has, by its name in the IDL. Generated clients ask for it.
func (c *Client) ForService(service string) thrift.Caller { return &serviceCaller{c, service} }

type serviceCaller struct {
	client  *Client
	service string
}

// Call implements [thrift.Caller].
func (s *serviceCaller) Call(ctx context.Context, method string, args thrift.Writer, result thrift.Reader) error {
	return s.client.callService(ctx, s.service, method, args, result)
}

func (c *Client) callService(ctx context.Context, service, method string, args thrift.Writer, result thrift.Reader) error {
	if err := c.start(); err != nil {
		return &Error{Code: InvalidArgument, Stage: Resolving, Method: fullName(service, method), Cause: err}
	}
	if c.isClosed.Load() {
		return &Error{Code: Canceled, Stage: Connecting, Method: fullName(service, method), Cause: ErrClientClosed}
	}
	if c.chained == nil {
		return c.callOnce(ctx, service, method, args, result)
	}
	call := &Call{Service: service, Method: method, Wire: c.Wire, Request: args, Response: result}
	return c.chained(ctx, call, func(ctx context.Context) error {
		args, isWriter := call.Request.(thrift.Writer)
		if !isWriter {
			return &Error{Code: Internal, Stage: Sending, Method: fullName(service, method), Message: "an interceptor made the request what cannot be written"}
		}
		result, _ := call.Response.(thrift.Reader)
		return c.callOnce(ctx, service, method, args, result)
	})
}

// callOnce makes one attempt of a call.
func (c *Client) callOnce(ctx context.Context, service, method string, args thrift.Writer, result thrift.Reader) error {
	if err := ctx.Err(); err != nil {
		return &Error{Code: CodeOf(err), Stage: Connecting, Method: fullName(service, method), Cause: err}
	}
	call := takeClientCall()
	call.client, call.service, call.result = c, service, result
	call.out = thriftwire.Outgoing{Form: thriftForms[c.Wire], Protocols: c.thrift, MessageBytes: c.MessageBytes,
		Header: thrift.Header{Method: method, Type: thrift.Call}, Body: args, Named: call.out.Named[:0], Numbered: call.out.Numbered[:0]}
	if result == nil {
		call.out.Header.Type = thrift.Oneway
	}
	call.describe(ctx)
	at := c.pick()
	for {
		conn, err := at.connection(ctx)
		if err != nil {
			return call.failed(Connecting, at, err)
		}
		isSent, err := conn.call(ctx, call)
		// A connection that ended before anything of the call was sent has done no harm.
		if !isSent && errors.Is(err, errNotSent) && ctx.Err() == nil && !c.isClosed.Load() {
			continue
		}
		if err != nil {
			return call.failed(call.stage, at, err)
		}
		call.release()
		return nil
	}
}

// pick chooses the instance for a call.
func (c *Client) pick() *instance {
	if len(c.instances) == 1 {
		return c.instances[0]
	}
	return c.instances[int(c.turn.Add(1)-1)%len(c.instances)]
}
