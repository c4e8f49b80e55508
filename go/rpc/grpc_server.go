package rpc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/h2"
	"hone/go/rpc/internal/link"
	"hone/go/thrift"
)

// serveGRPC answers the calls of a connection of HTTP/2.
func (c *serverConn) serveGRPC() error {
	options := h2.Options{Lost: c.server.lose, MessageBytes: c.server.MessageBytes, SendBytes: c.server.MessageBytes, Streams: c.server.MaxCallsPerConnection,
		KeepAlive: c.server.KeepAlive.options(), Pings: h2.Pings{Every: c.server.Pings.Every, WithoutStreams: c.server.Pings.WithoutCalls}}
	connection := h2.NewServer(c.link, options, c.begin)
	c.mu.Lock()
	c.drainWire = connection.Drain
	c.mu.Unlock()
	if c.isEnding.Load() {
		connection.Drain()
		// A drain before the wire was known has set a deadline.
		c.conn.SetReadDeadline(time.Time{})
	}
	return connection.Serve()
}

// begin handles a stream that a client has begun. The reading goroutine calls it.
func (c *serverConn) begin(stream *h2.Stream) {
	method := c.server.protos[stream.Request.Path]
	if method == nil {
		stream.RespondNow(context.Background(), &h2.Response{Status: grpcwire.Status{Code: grpcwire.Unimplemented, Message: c.server.unknown(stream.Request.Path)}})
		return
	}
	if bad := badBinary(stream.Request.Metadata); bad != "" {
		stream.RespondNow(context.Background(), &h2.Response{Status: grpcwire.Status{Code: grpcwire.InvalidArgument, Message: bad}})
		return
	}
	call := &grpcCall{conn: c, stream: stream, method: method}
	call.ctx.conn, call.ctx.call, call.ctx.stream, call.ctx.labels = c, &call.call, stream, method.labels
	if stream.Request.HasTimeout {
		call.ctx.deadline = time.Now().Add(stream.Request.Timeout)
	}
	call.call = Call{Side: ServerSide, Service: method.service, Method: method.Name, Wire: GRPC, Address: c.conn.RemoteAddr(), TLS: c.secured, told: call}
	c.running.Add(1)
	c.calls.Add(1)
	if method.Serve != nil {
		stream.SetReceiver(call)
		return
	}
	c.server.workers.Go((*streamTask)(call))
}

// unknown returns a text that says what is wrong with the path of a call.
func (s *Server) unknown(path string) string {
	service, _, err := splitMethod(path)
	if err != nil {
		return err.Error()
	}
	for _, known := range s.services {
		if known.Name == service {
			return "unknown method " + path
		}
	}
	return "unknown service " + service
}

// grpcCall is a call of gRPC that is being answered: the receiver of its request, and a task of a worker.
type grpcCall struct {
	call   Call
	ctx    callContext
	conn   *serverConn
	stream *h2.Stream
	method *protoMethod
	// requests is the number of requests that have come, and err their error.
	requests int
	err      error
	parsed   sync.Once
	pairs    outgoing
	// replied guards the metadata that the handler adds to the answer.
	replied         sync.Mutex
	header, trailer []h2.Field
	hasSentHeader   bool
}

// Message implements [h2.Receiver]: it decodes the request in place.
func (c *grpcCall) Message(_ *h2.Stream, message []byte, isCompressed, _ bool) {
	if c.requests++; c.requests > 1 {
		c.err = Errorf(Internal, "the client has sent several requests to %s, which takes one", c.method.Name)
		return
	}
	c.call.Request = c.method.NewRequest()
	c.err = c.read(message, isCompressed, c.call.Request)
	unlabel()
}

// read decodes a message from the client.
func (c *grpcCall) read(message []byte, isCompressed bool, into any) (err error) {
	defer recovered(&err, c.method.Name)
	c.ctx.label()
	if isCompressed {
		if message, err = c.conn.server.compression.decompress(message, c.stream.Request.Encoding, c.conn.server.MessageBytes); err != nil {
			return err
		}
	}
	if err := readProto(message, into); err != nil {
		return Errorf(InvalidArgument, "the request cannot be read: %v", err)
	}
	return nil
}

// End implements [h2.Receiver].
func (c *grpcCall) End(_ *h2.Stream, lost *h2.Error) {
	if lost != nil {
		// The client has gone, or sent something that is no request.
		c.err = &Error{Code: Code(lost.Code), Message: lost.What}
	} else if c.requests == 0 {
		c.err = Errorf(Internal, "the client has sent no request")
	}
	c.conn.server.workers.Go(c)
}

// Run implements [workers.Task]: it answers the call.
func (c *grpcCall) Run() {
	defer c.leave()
	c.ctx.label()
	defer unlabel()
	if c.err == nil {
		c.err = c.conn.server.handle(&c.ctx, c)
	}
	c.ctx.finish()
	c.respond()
}

