// Package connect calls functions of either language at an address, over one of package rpc's wires.
package connect

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"strings"

	"hone/go/call/definitions"
	"hone/go/rpc"
	"hone/go/stream"
	"hone/go/thrift"
)

// Options say how to connect.
type Options struct {
	// Wire is a name that [rpc.ParseWire] reads, or "compact"; "" is the usual wire of the language.
	Wire string
	// Metadata goes with each call.
	Metadata rpc.Metadata
	// TLS makes the connection secure; nil leaves it plain.
	TLS *tls.Config
}

// compact is a second name of the wire framed-compact.
const compact = "compact"

// Wires returns the names of the wires that carry a language, the usual one first.
func Wires(of definitions.Language) []string {
	var names []string
	for _, wire := range rpc.Wires() {
		if carries(wire, of) {
			names = append(names, wire.String())
		}
	}
	if of == definitions.Thrift {
		names = append(names, compact)
	}
	return names
}

func carries(wire rpc.Wire, of definitions.Language) bool {
	return (wire.System() == rpc.GRPC.System()) == (of == definitions.Protobuf)
}

// wire finds the wire that the options name for a language.
func (o Options) wire(of definitions.Language) (wire rpc.Wire, err error) {
	names := Wires(of)
	switch o.Wire {
	case "":
		wire, err = rpc.ParseWire(names[0])
	case compact:
		wire = rpc.FramedCompact
	default:
		wire, err = rpc.ParseWire(o.Wire)
	}
	if err != nil || !carries(wire, of) {
		return 0, fmt.Errorf("no wire %q carries %s; write --wire %s", o.Wire, of, strings.Join(names, " or "))
	}
	if len(o.Metadata) > 0 && !wire.CarriesMetadata() {
		return 0, fmt.Errorf("the wire %s carries no metadata; leave out -H, or write --wire %s", wire, rpc.TTHeader)
	}
	return wire, nil
}

// IsShared reports whether calls over one connection do not wait for each other.
//
// # Errors
//
// An error for a wire that does not exist, or that does not carry the language or metadata.
func (o Options) IsShared(of definitions.Language) (bool, error) {
	wire, err := o.wire(of)
	return err == nil && wire.CarriesMetadata(), err
}

// Client calls functions over one connection, which it opens for the first call. Several goroutines may use it.
type Client struct {
	rpc      rpc.Client
	metadata rpc.Metadata
}

// New returns a client of an address: "host:port", "tcp://host:port", "unix:///path", "shm:///path", or a path with a slash.
//
// # Errors
//
// Those of [Place] and of [Options.IsShared].
func New(address string, of definitions.Language, o Options) (*Client, error) {
	wire, err := o.wire(of)
	if err != nil {
		return nil, err
	}
	network, place, err := Place(address)
	if err != nil {
		return nil, err
	}
	c := &Client{metadata: o.Metadata}
	c.rpc.Target, c.rpc.Wire, c.rpc.TLS, c.rpc.Connections = network+"://"+place, wire, o.TLS, 1
	// Users who try a service want to see each failure.
	c.rpc.Policies.Retry.Attempts = 1
	return c, nil
}

// Invoke calls a function and waits for its answer; result is nil for a function without an answer.
//
// # Errors
//
// An [rpc.Error]. For an answer of Thrift that does not fit the definition, it is the cause of a generic.Error.
func (c *Client) Invoke(ctx context.Context, f *definitions.Function, args, result definitions.Message) error {
	ctx = c.withMetadata(ctx)
	if f.Language == definitions.Protobuf {
		return c.rpc.Invoke(ctx, f.Method, args, result)
	}
	from, isWriter := args.(thrift.Writer)
	into, isReader := result.(thrift.Reader)
	if !isWriter || result != nil && !isReader {
		return fmt.Errorf("%s: the messages are none of Thrift; take those that the function makes", f.FullName())
	}
	err := c.rpc.ForService(f.Service).Call(ctx, f.Method, from, into)
	return explained(err, result)
}

