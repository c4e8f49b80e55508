package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"hone/go/rpc/internal/thriftwire"
	"hone/go/rpc/internal/ttstream"
	"hone/go/thrift"
)

// serverStreams holds the open streams of Thrift of a connection.
type serverStreams struct {
	wire *thriftServerWire
	room ttstream.Room

	mu   sync.Mutex
	open map[int32]*thriftStream
}

func newServerStreams(wire *thriftServerWire) *serverStreams {
	return &serverStreams{wire: wire, open: map[int32]*thriftStream{}}
}

// thriftStream is a stream of Thrift that is being answered: a task of a worker, and the stream as it is on the wire.
type thriftStream struct {
	call     Call
	ctx      callContext
	streams  *serverStreams
	method   *thriftMethod
	sequence int32
	inbox    *ttstream.Inbox
	// header is the TTHeader with which the client opened the stream.
	header *thriftwire.Header
	parsed sync.Once
	told   outgoing
	// hasEnded is true once either side has given the stream up.
	hasEnded atomic.Bool

	// replied guards the metadata that the handler adds to the answer.
	replied         sync.Mutex
	early, trailing Metadata
	hasSentHeader   bool
}

// take handles a frame of a stream. Only the goroutine that reads calls it, and it must not wait.
//
// # Errors
//
// The error of a frame after which the connection cannot be used.
func (s *serverStreams) take(message *thriftwire.Message) error {
	kind, method, err := message.Frame()
	if err != nil {
		return err
	}
	sequence := message.Header.Sequence
	s.mu.Lock()
	stream := s.open[sequence]
	s.mu.Unlock()
	switch {
	case kind == thriftwire.HeaderFrame && stream != nil:
		return &thriftwire.HeaderError{What: fmt.Sprintf("stream %d is opened twice", sequence)}
	case kind == thriftwire.HeaderFrame:
		return s.begin(message, method)
	case stream == nil:
		// The stream ended while the frame was on its way.
		return nil
	case kind == thriftwire.DataFrame:
		return stream.put(message)
	case kind == thriftwire.TrailerFrame:
		stream.inbox.End(io.EOF)
	case kind == thriftwire.ResetFrame:
		stream.giveUp(&Error{Code: Canceled, Message: "the client has given the stream up" + textOfReset(message)})
	}
	return nil
}

// begin begins a stream, or refuses it.
func (s *serverStreams) begin(message *thriftwire.Message, method string) error {
	server := s.wire.server
	s.wire.meet(&message.Header)
	made := &thriftStream{streams: s, sequence: message.Header.Sequence, inbox: ttstream.NewInbox(&s.room)}
	made.ctx.conn, made.ctx.call = s.wire.serverConn, &made.call
	made.call = Call{Side: ServerSide, Method: method, Wire: TTHeader, Address: s.wire.conn.RemoteAddr(), TLS: s.wire.secured, told: made}
	made.header = keepHeader(&message.Header, &made.ctx)
	found, err := server.thriftMethod(method, made.call.Service)
	switch {
	case err != nil:
	case found.handler.Stream == nil:
		err = &thrift.ApplicationException{Type: thrift.UnknownMethod, Message: method + " is no stream: it has one request and one response"}
	case s.wire.streams.Load() >= int32(server.MaxCallsPerConnection):
		err = &Error{Code: ResourceExhausted, IsRefused: true,
			Message: fmt.Sprintf("%d streams go on over the connection, and no more may: open another connection", server.MaxCallsPerConnection)}
	}
	if err != nil {
		return s.wire.link.SendNow(made.trailerFrame(method, err))
	}
	made.method, made.ctx.labels = found, found.labels
	made.call.Service, made.call.Method = found.service, found.name
	s.mu.Lock()
	s.open[made.sequence] = made
	s.mu.Unlock()
	s.wire.running.Add(1)
	s.wire.streams.Add(1)
	server.workers.Go(made)
	return nil
}

// end tells handlers that no more requests come, if the client has not said so itself. They may still answer.
func (s *serverStreams) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, stream := range s.open {
		stream.inbox.End(&Error{Code: Canceled, Message: "the connection has ended before the last request"})
	}
}

// put takes a message, or resets the stream if there is no room for the message.
func (s *thriftStream) put(message *thriftwire.Message) error {
	err := s.inbox.Put(keptBytes(message))
	if err == nil {
		return nil
	}
	full := &Error{Code: ResourceExhausted, Message: err.Error(), Cause: err}
	s.giveUp(full)
	return s.streams.wire.link.SendNow(s.frame(thriftwire.ResetFrame, full))
}

// keptBytes returns a message's bytes, in memory that stays valid.
func keptBytes(message *thriftwire.Message) []byte {
	// With shorter bytes, a long header would be kept in memory without being counted.
	if message.IsKept && len(message.Bytes) >= message.Header.Bytes() {
		return message.Bytes
	}
	return append([]byte(nil), message.Bytes...)
}

// textOfReset returns the text of a ResetFrame, for the end of an error.
func textOfReset(message *thriftwire.Message) string {
	exception, err := readStreamException(message.Bytes)
	if err != nil || exception == nil || exception.Message == "" {
		return ""
	}
	return ": " + exception.Message
}

