package h2

import (
	"context"
	"fmt"

	"hone/go/rpc/internal/grpcwire"
)

func (c *Client) canAnswer() bool   { return false }
func (c *Client) lastTaken() uint32 { return 0 }
func (c *Client) pong()             {}

// isIdle reports whether no stream of this id has begun: streams of servers never begin.
func (c *Client) isIdle(id uint32) bool {
	if id%2 == 0 {
		return true
	}
	c.conn.mu.Lock()
	defer c.conn.mu.Unlock()
	return id >= c.nextID
}

// allowStreams sets the number of streams that the server allows.
func (c *Client) allowStreams(most int64) {
	c.conn.mu.Lock()
	c.limit = most
	select {
	case <-c.settled:
	default:
		close(c.settled)
	}
	c.wake()
	c.conn.mu.Unlock()
}

// goAway ends the streams that the server does not take. They may be sent again elsewhere.
func (c *Client) goAway(last uint32, code ErrorCode, text string) error {
	why := fmt.Sprintf("the server has closed the connection for new calls with %s %q", code, text)
	c.conn.mu.Lock()
	if last > c.lastServed {
		c.conn.mu.Unlock()
		return protocolError("a GOAWAY takes more streams than the one before")
	}
	c.lastServed = last
	var refused []*Stream
	for id, s := range c.conn.streams {
		if id > last {
			refused = append(refused, s)
		}
	}
	for _, s := range refused {
		c.conn.remove(s)
	}
	c.leave()
	isDone := c.isDrained()
	c.conn.mu.Unlock()
	for _, s := range refused {
		s.abort(&Error{Code: grpcwire.Unavailable, What: why, IsUnprocessed: true})
	}
	if isDone {
		c.finish()
	}
	return nil
}

// headers takes a header, a trailer, or both in one.
func (c *Client) headers(h head) error {
	s, f, isEnd := c.conn.find(h.stream), &c.conn.decoder.fields, h.has(flagEndStream)
	if s == nil {
		if c.isIdle(h.stream) {
			return protocolError("HEADERS are for a stream that has not begun")
		}
		return c.conn.countLateHead()
	}
	isTrailer := s.mayHaveData
	wrong := f.checkResponse(isTrailer)
	switch isInterim := !isTrailer && len(f.status) == 3 && f.status[0] == '1'; {
	case wrong == "" && isInterim && !isEnd:
		return c.conn.countIdle()
	case wrong == "" && isInterim:
		wrong = "an interim response ends the stream"
	case wrong == "" && isTrailer && !isEnd:
		wrong = "a second header does not end the stream"
	}
	if wrong != "" {
		return c.conn.refuse(s.id, ProtocolError, wrong)
	}
	if f.isTooLarge {
		return c.conn.refuseStream(s, Cancel, &Error{Code: grpcwire.ResourceExhausted, What: fmt.Sprintf(
			"the server's metadata is longer than the %d bytes that this side takes", c.conn.options.HeaderBytes)})
	}
	if !isTrailer {
		if why := s.readHeader(f, isEnd); why != nil {
			return c.conn.refuseStream(s, Cancel, why)
		}
	}
	if isEnd {
		return c.finishStream(s, s.readTrailer(f))
	}
	return nil
}

// readHeader keeps the fields of a header, and refuses a header that is not gRPC's.
func (s *Stream) readHeader(f *fields, isEnd bool) *Error {
	_, isGRPC := grpcwire.ParseContentType(f.contentType)
	if !f.hasStatus && (f.status != "200" || !isGRPC) {
		return &Error{Code: grpcwire.CodeOfHTTP(f.status), What: fmt.Sprintf(
			"the server answers with HTTP status %.20q and content type %.100q, which is not gRPC: ask for its address", f.status, f.contentType)}
	}
	s.mayHaveData = true
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reply.encoding = f.encoding
	s.reply.hasHeader = true
	if !isEnd {
		// If a header is a trailer too, its fields belong to the trailer.
		s.reply.header = f.takeMetadata()
		s.inbox.signal()
	}
	return nil
}

// readTrailer keeps the fields of a trailer.
func (s *Stream) readTrailer(f *fields) *Error {
	if !f.hasStatus {
		return &Error{Code: grpcwire.Unknown, What: "the server has ended the stream without a grpc-status"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reply.trailer = f.takeMetadata()
	s.reply.status = f.readStatus()
	return nil
}

// dataEnded ends a stream without a trailer.
func (c *Client) dataEnded(s *Stream) error {
	return c.finishStream(s, &Error{Code: grpcwire.Internal, What: "the server has ended the stream without a trailer"})
}

// finishStream ends a stream that the server has ended. Messages that this side has not sent yet are not wanted any more.
func (c *Client) finishStream(s *Stream, why *Error) error {
	if why == nil && len(s.partial) > 0 {
		why = errCut
	}
	c.conn.mu.Lock()
	mustReset := !s.isLocalEnd
	wasGone := s.isGone
	s.isRemoteEnd = true
	c.conn.remove(s)
	c.conn.mu.Unlock()
	if wasGone {
		return nil
	}
	if why == nil {
		s.endReceiving(nil)
		s.complete()
	} else {
		s.abort(why)
	}
	if mustReset {
		return c.conn.reset(s.id, NoError)
	}
	return nil
}

// Header returns the metadata of the answer's header, once it has come; see [Stream.AwaitHeader]. Only a client's stream has a
// header.
func (s *Stream) Header() []Field {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reply.header
}

// Trailer returns the metadata of the answer's trailer, once the stream has ended.
func (s *Stream) Trailer() []Field {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reply.trailer
}

// Status returns the status with which the server has ended the call, once the stream has ended without a fault.
func (s *Stream) Status() grpcwire.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reply.status
}

// Encoding returns the compression of the peer's compressed messages: the value of grpc-encoding.
func (s *Stream) Encoding() string {
	if s.conn.side.canAnswer() {
		return s.Request.Encoding
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reply.encoding
}

// SendMessage sends a message on a client's stream, or on a server's stream, where the header goes before the first message. It
// waits while the peer does not read.
//
// # Errors
//
// The error of the message; an [Error] that says why the stream has ended, or that the context has. A message that was sent only in
// part resets the stream.
func (s *Stream) SendMessage(ctx context.Context, message Message, isCompressed bool) error {
	s.out.message, s.out.isCompressed, s.out.isSoon = message, isCompressed, s.isTalking.Swap(true)
	s.addHeader()
	return s.send(ctx)
}

// CloseSend says that a client sends no more messages.
func (s *Stream) CloseSend(ctx context.Context) error {
	s.out.isEnd = true
	return s.send(ctx)
}