// explained returns an error that names the fields of an unreadable result.
func explained(err error, result definitions.Message) error {
	if explainer, ok := result.(interface{ Explain(error) error }); ok && err != nil {
		return explainer.Explain(err)
	}
	return err
}

// ErrNoStreams is the error of [Client.Talk] over a wire of Thrift that has no streams.
var ErrNoStreams = fmt.Errorf("streams of Thrift go over a TTHeader alone; write --wire %s or %s", rpc.TTHeader, rpc.TTHeaderFramed)

// Talk calls a function with a stream: it sends the requests that next returns, up to io.EOF, and meanwhile passes each response to take. The next
// response overwrites the message that take receives. A call of next may still be pending when Talk returns.
//
// # Errors
//
// An [rpc.Error], an error of next or take, which ends the call, or [ErrNoStreams].
func (c *Client) Talk(ctx context.Context, f *definitions.Function, next func() (definitions.Message, error), take func(definitions.Message) error) error {
	ctx, cancel := context.WithCancelCause(c.withMetadata(ctx))
	defer cancel(nil)
	opened, err := c.open(ctx, f)
	if err != nil {
		return err
	}
	var unsent *requestError
	go func() {
		if err := sendAll(opened, next); err != nil {
			cancel(err)
		}
	}()
	for message := f.Result(); ; {
		err := opened.Receive(message)
		switch {
		case err == io.EOF:
			return nil
		case errors.As(context.Cause(ctx), &unsent):
			return unsent.error
		case err != nil:
			return explained(err, message)
		}
		if err := take(message); err != nil {
			return err
		}
	}
}

// open opens the stream of a function.
func (c *Client) open(ctx context.Context, f *definitions.Function) (stream.ClientStream, error) {
	if f.Language == definitions.Protobuf {
		return c.rpc.Open(ctx, f.Method)
	}
	if !c.rpc.Wire.HasStreams() {
		return nil, ErrNoStreams
	}
	return c.rpc.ForService(f.Service).(thrift.Opener).OpenStream(ctx, f.Method, nil)
}

// sendAll sends requests until they or the stream end. The receiver of the stream learns why it ended.
//
// # Errors
//
// A [requestError].
func sendAll(to stream.ClientStream, next func() (definitions.Message, error)) error {
	for {
		message, err := next()
		switch {
		case err == io.EOF:
			to.CloseSend()
			return nil
		case err != nil:
			return &requestError{err}
		}
		if to.Send(message) != nil {
			return nil
		}
	}
}

// requestError is the error of a request that could not be obtained.
type requestError struct{ error }

func (c *Client) withMetadata(ctx context.Context) context.Context {
	for _, pair := range c.metadata {
		ctx = rpc.WithMetadata(ctx, pair.Name, pair.Value)
	}
	return ctx
}

// Close closes the connection. Calls that wait for an answer fail.
func (c *Client) Close() error { return c.rpc.Close() }

// Socket returns the network and the place of the socket at which connections to an address begin. It is the same as [Place], except that connections
// through shared memory begin at a Unix socket.
func Socket(address string) (network, place string, err error) {
	network, place, err = Place(address)
	if network == "shm" {
		network = "unix"
	}
	return network, place, err
}

// Place returns the network and the place that an address names.
//
// # Errors
//
// An error for an invalid address.
func Place(address string) (network, place string, err error) {
	scheme, rest, hasScheme := strings.Cut(address, "://")
	switch {
	case hasScheme && (scheme == "tcp" || scheme == "unix" || scheme == "shm") && rest != "":
		return scheme, rest, nil
	case !hasScheme && strings.Contains(address, "/"):
		return "unix", strings.TrimPrefix(address, "unix:"), nil
	case !hasScheme && strings.Contains(address, ":"):
		return "tcp", address, nil
	}
	return "", "", fmt.Errorf("%q is no address; write host:port, unix:///path or shm:///path", address)
}
