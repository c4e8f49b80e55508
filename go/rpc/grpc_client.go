package rpc

import (
	"context"
	"errors"
	"fmt"
	"net"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/h2"
	"hone/go/rpc/internal/link"
)

// grpcConn is a connection that carries many calls of gRPC at the same time.
type grpcConn struct {
	client *Client
	h2     *h2.Client
	hooks  hooks
}

func newGRPCConn(client *Client, conn net.Conn, told hooks) *grpcConn {
	l := link.New(conn, link.Options{})
	options := h2.Options{MessageBytes: client.MessageBytes, SendBytes: client.MessageBytes, KeepAlive: client.KeepAlive.options()}
	c := &grpcConn{client, h2.NewClient(l, options), told}
	goUnlabelled(func() {
		<-c.h2.Leaving()
		told.left()
	})
	return c
}

// awaitSettings waits until the settings of the server have come.
func (c *grpcConn) awaitSettings(ctx context.Context) error {
	select {
	case <-c.h2.Settled():
		return nil
	case <-c.h2.Ended():
		return c.h2.Cause()
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", h2.ErrHandshake, context.Cause(ctx))
	}
}

func (c *grpcConn) takesCalls() bool {
	select {
	case <-c.h2.Leaving():
		return false
	case <-c.h2.Ended():
		return false
	default:
		return true
	}
}

func (c *grpcConn) isOver() bool {
	select {
	case <-c.h2.Ended():
		return true
	default:
		return false
	}
}

func (c *grpcConn) leave() { c.h2.Drain() }

func (c *grpcConn) close(cause error) { c.h2.Close(cause) }

// userAgent is the name by which this package identifies itself.
const userAgent = "hone-go"

// templateKey identifies a template.
type templateKey struct{ path, authority string }

// template returns the first fields of the headers of calls of a method.
func (c *Client) template(path string, at *instance) *h2.Template {
	key := templateKey{path, at.authority()}
	if made, ok := c.templates.Load(key); ok {
		return made.(*h2.Template)
	}
	scheme := "http"
	if c.TLS != nil {
		scheme = "https"
	}
	fields := []h2.Field{{Name: "grpc-accept-encoding", Value: c.compression.names}}
	if by := c.compression.best(); by != nil {
		fields = append(fields, h2.Field{Name: "grpc-encoding", Value: by.Encoding()})
	}
	if c.Name != "" {
		fields = append(fields, h2.Field{Name: "source-service", Value: c.Name})
	}
	made, _ := c.templates.LoadOrStore(key, h2.NewRequestTemplate(scheme, key.authority, path, grpcwire.ContentType, userAgent, fields...))
	return made.(*h2.Template)
}

// authority returns the name by which requests address a server.
func (i *instance) authority() string {
	switch {
	case i.client.TLS != nil && i.client.TLS.ServerName != "":
		return i.client.TLS.ServerName
	case i.serverName != "":
		return i.serverName
	case i.at.hasPath():
		return "localhost"
	}
	return i.at.address
}

// grpcCallOf makes the HTTP/2 call for a method, with the metadata of the context.
func (c *grpcConn) grpcCallOf(ctx context.Context, at *instance, path string) h2.Call {
	call := h2.Call{Header: c.client.template(path, at)}
	if set := outgoingOf(ctx); len(set.single)+len(set.lasting) > 0 {
		call.Metadata = appendFields(appendFields(nil, "", set.single), persistent, set.lasting)
	}
	return call
}

// attempt makes an attempt of a call with one request and one response.
func (c *grpcConn) attempt(ctx context.Context, at *instance, r *request, result any) *Error {
	message, isCompressed := c.client.compress(r.args)
	moved := c.h2.Moved()
	stream, err := c.h2.Call(ctx, c.grpcCallOf(ctx, at, r.path), message, isCompressed, &grpcReply{c.client, result})
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) && c.h2.Moved() == moved {
		// Nothing has come since the call began: the server may have vanished silently.
		c.leave()
	}
	if stream == nil {
		return at.grpcFailed(Sending, err)
	}
	if err == nil {
		if r.reply != nil {
			*r.reply = Reply{metadataOf(stream.Header()).single, metadataOf(stream.Trailer()).single}
		}
		return at.answered(stream)
	}
	return at.grpcFailed(Waiting, err)
}

