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

// String is client or server.
func (s Side) String() string { return [...]string{"client", "server"}[s] }

// Call is a call, as interceptors and handlers see it.
type Call struct {
	Side Side
	// Service and Method are its names in the IDL. Service is "" for a call by a client of Thrift that does not say it.
	Service, Method string
	Wire            Wire
	// Target is what a client was made for: the name of a service, or addresses. It is "" on the server.
	Target string
	// Address is the client's, on the server.
	Address net.Addr
	// TLS tells of the connection that the call came over, such as the client's certificates; nil on the client, and where it is not secure.
	TLS *tls.ConnectionState
	// Request is what is sent: for Thrift the struct of the arguments, for gRPC the message.
	Request any
	// Response is what is answered. On the server it is set by the handler, on the client it is read into.
	Response any
	// Stream is that of a call with several requests or responses; nil for others. An interceptor may put another one in its place.
	Stream Stream
	// FallbackFor is the error in the place of which a [Fallback] has answered, once the call has ended; nil for other calls.
	FallbackFor error
	// told is what the call came with; nil on the client.
	told teller
	// opened is the stream that a client has opened; nil for other calls.
	opened *openedStream
}

// OnStreamEnd has a function called once when the stream that a client has opened has ended, with the error that it ended with: nil where the
// server has ended it without one, the context's where that ended first. An interceptor calls OnStreamEnd after next has returned without an
// error. It is false, and the function is not called, where there is no such stream: other calls have ended when next returns, and so have
// streams on the server.
func (c *Call) OnStreamEnd(tell func(error)) bool {
	if c.opened == nil {
		return false
	}
	c.opened.over.watch(tell)
	return true
}

// teller tells the metadata that a call came with.
type teller interface{ metadata() outgoing }

type callKey struct{}

// CallOf gives the call that a handler's context belongs to; nil outside of handlers.
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

// Interceptor stands around calls, on either side. It calls next to let the call go on, at most once unless it knows that the call may be
// repeated; it may change the request before and the response after, give next another context, or answer without next.
type Interceptor func(ctx context.Context, call *Call, next func(context.Context) error) error

// chain makes one interceptor of several, the first outermost; nil of none.
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

// remaining is how much time a context leaves; false where it has no deadline.
func remaining(ctx context.Context) (time.Duration, bool) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return 0, false
	}
	return time.Until(deadline), true
}
