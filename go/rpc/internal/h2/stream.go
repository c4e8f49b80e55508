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
	// id is set once, with the locks of the link and of the connection.
	id uint32
	// Request is what a server's stream begins with.
	Request Request
	// User is for those who use this package.
	User any

	// receiver takes what comes, if the stream has one, and calls says whether it may be called; else it lies in the inbox.
	receiver Receiver
	calls    atomic.Uint32
	quiet    chan struct{}
	// partial is what has come of a message for the receiver, with its prefix. Only the reader uses it.
	partial    []byte
	unreturned int
	// window is how much the peer may still send.
	window atomic.Int64

	// The connection's mu guards these.
	sending                         sendState
	isLocalEnd, isRemoteEnd, isGone bool
	isRunning, hasSlot              bool

	// mu guards these.
	mu    sync.Mutex
	inbox inbox
	reply reply
	why   *Error
	done  chan struct{}
	// isOver is whether done is closed, or would be if there were one.
	isOver bool

	// out is what is being sent, by the goroutine that sends, and hasSentHeader whether the header of an answer has been.
	out           outgoing
	hasSentHeader bool
	// isTalking is whether a message has been sent, and the stream's user has not waited for one since.
	isTalking atomic.Bool
	// mayHaveData is whether the peer may send messages, and isDeaf whether those are not looked at any more. Only the reader uses them.
	mayHaveData, isDeaf bool
	// deadline is that of a client's call; the zero time of one without.
	deadline time.Time
}

// Request is what a call asks for.
type Request struct {
	// Path is "/service/method".
	Path, Authority, Scheme string
	ContentType             string
	// Encoding is how compressed messages of the peer are compressed, and AcceptEncoding how those to it may be.
	Encoding, AcceptEncoding string
	UserAgent                string
	// Timeout is how long the caller waits, if HasTimeout.
	Timeout    time.Duration
	HasTimeout bool
	// Metadata are all other fields.
	Metadata []Field
}

// reply is what a client's stream learns besides messages.
type reply struct {
	header, trailer []Field
	encoding        string
	status          grpcwire.Status
	hasHeader       bool
}

// ID is the stream's number on its connection.
func (s *Stream) ID() uint32 { return s.id }

// Done is closed when the stream has ended: it was answered, reset, or its connection has ended.
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

// Err is why the stream ended otherwise than in peace; nil while it has not.
func (s *Stream) Err() *Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.why
}

// lost is the error of what is asked of a stream that is gone.
func (s *Stream) lost() *Error {
	if why := s.Err(); why != nil {
		return why
	}
	return ErrAnswered
}

// ErrAnswered is the error of what is sent after the call was answered: [Stream.Receive] and [Stream.Status] tell how.
var ErrAnswered = &Error{Code: grpcwire.Internal, What: "the call has been answered: nothing more can be sent"}

// abort ends a stream that has been removed, for a reason that its user is told.
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

// over closes done. It is called with the stream's mu.
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

// complete ends a stream in peace: both sides have said all. It has been removed.
func (s *Stream) complete() {
	s.mu.Lock()
	s.over()
	s.mu.Unlock()
}

// endReceiving notes that nothing more is received: in peace, or for a fault of what came.
func (s *Stream) endReceiving(why *Error) {
	s.mu.Lock()
	isFirst := s.inbox.end(why)
	s.mu.Unlock()
	if isFirst {
		s.tellEnd()
	}
}

// Reset ends the stream at once, with a code that the peer gets. It may be called at any time, and does nothing once the stream has ended.
// Its receiver may still be called once; see [Stream.Detach].
func (s *Stream) Reset(code ErrorCode) {
	s.end(code, &Error{Code: grpcwire.Canceled, What: "the stream was reset by this side with " + code.String()})
}

// Abandon is Reset for a stream whose context has ended, which is why it ends for its user.
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
