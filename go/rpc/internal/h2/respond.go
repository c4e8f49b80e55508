package h2

import (
	"context"
	"strconv"

	"hone/go/rpc/internal/grpcwire"
)

// Response is an answer of a server, or a part of one.
type Response struct {
	// Header is the start of the answer; nil means [DefaultHeader].
	Header *Template
	// Metadata are more fields of the header. Fields that cannot be sent are left out.
	Metadata []Field
	// Message is nil if there is none, as with most errors.
	Message      Message
	IsCompressed bool
	Status       grpcwire.Status
	// Trailer are more fields of the trailer. Fields that cannot be sent are left out.
	Trailer []Field
}

// DefaultHeader is the header of answers that have no header of their own. Other headers have to begin with ":status".
var DefaultHeader = NewTemplate(Field{":status", "200"}, Field{"content-type", grpcwire.ContentType})

var (
	trailerOK   = NewTemplate(Field{grpcwire.StatusField, "0"})
	trailerNone = NewTemplate()
)

// Respond answers a call at once: with header, message and trailer. It waits while the client does not read. It leaves out fields
// that cannot be sent or that the client does not take, and shortens a long status.
//
// # Errors
//
// The error of the message, after which the call can still be ended; an error that says that the client takes no answer, for which
// the stream is reset; an [Error] that says why the stream has ended, or that the context has.
func (s *Stream) Respond(ctx context.Context, r *Response) error {
	s.setResponse(r)
	return s.left(s.orReset(s.send(ctx)))
}

// RespondNow is Respond for the reading goroutine, which must not wait: for calls of a receiver, and of the function of
// [NewServer]. A new goroutine sends the part that cannot be sent at once, so the message must not change. The context is for that
// goroutine.
func (s *Stream) RespondNow(ctx context.Context, r *Response) error {
	s.setResponse(r)
	return s.left(s.orReset(s.sendNow(ctx)))
}

// SendHeader sends the header of an answer before its first message.
func (s *Stream) SendHeader(ctx context.Context, header *Template, metadata []Field) error {
	s.out.header, s.out.headerMore = header, metadata
	s.addHeader()
	return s.send(ctx)
}

// Finish ends an answer that is sent message by message.
func (s *Stream) Finish(ctx context.Context, status grpcwire.Status, trailer []Field) error {
	return s.Respond(ctx, &Response{Status: status, Trailer: trailer})
}

func (s *Stream) setResponse(r *Response) {
	o := &s.out
	o.header, o.headerMore = r.Header, r.Metadata
	s.addHeader()
	o.message, o.isCompressed = r.Message, r.IsCompressed
	o.trailer, o.trailerMore, o.isEnd = trailerOK, r.Trailer, true
	if r.Status.Code != grpcwire.OK || r.Status.Message != "" || len(r.Status.Details) > 0 {
		o.trailer, o.status = trailerNone, &r.Status
	}
}

// addHeader adds the header to the frame, unless it has been sent.
func (s *Stream) addHeader() {
	o := &s.out
	switch {
	case s.hasSentHeader || !s.conn.side.canAnswer():
		o.header, o.headerMore = nil, nil
	case o.header == nil:
		o.header = DefaultHeader
	}
}

// left notes that the handler is done if its stream is gone, so that nothing can be sent.
func (s *Stream) left(err error) error {
	if err != nil {
		s.conn.mu.Lock()
		isGone := s.isGone
		s.conn.mu.Unlock()
		if isGone {
			s.leave()
		}
	}
	return err
}

// appendStatus appends the fields of a status.
func appendStatus(to []byte, status *grpcwire.Status) []byte {
	to = appendField(to, grpcwire.StatusField, strconv.Itoa(int(status.Code)))
	if status.Message != "" {
		to = appendField(to, grpcwire.MessageField, string(grpcwire.AppendPercent(nil, status.Message)))
	}
	if len(status.Details) > 0 {
		to = appendField(to, grpcwire.DetailsField, string(grpcwire.AppendBinary(nil, status.Details)))
	}
	return to
}

// refusal is the answer to a request that no handler gets.
type refusal struct {
	http string
	code grpcwire.Code
	what string
}

// refuse answers a request that no handler gets.
func (s *Server) refuse(h head, r refusal) error {
	if err := s.conn.countReset(); err != nil {
		return err
	}
	return s.conn.collect(&refusalFrame{s.conn, h, r})
}

type refusalFrame struct {
	conn *conn
	head head
	refusal
}

// AppendFrame appends a header that is also a trailer.
func (f *refusalFrame) AppendFrame(to []byte) ([]byte, error) {
	e, start := &f.conn.encoder, len(to)
	e.begin()
	to = e.appendSize(append(to, emptyHead[:]...))
	to = e.appendConstant(to, Field{":status", f.http})
	to = e.appendConstant(to, Field{"content-type", grpcwire.ContentType})
	to = appendStatus(to, &grpcwire.Status{Code: f.code, Message: f.what})
	e.commit()
	to = splitFrames(to, start, frameHeaders, frameContinuation, flagEndStream, flagEndHeaders, f.head.stream)
	if !f.head.has(flagEndStream) {
		to = appendReset(to, f.head.stream, NoError)
	}
	return to, nil
}
