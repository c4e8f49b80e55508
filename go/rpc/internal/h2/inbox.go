package h2

import (
	"context"
	"io"
	"math"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/link"
)

// inbox holds the bytes that have come for a stream without a receiver, until they are read. Two buffers change places, one for
// bytes that come and one for bytes that are read: so a message is copied only once, and the memory is no more than the peer sent.
type inbox struct {
	// in has the bytes that have come, and counted is the number of bytes that count as held.
	in      []byte
	counted int
	// hasEnded says that nothing more comes. why is the reason, if there was a fault.
	hasEnded bool
	why      *Error
	// need is the number of bytes that a waiting goroutine wants; 0 if none waits.
	need int
	wake chan struct{}

	// current[at:] are the bytes that are being read, by the goroutine that receives. unreturned is the number of bytes that have not
	// been given back to the peer.
	current    []byte
	at         int
	unreturned int
}

// end notes that nothing more comes. It returns false if that was known already.
func (b *inbox) end(why *Error) bool {
	if b.hasEnded {
		return false
	}
	b.hasEnded, b.why = true, why
	b.signal()
	return true
}

// uncount returns the number of bytes that counted, and sets it to 0.
func (b *inbox) uncount() int {
	counted := b.counted
	b.counted = 0
	return counted
}

// signal wakes a goroutine that waits.
func (b *inbox) signal() {
	if b.need == 0 {
		return
	}
	b.need = 0
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// receiveError returns the reason why nothing more is received; nil if there was no fault.
func (s *Stream) receiveError() *Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inbox.why
}

// store keeps bytes until they are read.
func (s *Stream) store(payload []byte) error {
	s.mu.Lock()
	b := &s.inbox
	if b.hasEnded {
		s.mu.Unlock()
		return nil
	}
	b.in = appendWithin(b.in, payload, math.MaxInt)
	isWithin := s.count(len(payload))
	// A goroutine that waits for a long message is woken when the message is there, or before the window ends.
	if len(b.in) >= min(b.need, s.conn.options.StreamWindow/4) {
		b.signal()
	}
	s.mu.Unlock()
	if isWithin {
		return nil
	}
	return s.conn.refuseStream(s, EnhanceYourCalm, errHeld)
}

// Receive waits for the next message of a stream that has no receiver. The bytes are valid until the next call.
//
// # Errors
//
// io.EOF if the peer has ended its side without a fault. Otherwise an [Error]: why the stream has ended, that a message was too
// long or not complete, or that the context has ended, after which Receive may be called again.
func (s *Stream) Receive(ctx context.Context) (message []byte, isCompressed bool, err error) {
	b := &s.inbox
	for {
		there, need := b.current[b.at:], grpcwire.PrefixBytes
		if len(there) >= need {
			bytes, flag, wrong := s.conn.readPrefix(there)
			if wrong != nil {
				s.refuseMessage(wrong)
				return nil, false, wrong
			}
			if need += bytes; len(there) >= need {
				b.at += need
				return there[grpcwire.PrefixBytes:need:need], flag, nil
			}
		}
		if err := s.more(ctx, need-len(there)); err != nil {
			return nil, false, err
		}
	}
}

// refuseMessage ends receiving because of a fault of a message. A server can still answer.
func (s *Stream) refuseMessage(wrong *Error) {
	if s.conn.side.canAnswer() {
		s.endReceiving(wrong)
	} else {
		s.end(Cancel, wrong)
	}
}

// more waits for bytes, and moves the bytes that have come behind those that are there.
func (s *Stream) more(ctx context.Context, need int) error {
	b := &s.inbox
	s.mu.Lock()
	for len(b.in) == 0 {
		if b.hasEnded {
			defer s.mu.Unlock()
			return s.endError()
		}
		if err := s.wait(ctx, need); err != nil {
			s.mu.Unlock()
			return err
		}
	}
	there := b.current[b.at:]
	if len(there) == 0 {
		spare := b.current[:0]
		if cap(spare) > keptBytes {
			link.Return(spare)
			spare = nil
		}
		b.current, b.at, b.in = b.in, 0, spare
	} else {
		if b.at > 0 {
			b.current, b.at = b.current[:copy(b.current, there)], 0
		}
		b.current, b.in = appendWithin(b.current, b.in, max(len(there)+need, len(there)+len(b.in))), b.in[:0]
	}
	b.unreturned += b.counted
	s.conn.held.Add(-int64(b.uncount()))
	mustReturn := !b.hasEnded && b.unreturned >= s.conn.options.StreamWindow/2
	s.mu.Unlock()
	if mustReturn {
		return s.giveWindow(ctx)
	}
	return nil
}

// giveWindow gives the bytes that have been read back to the peer.
func (s *Stream) giveWindow(ctx context.Context) error {
	frame := controlFrame{appendWindowUpdate(nil, s.id, s.inbox.unreturned)}
	s.window.Add(int64(s.inbox.unreturned))
	s.inbox.unreturned = 0
	if err := s.conn.link.Send(ctx, &frame); err != nil && ctx.Err() != nil {
		// The peer has not been told, so the stream cannot go on.
		why := contextError(ctx)
		s.end(Cancel, why)
		return why
	}
	return nil
}

// endError returns the error that ends the messages. mu is held.
func (s *Stream) endError() error {
	b := &s.inbox
	if b.why != nil {
		return b.why
	}
	if len(b.current) > b.at {
		return errCut
	}
	return io.EOF
}

var errCut = &Error{Code: grpcwire.Internal, What: "the peer has ended the stream in the middle of a message"}

// wait waits until something has come or nothing comes any more. mu is held.
func (s *Stream) wait(ctx context.Context, need int) error {
	b := &s.inbox
	if b.wake == nil {
		b.wake = make(chan struct{}, 1)
	}
	b.need = need
	s.isTalking.Store(false)
	s.mu.Unlock()
	defer s.mu.Lock()
	select {
	case <-b.wake:
		return nil
	case <-ctx.Done():
		return contextError(ctx)
	}
}

// AwaitHeader waits for the header of a client's stream. After that [Stream.Header] and [Stream.Encoding] return its contents.
//
// # Errors
//
// The reason why the stream ended before that; the context's error.
func (s *Stream) AwaitHeader(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.reply.hasHeader {
		if s.inbox.hasEnded {
			if s.inbox.why != nil {
				return s.inbox.why
			}
			return nil
		}
		if err := s.wait(ctx, 1); err != nil {
			return err
		}
	}
	return nil
}
