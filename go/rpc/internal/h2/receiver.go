package h2

// Receiver takes the messages that come on a stream. The goroutine that reads the connection calls it, so it must not wait for
// anything. Other goroutines may call End, such as one that closes the connection, but not during a call of Message.
type Receiver interface {
	// Message is called with each message. The bytes are valid during the call. isLast says that the peer has ended its side with this
	// message.
	Message(s *Stream, message []byte, isCompressed, isLast bool)
	// End is called once, when no message comes any more. err is nil if the peer has ended its side without a fault. On a client's
	// stream, [Stream.Status] has the status then.
	End(s *Stream, err *Error)
}

// These are the states of a receiver: it is being called, it must not be called any more, and its present caller must call End.
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

// exit is called after a call of the receiver.
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

// Detach makes sure that the receiver is not called any more. It waits until a call that has begun is over, so that the caller of
// Detach owns again everything that the receiver uses. A receiver must not call it, nor may two goroutines call it at once.
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