// answered returns the error that a stream ended with; after OK, only that of unreadable metadata.
func (i *instance) answered(stream *h2.Stream) *Error {
	status := stream.Status()
	if status.Code == grpcwire.OK {
		return i.unreadableMetadata(stream)
	}
	failure := &Error{Message: status.Message, Stage: Answering, Address: i.at.String(), Details: readDetails(status.Details)}
	told := verdict{code: Code(status.Code)}
	told.readTrailer(stream.Trailer())
	told.setIn(failure)
	return failure
}

// unreadableMetadata returns the error of an answer whose -bin fields are not base64. It is left out if the service sent an error, which tells more.
func (i *instance) unreadableMetadata(stream *h2.Stream) *Error {
	bad := badBinary(stream.Header())
	if bad == "" {
		bad = badBinary(stream.Trailer())
	}
	if bad == "" {
		return nil
	}
	return &Error{Code: Internal, Message: "of the answer, " + bad, Stage: Reading, Address: i.at.String()}
}

// grpcFailed makes the error of a call that was not answered.
func (i *instance) grpcFailed(stage Stage, err error) *Error {
	failure := i.failed(stage, err)
	var lost *h2.Error
	var unreadable *unreadableError
	switch {
	case errors.As(err, &unreadable):
		failure.Code, failure.Stage, failure.Cause = Internal, Reading, unreadable.error
		var own *Error
		if errors.As(unreadable.error, &own) {
			failure.Code, failure.Message = own.Code, own.Message
		}
	case errors.As(err, &lost):
		failure.Code, failure.Message = Code(lost.Code), lost.What
		if failure.Cause = lost.Cause; lost.IsUnprocessed {
			failure.Stage = Sending
			failure.Cause = errors.Join(errNotSent, lost.Cause)
		}
	}
	return failure
}

// compress returns a message as it is sent, and whether it is compressed.
func (c *Client) compress(message any) (sent h2.Message, isCompressed bool) {
	return c.compression.compress(c.compression.best(), newProtoMessage(message))
}

// grpcReply reads the response of a call.
type grpcReply struct {
	client *Client
	result any
}

// unreadableError is the error of a response that cannot be read.
type unreadableError struct{ error }

// ReadMessage implements [h2.Reply].
func (g *grpcReply) ReadMessage(s *h2.Stream, message []byte, isCompressed bool) (err error) {
	defer func() {
		recovered(&err, "")
		if err != nil {
			err = &unreadableError{err}
		}
	}()
	return g.client.readResponse(s, message, isCompressed, g.result)
}

func (c *Client) readResponse(s *h2.Stream, message []byte, isCompressed bool, into any) (err error) {
	if isCompressed {
		if message, err = c.compression.decompress(message, s.Encoding(), c.MessageBytes); err != nil {
			return err
		}
	}
	return readProto(message, into)
}

// Invoke implements [Invoker].
//
// # Errors
//
// An [Error], which unwraps to the context's error if the context ended first.
func (c *Client) Invoke(ctx context.Context, method string, request, response any) error {
	r, err := c.request(method)
	if err != nil {
		return err
	}
	r.args, r.result = request, response
	if taken, ok := ctx.Value(replyKey{}).(*Reply); ok {
		r.reply = taken
	}
	return c.do(ctx, r)
}

// Reply holds the metadata that comes with a response of gRPC.
type Reply struct{ Header, Trailer Metadata }

type replyKey struct{}

// WithReply makes calls with this context store the header and the trailer of their answers in a reply.
func WithReply(ctx context.Context, reply *Reply) context.Context {
	return context.WithValue(ctx, replyKey{}, reply)
}

// request makes the request of a call of gRPC.
func (c *Client) request(path string) (*request, error) {
	service, method, err := splitMethod(path)
	if err != nil {
		return nil, &Error{Code: InvalidArgument, Stage: Sending, Method: path, Cause: err}
	}
	if err := c.checkKind(protobufMethod); err != nil {
		err.Method = path
		return nil, err
	}
	return &request{client: c, service: service, method: method, path: path, isIdempotent: isIdempotent(path)}, nil
}