// readStreamException reads the exception that ends a stream; nil if there is none.
func readStreamException(payload []byte) (*thrift.ApplicationException, error) {
	if len(payload) == 0 {
		return nil, nil
	}
	header, off, err := thrift.Binary{}.ReadHeader(payload)
	if err != nil {
		return nil, err
	}
	if header.Type != thrift.Exception {
		return nil, fmt.Errorf("a stream ends with a message of type %d, which is no exception", header.Type)
	}
	exception := new(thrift.ApplicationException)
	return exception, thrift.Binary{}.ReadBody(payload[off:], exception)
}

// giveUp ends a stream whose answer nobody waits for any more.
func (s *thriftStream) giveUp(err error) {
	s.hasEnded.Store(true)
	s.leave()
	s.inbox.Drop(err)
	s.ctx.end(context.Canceled)
}

// leave removes the stream from its connection. Another stream may have its number already.
func (s *thriftStream) leave() {
	s.streams.mu.Lock()
	defer s.streams.mu.Unlock()
	if s.streams.open[s.sequence] == s {
		delete(s.streams.open, s.sequence)
	}
}

// Run implements [workers.Task].
func (s *thriftStream) Run() {
	conn := s.streams.wire.serverConn
	defer func() {
		conn.streams.Add(-1)
		conn.running.Done()
	}()
	s.ctx.label()
	defer unlabel()
	s.call.Stream = s
	err := conn.server.handle(&s.ctx, s)
	s.ctx.finish()
	s.finish(err)
}

// serve implements [answerer].
func (s *thriftStream) serve(ctx context.Context) (err error) {
	defer recovered(&err, s.method.name)
	return s.method.handler.Stream(&ServerStream{stream: s.call.Stream, ctx: ctx, call: s})
}

// finish tells the client how the stream ends.
func (s *thriftStream) finish(err error) {
	isOpen := !s.hasEnded.Swap(true)
	// The client may use the number anew as soon as it has read the trailer.
	s.leave()
	s.inbox.Drop(io.EOF)
	if !isOpen {
		return
	}
	s.replied.Lock()
	defer s.replied.Unlock()
	frames := thriftwire.StreamFrames{s.trailerFrame(s.method.name, err)}
	if !s.hasSentHeader {
		frames = append(thriftwire.StreamFrames{s.headerFrame()}, frames...)
	}
	link := s.streams.wire.link
	lost := link.Send(context.Background(), frames)
	if lost == nil || link.Cause() != nil {
		return
	}
	// The metadata is too long, or an error panicked when it was written: nothing of it was sent.
	server := s.streams.wire.server
	server.lose(fmt.Errorf("the end of stream %s: its metadata is left out: %w", s.method.name, lost))
	s.trailing = nil
	if err == nil {
		err = fmt.Errorf("the end of the stream: %w", lost)
	}
	if lost = link.Send(context.Background(), s.trailerFrame(s.method.name, err)); lost == nil || link.Cause() != nil {
		return
	}
	lost = fmt.Errorf("the end of stream %s: %w", s.method.name, lost)
	server.lose(lost)
	if link.Send(context.Background(), s.frame(thriftwire.ResetFrame, nil)) != nil {
		link.Close(lost)
	}
}

// trailerFrame makes the frame that ends the stream, with an error or in order.
func (s *thriftStream) trailerFrame(method string, err error) *thriftwire.StreamFrame {
	frame := s.frame(thriftwire.TrailerFrame, nil)
	frame.Method, frame.Named = method, namedOf(s.trailing)
	if err == nil {
		return frame
	}
	if status := bizStatusIn(err); status != nil {
		frame.Named = s.streams.wire.server.appendBizStatus(frame.Named, status)
		return frame
	}
	s.explain(frame, err)
	return frame
}

// frame makes a frame of the stream, with an exception for err unless that is nil.
func (s *thriftStream) frame(kind thriftwire.FrameKind, err error) *thriftwire.StreamFrame {
	frame := &thriftwire.StreamFrame{Kind: kind, Sequence: s.sequence, Method: s.call.Method, MessageBytes: s.streams.wire.server.MessageBytes}
	if err != nil {
		s.explain(frame, err)
	}
	return frame
}

// explain puts an error into a frame, as an exception and facts.
func (s *thriftStream) explain(frame *thriftwire.StreamFrame, err error) {
	frame.Exception = s.streams.wire.server.exceptionOf(frame.Method, err)
	frame.Named = verdictOf(err).appendFacts(frame.Named)
}

func (s *thriftStream) headerFrame() *thriftwire.StreamFrame {
	frame := s.frame(thriftwire.HeaderFrame, nil)
	frame.Named = namedOf(s.early)
	return frame
}

// namedOf returns pairs as facts of a TTHeader.
func namedOf(pairs Metadata) []thriftwire.Named {
	var named []thriftwire.Named
	for _, pair := range pairs {
		named = append(named, thriftwire.Named{Name: pair.Name, Value: pair.Value})
	}
	return named
}

