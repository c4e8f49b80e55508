package h2

// Receiver takes what comes on a stream. The goroutine that reads the connection calls it, so it must not wait for anything; End may be
// called by others, such as one that closes the connection, but not while Message is.
type Receiver interface {
	// Message is called with each message, whose bytes are valid during the call. isLast is whether the peer has ended its side with it.
	Message(s *Stream, message []byte, isCompressed, isLast bool)
	// End is called once, when no message comes any more: err is nil where the peer has ended its side in peace. On a client's stream,
	// [Stream.Status] has the status then.
	End(s *Stream, err *Error)
}

// The states of a receiver: it is being called, it must not be called any more, and its End is to be called by who calls it now.
const (
	calling  = 1
	detached = 2
	ending   = 4
)

// hand gives a message to the receiver.
func (s *Stream) hand(message []byte, isCompressed, isLast bool) {
	if !s.calls.CompareAndSwap(0, calling) {
		return
	}
	s.receiver.Message(s, message, isCompressed, isLast)
	s.exit()
}

// tellEnd tells the receiver that nothing comes any more. It is called once.
func (s *Stream) tellEnd() {
	if s.receiver == nil {
		return
	}
	for {
		switch was := s.calls.Load(); {
		case was&detached != 0:
			return
		case was == calling:
			if s.calls.CompareAndSwap(calling, calling|ending) {
				return
			}
		case s.calls.CompareAndSwap(0, calling):
			s.receiver.End(s, s.receiveError())
			s.exit()
			return
		}
	}
}

// exit is called after the receiver was.
func (s *Stream) exit() {
	for {
		switch was := s.calls.Load(); {
		case was&detached != 0:
			close(s.quiet)
			return
		case was == calling|ending:
			if s.calls.CompareAndSwap(was, calling) {
				s.receiver.End(s, s.receiveError())
			}
		case s.calls.CompareAndSwap(calling, 0):
			return
		}
	}
}

// Detach keeps the receiver from being called, and waits until a call of it that has begun is over, so that what it uses is the caller's
// again. A receiver must not call it, nor two goroutines at once.
func (s *Stream) Detach() {
	s.quiet = make(chan struct{})
	for {
		was := s.calls.Load()
		if was&detached != 0 {
			return
		}
		if s.calls.CompareAndSwap(was, was|detached) {
			if was&calling != 0 {
				<-s.quiet
			}
			return
		}
	}
}
