package rpc

import (
	"context"
	"crypto/tls"
	"net"
	"time"
)

// Side is one of the two sides of a call.
type Side uint8

// Both sides.
const (
	ClientSide Side = iota
	ServerSide
)

// String returns client or server.
func (s Side) String() string { return [...]string{"client", "server"}[s] }

// Call is a call, as interceptors and handlers see it.
type Call struct {
	Side Side
	// Service and Method are the names in the IDL. Service is "" for a call by a client of Thrift that does not name it.
	Service, Method string
	Wire            Wire
	// Target is the Target of the client: the name of a service, or addresses. It is "" on the server.
	Target string
	// Address is the address of the client, on the server; it is nil on the client.
	Address net.Addr
	// TLS describes the connection that the call came over, such as the client's certificates; nil on the client, and if the connection is not secure.
	TLS *tls.ConnectionState
	// Request is the value that is sent: for Thrift the struct of the arguments, for gRPC the message.
	Request any
	// Response is the answer. On the server the handler sets it, on the client the answer is read into it.
	Response any
	// Stream is the stream of a call with several requests or responses; nil for others. An interceptor may put another one in its place.
	Stream Stream
	// FallbackFor is the error of a call for which a [Fallback] has answered, once the call has ended; nil for other calls.
	FallbackFor error
	// told reads the metadata that the call came with; nil on the client.
	told teller
	// opened is the stream that a client has opened; nil for other calls.
	opened *openedStream
}

// OnStreamEnd registers a function that is called once, when the stream that a client has opened ends. The function gets the stream's error: nil if
// the server ended the stream without an error, the context's error if the context ended first. An interceptor calls OnStreamEnd after next has
// returned without an error. If the client has opened no stream, OnStreamEnd returns false and does not call the function: other calls have ended
// when next returns, and so have streams on the server.
func (c *Call) OnStreamEnd(tell func(error)) bool {
	if c.opened == nil {
		return false
	}
	c.opened.over.watch(tell)
	return true
}

// teller reads the metadata that a call came with.
type teller interface{ metadata() outgoing }

type callKey struct{}

// CallOf returns the call that a handler's context belongs to; nil outside of handlers.
func CallOf(ctx context.Context) *Call {
	call, _ := ctx.Value(callKey{}).(*Call)
	return call
}

func (c *Call) incoming() outgoing {
	if c.told == nil {
		return outgoing{}
	}
	return c.told.metadata()
}

// Interceptor is a function that runs around calls, on either side. It calls next to let the call go on, at most once unless it knows that the
// call may be repeated; it may change the request before and the response after, pass another context to next, or answer without next.
type Interceptor func(ctx context.Context, call *Call, next func(context.Context) error) error

// chain makes one interceptor of several, the first outermost; it returns nil if there are none.
func chain(all []Interceptor) Interceptor {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	first, rest := all[0], chain(all[1:])
	return func(ctx context.Context, call *Call, next func(context.Context) error) error {
		return first(ctx, call, func(ctx context.Context) error { return rest(ctx, call, next) })
	}
}

// remaining returns the time until a context's deadline; false if the context has none.
func remaining(ctx context.Context) (time.Duration, bool) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return 0, false
	}
	return time.Until(deadline), true
}
