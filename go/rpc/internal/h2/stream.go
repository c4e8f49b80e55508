package h2

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"hone/go/rpc/internal/grpcwire"
)

// Stream is one call of a connection. One goroutine sends at a time, and one receives; others may call [Stream.Reset] and [Stream.Done].
type Stream struct {
	conn *conn
	// id is set once, with the locks of the link and of the connection held.
	id uint32
	// Request is the request that a server's stream begins with.
	Request Request
	// User is for users of this package.
	User any

	// receiver takes the messages that come, if the stream has one, and calls says whether it may be called. Without a receiver the
	// messages wait in the inbox.
	receiver Receiver
	calls    atomic.Uint32
	quiet    chan struct{}
	// partial is the part of a message, with its prefix, that has come for the receiver. Only the reader uses it.
	partial    []byte
	unreturned int
	// window is the number of bytes that the peer may still send.
	window atomic.Int64

	// The connection's mu guards these fields.
	sending                         sendState
	isLocalEnd, isRemoteEnd, isGone bool
	isRunning, hasSlot              bool

	// mu guards these fields.
	mu    sync.Mutex
	inbox inbox
	reply reply
	why   *Error
	done  chan struct{}
	// isOver says that done is closed, or would be if it existed.
	isOver bool

	// out is what is being sent, by the goroutine that sends. hasSentHeader says that the header of an answer has been sent.
	out           outgoing
	hasSentHeader bool
	// isTalking says that a message has been sent, and that the stream's user has not waited for a message since.
	isTalking atomic.Bool
	// mayHaveData says that the peer may send messages. isDeaf says that these are ignored from now on. Only the reader uses both.
	mayHaveData, isDeaf bool
	// deadline is the deadline of a client's call; zero if it has none.
	deadline time.Time
}

// Request is the request of a call.
type Request struct {
	// Path is "/service/method".
	Path, Authority, Scheme string
	ContentType             string
	// Encoding is the compression of the peer's compressed messages, and AcceptEncoding are the compressions that the peer takes.
	Encoding, AcceptEncoding string
	UserAgent                string
	// Timeout is the time that the caller waits, if HasTimeout is true.
	Timeout    time.Duration
	HasTimeout bool
	// Metadata are all other fields.
	Metadata []Field
}

// reply holds the parts of an answer beside its messages.
type reply struct {
	header, trailer []Field
	encoding        string
	status          grpcwire.Status
	hasHeader       bool
}

// ID returns the stream's number on its connection.
func (s *Stream) ID() uint32 { return s.id }

// Done returns a channel that is closed when the stream has ended: it was answered or reset, or its connection has ended.
func (s *Stream) Done() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done == nil {
		s.done = make(chan struct{})
		if s.isOver {
			close(s.done)
		}
	}
	return s.done
}

// Err returns the fault with which the stream ended; nil if there was none, or it has not ended.
func (s *Stream) Err() *Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.why
}

// lost returns the error for uses of a stream that is gone.
func (s *Stream) lost() *Error {
	if why := s.Err(); why != nil {
		return why
	}
	return ErrAnswered
}

// ErrAnswered is the error of sending after the call was answered: [Stream.Receive] and [Stream.Status] return the answer.
var ErrAnswered = &Error{Code: grpcwire.Internal, What: "the call has been answered: nothing more can be sent"}

// abort ends a stream that has been removed. Its user is told the reason.
func (s *Stream) abort(why *Error) {
	s.mu.Lock()
	if s.why == nil && !s.isOver {
		s.why = why
	}
	isFirst := s.inbox.end(why)
	s.over()
	s.mu.Unlock()
	if isFirst {
		s.tellEnd()
	}
}

// over closes done. The stream's mu is held.
func (s *Stream) over() {
	if s.isOver {
		return
	}
	s.isOver = true
	if s.done != nil {
		close(s.done)
	}
	s.conn.held.Add(-int64(s.inbox.uncount()))
}

// complete ends a stream without a fault: both sides have sent everything. It has been removed.
func (s *Stream) complete() {
	s.mu.Lock()
	s.over()
	s.mu.Unlock()
}

// endReceiving notes that nothing more is received: without a fault, or because of a fault of what came.
func (s *Stream) endReceiving(why *Error) {
	s.mu.Lock()
	isFirst := s.inbox.end(why)
	s.mu.Unlock()
	if isFirst {
		s.tellEnd()
	}
}

// Reset ends the stream at once, with a code that the peer gets. It may be called at any time, and does nothing once the stream has
// ended. The receiver may still be called once; see [Stream.Detach].
func (s *Stream) Reset(code ErrorCode) {
	s.end(code, &Error{Code: grpcwire.Canceled, What: "the stream was reset by this side with " + code.String()})
}

// Abandon is Reset for a stream whose context has ended. The stream's user gets the context's error.
func (s *Stream) Abandon(ctx context.Context) { s.end(Cancel, contextError(ctx)) }

// end resets a stream from this side, for a reason.
func (s *Stream) end(code ErrorCode, why *Error) {
	c := s.conn
	c.mu.Lock()
	wasGone, hasBegun := s.isGone, s.id != 0
	c.remove(s)
	c.mu.Unlock()
	s.leave()
	if wasGone {
		return
	}
	s.abort(why)
	if hasBegun {
		c.sendControl(appendReset(nil, s.id, code))
	}
}

// leave notes that the handler of a server's stream has done its work.
func (s *Stream) leave() {
	if server, ok := s.conn.side.(*Server); ok {
		server.left(s)
	}
}
