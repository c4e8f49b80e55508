package h2

import (
	"context"

	"hone/go/rpc/internal/grpcwire"
)

// sendWindows are the windows of what the peer lets this side send, and the streams that wait for more. The connection's mu guards
// them, and also the sendState of streams.
type sendWindows struct {
	connection int64
	// initial is the window of a new stream.
	initial int64
	// waiting are streams that have a window of their own and wait for the connection's window. The stream that has waited longest
	// comes first.
	waiting []*Stream
}

// sendState is a stream's part of the windows.
type sendState struct {
	// window is the number of bytes that the peer lets the stream send. It is below 0 if the peer has made its windows smaller.
	window int64
	// wants is the number of bytes that the stream waits for; 0 if it does not wait. granted is the number that it has been given and
	// need not ask for again.
	wants, granted int64
	isQueued       bool
	// wake has a value when there is something in granted, or the stream is gone.
	wake chan struct{}
}

// take takes as much as there is of both windows, up to so many bytes and at most sendChunk.
func (w *sendWindows) take(s *Stream, bytes int) int {
	taken := max(0, min(int64(bytes), s.sending.window, w.connection, sendChunk))
	s.sending.window -= taken
	w.connection -= taken
	return int(taken)
}

// grant gives the available window to the streams that wait, in turn.
func (w *sendWindows) grant() {
	for w.connection > 0 && len(w.waiting) > 0 {
		s := w.waiting[0]
		w.waiting[0] = nil
		w.waiting = w.waiting[1:]
		s.sending.isQueued = false
		if s.sending.wants == 0 || s.isGone {
			continue
		}
		if taken := w.take(s, int(s.sending.wants)); taken > 0 {
			s.sending.granted, s.sending.wants = int64(taken), 0
			s.sending.signal()
		}
	}
	if len(w.waiting) == 0 {
		w.waiting = nil
	}
}

// queue lets a stream wait for the connection's window, if it has a window of its own.
func (w *sendWindows) queue(s *Stream) {
	if s.sending.wants > 0 && s.sending.window > 0 && !s.sending.isQueued {
		s.sending.isQueued = true
		w.waiting = append(w.waiting, s)
	}
}

// leave takes back what a stream was given and has not used.
func (w *sendWindows) leave(s *Stream) {
	w.giveBack(s, s.sending.granted)
	s.sending.wants = 0
	s.sending.signal()
}

func (w *sendWindows) giveBack(s *Stream, bytes int64) {
	s.sending.granted = 0
	s.sending.window += bytes
	w.connection += bytes
	if bytes > 0 {
		w.grant()
	}
}

func (s *sendState) signal() {
	if s.wake == nil {
		return
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// growWindow makes the window of a stream larger, or that of the connection if s is nil. It returns false if the window would be
// too large.
func (c *conn) growWindow(s *Stream, more int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	window := &c.sending.connection
	if s != nil {
		window = &s.sending.window
	}
	if *window+more > largestWindow {
		return false
	}
	*window += more
	if s != nil {
		c.sending.queue(s)
	}
	c.sending.grant()
	return true
}

// setInitialWindow changes the window of all streams, also of later ones. It returns false if a window would be too large.
func (c *conn) setInitialWindow(initial int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	more := initial - c.sending.initial
	c.sending.initial = initial
	for _, s := range c.streams {
		if s.sending.window+more > largestWindow {
			return false
		}
		s.sending.window += more
		c.sending.queue(s)
	}
	c.sending.grant()
	return true
}

// awaitWindow waits until some of so many bytes may be sent, and returns their number.
//
// # Errors
//
// The context's error; the reason why the stream is gone.
func (s *Stream) awaitWindow(ctx context.Context, bytes int) (int, error) {
	c := s.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.sending.wake == nil {
		s.sending.wake = make(chan struct{}, 1)
	}
	for {
		switch {
		case s.isGone:
			return 0, s.lost()
		case s.sending.granted > 0:
			granted := s.sending.granted
			s.sending.granted = 0
			return int(granted), nil
		case s.sending.wants == 0:
			s.sending.wants = int64(bytes)
			c.sending.queue(s)
			c.sending.grant()
			continue
		}
		c.mu.Unlock()
		var err error
		select {
		case <-s.sending.wake:
		case <-ctx.Done():
			err = contextError(ctx)
		}
		c.mu.Lock()
		if err != nil {
			s.sending.wants = 0
			c.sending.giveBack(s, s.sending.granted)
			return 0, err
		}
	}
}

// giveBackWindow gives back a part of the window that was granted and could not be used.
func (s *Stream) giveBackWindow(bytes int) {
	c := s.conn
	c.mu.Lock()
	c.sending.giveBack(s, int64(bytes))
	c.mu.Unlock()
}

// contextError makes the error of a call whose context has ended.
func contextError(ctx context.Context) *Error {
	code := grpcwire.Canceled
	if ctx.Err() == context.DeadlineExceeded {
		code = grpcwire.DeadlineExceeded
	}
	return &Error{Code: code, What: "the call's context has ended", Cause: context.Cause(ctx)}
}
