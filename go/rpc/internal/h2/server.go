package h2

import (
	"strings"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/link"
)

// Server is the server's side of a connection.
type Server struct {
	conn   *conn
	handle func(*Stream)
	// conn's mu guards all fields below: the last stream that was begun, the number of streams that were begun, the number of handlers
	// that run, and the phase of the connection's end.
	last    uint32
	begun   uint32
	running int
	phase   phase
}

// phase tells how near a server's connection is to its end.
type phase uint8

const (
	serving phase = iota
	// warned: the client has been told to begin no more streams, and streams that it began before may still come.
	warned
	// closing: no more streams are taken.
	closing
)

// NewServer makes the server's side of a connection. The reading goroutine calls the function for each stream that begins, so the
// function must not wait: it gives the stream a receiver by [Stream.SetReceiver], or starts a goroutine that reads the stream by
// [Stream.Receive]. Each stream must be ended by [Stream.Respond], [Stream.RespondNow], [Stream.Finish] or [Stream.Reset], even
// when [Stream.Done] is closed: until then its handler counts as running.
func NewServer(l *link.Link, options Options, handle func(*Stream)) *Server {
	s := &Server{conn: newConn(l, options), handle: handle}
	s.conn.side = s
	s.conn.pings.isOn = true
	// Nothing may be sent before this.
	s.conn.sendControl(s.conn.appendOpening(nil, setting{settingStreams, uint32(s.conn.options.Streams)}))
	return s
}

// Serve reads from the connection until it ends, and returns the cause: nil if the client has closed the connection without open
// streams, or if the connection was drained.
func (s *Server) Serve() error {
	s.conn.start()
	if err := s.readPreface(); err != nil {
		if cause := s.conn.link.Cause(); cause != nil {
			err = cause
		}
		s.conn.end(err)
		s.conn.link.Close(err)
		return err
	}
	return s.conn.run()
}

// readPreface reads the start of what a client sends, and stops if that is not the preface.
func (s *Server) readPreface() error {
	for there := 1; ; there++ {
		b, err := s.conn.link.Peek(there)
		if err != nil {
			return err
		}
		there = min(len(b), len(preface))
		if !strings.HasPrefix(preface, string(b[:there])) {
			return ErrPreface
		}
		if there == len(preface) {
			s.conn.link.Skip(there)
			return nil
		}
	}
}

// Drain makes the client begin no more streams, and closes the connection when the streams that it has begun have ended. Drain does
// not wait for that.
func (s *Server) Drain() {
	c := s.conn
	c.mu.Lock()
	isFirst := s.phase == serving && c.ended == nil
	if isFirst {
		s.phase = warned
	}
	c.mu.Unlock()
	if !isFirst {
		return
	}
	// The client answers the PING when it has read that it must begin no more streams: all streams that it has begun before have come
	// by then.
	c.sendControl(appendPing(appendGoAway(nil, largestID, NoError, ""), drainPing))
	c.options.Clock.AfterFunc(c.options.LingerTimeout, s.pong)
}

// pong stops taking streams.
func (s *Server) pong() {
	c := s.conn
	c.mu.Lock()
	isNext := s.phase == warned && c.ended == nil
	if isNext {
		s.phase, c.isDraining = closing, true
	}
	last, isDone := s.last, len(c.streams) == 0
	c.mu.Unlock()
	if !isNext {
		return
	}
	c.sendControl(appendGoAway(nil, last, NoError, ""))
	if isDone {
		c.finish(ErrDone)
	}
}

// Close ends all streams and the connection, for a cause.
func (s *Server) Close(cause error) {
	s.conn.sayGoAway(NoError, "")
	s.conn.finish(cause)
}

// Streams returns the number of open calls.
func (s *Server) Streams() int {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	return len(s.conn.streams)
}

func (s *Server) canAnswer() bool                        { return true }
func (s *Server) allowStreams(int64)                     {}
func (s *Server) leave()                                 {}
func (s *Server) goAway(uint32, ErrorCode, string) error { return nil }

func (s *Server) lastTaken() uint32 {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	return s.last
}

// isIdle reports whether no stream of this id has begun.
func (s *Server) isIdle(id uint32) bool { return id%2 == 0 || id > s.lastTaken() }

// removed closes a connection that was drained.
func (s *Server) removed(*Stream) {
	if s.phase == closing && s.conn.ended == nil && len(s.conn.streams) == 0 {
		// The locks are held here.
		go s.conn.finish(ErrDone)
	}
}

// left notes that a handler has done its work.
func (s *Server) left(stream *Stream) {
	s.conn.mu.Lock()
	if stream.isRunning {
		stream.isRunning = false
		s.running--
	}
	s.conn.mu.Unlock()
}