func (c *grpcCall) leave() {
	c.conn.calls.Add(-1)
	c.conn.running.Done()
}

// serve calls the handler.
func (c *grpcCall) serve(ctx context.Context) (err error) {
	defer recovered(&err, c.method.Name)
	c.call.Response, err = c.method.Serve(ctx, c.call.Request)
	return err
}

// respond sends the whole answer at once.
func (c *grpcCall) respond() {
	response := h2.Response{Status: c.status(c.err)}
	response.Metadata, response.Trailer = c.takeReply()
	if c.err == nil {
		response.Header = c.headerTemplate()
		response.Message, response.IsCompressed = c.conn.server.compression.compress(c.encoding(), newProtoMessage(c.call.Response))
	} else {
		response.Trailer = verdictOf(c.err).trailerWith(response.Trailer)
	}
	c.answer(&response)
}

// answer sends an answer or, if that fails, the error: a caller is never left without an answer.
func (c *grpcCall) answer(response *h2.Response) {
	err := c.stream.Respond(context.Background(), response)
	if err == nil || c.isOver() {
		return
	}
	// The response is too long, or cannot be written: nothing of it was sent.
	err = fmt.Errorf("the response: %w", err)
	again := c.stream.Respond(context.Background(), &h2.Response{Status: c.status(err), Trailer: response.Trailer})
	if again == nil || c.isOver() {
		return
	}
	c.stream.Reset(h2.InternalError)
	c.conn.server.lose(fmt.Errorf("call %s was reset without an answer: %w", c.stream.Request.Path, errors.Join(err, again)))
}

// isOver reports whether the stream has ended, so that nothing can be answered.
func (c *grpcCall) isOver() bool { return c.stream.Err() != nil }

// encoding returns the encoding of responses; nil means no compression.
func (c *grpcCall) encoding() *encoding {
	return c.conn.server.compression.bestOf(c.stream.Request.AcceptEncoding)
}

func (c *grpcCall) headerTemplate() *h2.Template {
	if by := c.encoding(); by != nil {
		return by.header
	}
	return h2.DefaultHeader
}

// status returns the status that the client gets for an error.
func (c *grpcCall) status(err error) grpcwire.Status {
	var (
		panicked *thrift.PanicError
		written  *link.PanicError
		lost     *h2.Error
		own      *Error
	)
	switch {
	case err == nil:
		return grpcwire.Status{}
	case errors.As(err, &panicked), errors.As(err, &written):
		c.conn.server.lose(err)
		return grpcwire.Status{Code: grpcwire.Internal, Message: "the handler panicked"}
	case errors.As(err, &own) && own != nil:
		return grpcwire.Status{Code: grpcwire.Code(own.Code), Message: own.Message, Details: statusDetails(own)}
	case errors.As(err, &lost):
		return grpcwire.Status{Code: lost.Code, Message: lost.What}
	}
	return grpcwire.Status{Code: grpcwire.Code(CodeOf(err)), Message: textOf(err)}
}

// persistent begins the names of metadata that goes on to all calls, as Kitex has it.
const persistent = "rpc-persist-"

// metadata implements [teller].
func (c *grpcCall) metadata() outgoing {
	c.parsed.Do(func() { c.pairs = metadataOf(c.stream.Request.Metadata) })
	return c.pairs
}

// badBinary returns a text that says what is wrong with the values of -bin fields; "" if nothing is.
func badBinary(fields []h2.Field) string {
	for _, field := range fields {
		if !grpcwire.IsBinary(field.Name) {
			continue
		}
		if _, err := grpcwire.ParseBinaries(field.Value); err != nil {
			return fmt.Sprintf("metadata %.100q is not base64, as names that end with -bin tell: %v; encode it, or choose another name", field.Name, errors.Unwrap(err))
		}
	}
	return ""
}

// metadataOf reads metadata from fields of HTTP/2.
func metadataOf(fields []h2.Field) (told outgoing) {
	for _, field := range fields {
		name, isLasting := strings.CutPrefix(field.Name, persistent)
		values := []string{field.Value}
		if grpcwire.IsBinary(name) {
			values = nil
			// A value that is not base64 is left out.
			decoded, _ := grpcwire.ParseBinaries(field.Value)
			for _, value := range decoded {
				values = append(values, string(value))
			}
		}
		for _, value := range values {
			if isLasting {
				told.lasting = append(told.lasting, Pair{Name: name, Value: value})
			} else {
				told.single = append(told.single, Pair{Name: name, Value: value})
			}
		}
	}
	return told
}

// appendFields appends metadata as fields of HTTP/2.
func appendFields(to []h2.Field, prefix string, pairs Metadata) []h2.Field {
	for _, pair := range pairs {
		value := pair.Value
		if grpcwire.IsBinary(pair.Name) {
			value = string(grpcwire.AppendBinary(nil, []byte(value)))
		}
		to = append(to, h2.Field{Name: prefix + strings.ToLower(pair.Name), Value: value})
	}
	return to
}