// metadata implements [teller].
func (s *thriftStream) metadata() outgoing {
	s.parsed.Do(func() { s.told = metadataIn(s.header) })
	return s.told
}

// Context implements [Stream].
func (s *thriftStream) Context() context.Context { return &s.ctx }

// Send implements [Stream].
func (s *thriftStream) Send(message any) error {
	body, isWriter := message.(thrift.Writer)
	if !isWriter {
		return Errorf(Internal, "a %T is no struct of Thrift, and cannot be sent over a stream of Thrift", message)
	}
	if err := s.sendHeader(); err != nil {
		return err
	}
	if s.hasEnded.Load() {
		return &Error{Code: Canceled, Message: "the stream has ended"}
	}
	frame := s.frame(thriftwire.DataFrame, nil)
	frame.Body = body
	return s.lostOr(s.streams.wire.link.SendSoon(&s.ctx, frame))
}

// Receive implements [Stream].
func (s *thriftStream) Receive(into any) error {
	body, isReader := into.(thrift.Reader)
	if !isReader {
		return Errorf(Internal, "a %T is no struct of Thrift, and nothing is received into it from a stream of Thrift", into)
	}
	message, err := s.inbox.Next(&s.ctx)
	if err != nil {
		return s.lostOr(err)
	}
	if err := s.streams.wire.server.thrift.Of(thriftwire.Form{}).ReadBody(message, body); err != nil {
		return &Error{Code: InvalidArgument, Message: fmt.Sprintf("the request cannot be read: %v", err), Cause: err}
	}
	return nil
}

// lostOr turns an error of the connection or the context into an [Error].
func (s *thriftStream) lostOr(err error) error {
	var own *Error
	var tooLong *thrift.TooLongError
	switch {
	case err == nil, err == io.EOF, errors.As(err, &own):
		return err
	case errors.As(err, &tooLong):
		return &Error{Code: ResourceExhausted, Cause: err}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: CodeOf(err), Message: "the call has ended", Cause: err}
	case s.streams.wire.isClosed():
		return &Error{Code: Canceled, Message: "the connection has ended", Cause: err}
	}
	return err
}

// setHeader implements [replying]. Names are kept as they are: Kitex's have capitals.
func (s *thriftStream) setHeader(header Metadata) error {
	s.replied.Lock()
	defer s.replied.Unlock()
	if s.hasSentHeader {
		return Errorf(Internal, "the header has been sent: set it before the first response")
	}
	return s.add(&s.early, "header", header)
}

// sendHeader implements [replying].
func (s *thriftStream) sendHeader() error {
	s.replied.Lock()
	defer s.replied.Unlock()
	if s.hasSentHeader || s.hasEnded.Load() {
		return nil
	}
	if err := s.streams.wire.link.SendSoon(&s.ctx, s.headerFrame()); err != nil {
		return s.lostOr(err)
	}
	s.hasSentHeader = true
	return nil
}

// setTrailer implements [replying].
func (s *thriftStream) setTrailer(trailer Metadata) error {
	s.replied.Lock()
	defer s.replied.Unlock()
	return s.add(&s.trailing, "trailer", trailer)
}

// add adds the pairs that a TTHeader can carry. Many handlers do not look at the error, so the server reports it too.
func (s *thriftStream) add(to *Metadata, what string, pairs Metadata) error {
	var bad []error
	server := s.streams.wire.server
	room := min(mostMetadataBytes, server.MessageBytes/2)
	for _, pair := range *to {
		room -= factBytes(pair)
	}
	for _, pair := range pairs {
		switch bytes := factBytes(pair); {
		case isReserved(pair.Name):
			bad = append(bad, Errorf(InvalidArgument, "metadata may not be called %q, which tells how a stream ended: choose another name", pair.Name))
		case len(pair.Name) > mostFactBytes || len(pair.Value) > mostFactBytes || bytes > room:
			bad = append(bad, Errorf(ResourceExhausted, "metadata %.100q of %d bytes has no room: a name or value may have %d bytes, and a %s %d; send less", pair.Name,
				bytes, mostFactBytes, what, min(mostMetadataBytes, server.MessageBytes/2)))
		default:
			*to, room = append(*to, pair), room-bytes
		}
	}
	if bad == nil {
		return nil
	}
	err := errors.Join(bad...)
	server.lose(fmt.Errorf("answer of %s: left out of the %s: %w", s.method.name, what, err))
	return err
}

// Room in a TTHeader, in bytes: for a name or a value, and for metadata beside the facts about errors.
const (
	mostFactBytes     = 65_535
	mostMetadataBytes = 128 << 10
)

// factBytes returns the number of bytes that a pair takes in a TTHeader, with both lengths.
func factBytes(pair Pair) int { return len(pair.Name) + len(pair.Value) + 4 }

// isReserved reports whether a name in the trailer of a stream describes how the stream ended.
func isReserved(name string) bool {
	return strings.HasPrefix(name, "biz-") && (name == thriftwire.StatusCode || name == thriftwire.StatusMessage || name == thriftwire.StatusExtra) ||
		name == codeFact || name == refusedFact || name == retryAfterFact
}