// dataEnded notes that the client sends no more.
func (s *Server) dataEnded(stream *Stream) error {
	if len(stream.partial) > 0 {
		stream.endReceiving(errCut)
	} else {
		stream.endReceiving(nil)
	}
	return nil
}

// headers begins a stream, or ends the client's side of one.
func (s *Server) headers(h head) error {
	c := s.conn
	if known := c.find(h.stream); known != nil {
		return s.trailer(h, known)
	}
	c.mu.Lock()
	if h.stream%2 == 0 || h.stream <= s.last {
		defer c.mu.Unlock()
		return s.outOfOrder(h.stream)
	}
	if s.phase == closing {
		c.mu.Unlock()
		return c.countIdle()
	}
	s.last = h.stream
	s.begun++
	isFull := len(c.streams) >= c.options.Streams || s.running >= handlersPerStream*c.options.Streams
	c.mu.Unlock()
	if isFull {
		return c.reset(h.stream, RefusedStream)
	}
	return s.begin(h)
}

// outOfOrder returns the error for HEADERS of a stream that has ended, or that cannot begin. mu is held.
func (s *Server) outOfOrder(id uint32) error {
	if id%2 == 0 {
		return protocolError("a client begins a stream with an even id")
	}
	if f := &s.conn.decoder.fields; f.method == "" && f.path == "" {
		// The stream may have been reset while its trailer was on the way.
		return s.conn.countLateHead()
	}
	if isWithoutGaps := s.last == 2*s.begun-1; isWithoutGaps {
		return &connectionError{StreamClosed, "a request comes on a stream that has ended"}
	}
	return protocolError("a client begins a stream with a lower id than one before")
}

func (s *Server) trailer(h head, stream *Stream) error {
	switch {
	case stream.isRemoteEnd:
		return s.conn.refuse(h.stream, StreamClosed, "HEADERS come after the end of their stream")
	case !h.has(flagEndStream):
		return s.conn.refuse(h.stream, ProtocolError, "a second header does not end the stream")
	case s.conn.decoder.malformed != "":
		return s.conn.refuse(h.stream, ProtocolError, s.conn.decoder.malformed)
	}
	s.conn.mu.Lock()
	stream.isRemoteEnd = true
	s.conn.mu.Unlock()
	return s.dataEnded(stream)
}

// begin takes a request.
func (s *Server) begin(h head) error {
	c := s.conn
	f, isEnd := &c.decoder.fields, h.has(flagEndStream)
	if f.isTooLarge {
		return s.refuse(h, refusal{"431", grpcwire.ResourceExhausted, "the header is longer than this server takes: send less metadata"})
	}
	if wrong := f.checkRequest(); wrong != "" {
		return c.reset(h.stream, ProtocolError)
	}
	if wrong := f.checkGRPC(); wrong != nil {
		return s.refuse(h, *wrong)
	}
	stream := &Stream{conn: c, id: h.stream, isRunning: true, isRemoteEnd: isEnd, mayHaveData: true, Request: f.request()}
	if f.hasTimeout {
		timeout, err := grpcwire.ParseTimeout(f.timeout)
		if err != nil {
			return s.refuse(h, refusal{"400", grpcwire.Internal, err.Error()})
		}
		stream.Request.Timeout, stream.Request.HasTimeout = timeout, true
	}
	stream.window.Store(int64(max(c.options.StreamWindow, initialWindow)))
	c.mu.Lock()
	if c.ended != nil {
		c.mu.Unlock()
		return nil
	}
	stream.sending.window = c.sending.initial
	c.streams[h.stream] = stream
	s.running++
	c.mu.Unlock()
	s.handle(stream)
	if isEnd {
		return s.dataEnded(stream)
	}
	return nil
}

// SetReceiver gives a receiver to a server's stream. Only the function of [NewServer] may call it, before it returns.
func (s *Stream) SetReceiver(r Receiver) { s.receiver = r }

// request returns the request that the fields make.
func (f *fields) request() Request {
	return Request{
		Path: f.path, Authority: f.authority, Scheme: f.scheme, ContentType: f.contentType, Encoding: f.encoding,
		AcceptEncoding: f.acceptEncoding, UserAgent: f.userAgent, Metadata: f.takeMetadata(),
	}
}

// checkGRPC returns the refusal of a request that is not gRPC's.
func (f *fields) checkGRPC() *refusal {
	if f.method != "POST" {
		return &refusal{"405", grpcwire.Internal, "gRPC's requests are POST"}
	}
	if _, isGRPC := grpcwire.ParseContentType(f.contentType); !isGRPC {
		return &refusal{"415", grpcwire.Internal, "the content type is not application/grpc"}
	}
	return nil
}
