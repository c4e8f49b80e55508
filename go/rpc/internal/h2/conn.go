package h2

import (
	"io"
	"math"
	"sync"
	"sync/atomic"

	"hone/go/rpc/internal/link"
)

// conn is the common part of both sides of a connection. Locks are taken in this order: the link's, mu, that of a stream.
type conn struct {
	link    *link.Link
	options Options
	side    side

	// Only the reading goroutine uses the fields from here on.
	decoder *decoder
	// reading is the head of the HEADERS whose block of fields is not complete; its stream is 0 if there is none.
	reading       head
	receiveWindow int
	unreturned    int
	idleFrames    allowance
	resets        allowance
	seen          uint64
	pings         pingGuard
	own           controlFrame

	hasSettings atomic.Bool
	// sent counts the frames of headers and messages that were sent. held counts the bytes of messages that wait here to be read.
	sent atomic.Uint64
	held atomic.Int64
	late late
	// peerHeaderBytes is the longest list of fields that the peer takes.
	peerHeaderBytes atomic.Uint32

	// encoder is guarded by the link's lock.
	encoder encoder

	mu      sync.Mutex
	streams map[uint32]*Stream
	sending sendWindows
	// isDraining says that no new stream may begin. ended is the reason why no stream goes on.
	isDraining bool
	ended      error
	keepAlive  keepAlive
	handshake  Timer
}

// side has the parts that differ between client and server. The reading goroutine calls all of its methods, except removed.
type side interface {
	// headers is called with a block of fields, which the decoder has.
	headers(h head) error
	// isIdle reports whether no stream of this id has begun.
	isIdle(id uint32) bool
	// allowStreams is called with the number of streams that the peer allows at once.
	allowStreams(most int64)
	goAway(last uint32, code ErrorCode, text string) error
	// pong is called when the answer to drainPing has come.
	pong()
	// dataEnded is called when DATA has ended the peer's side of a stream.
	dataEnded(s *Stream) error
	// canAnswer reports whether a stream may go on when the peer's side of it has failed.
	canAnswer() bool
	// lastTaken returns the last stream of the peer that was begun.
	lastTaken() uint32
	// removed is called with mu held when a stream has left, and leave when the connection takes no more streams.
	removed(s *Stream)
	leave()
}

func newConn(l *link.Link, options Options) *conn {
	options = options.withDefaults()
	now := options.Clock.Now()
	c := &conn{
		link: l, options: options,
		decoder:       newDecoder(options.HeaderBytes),
		receiveWindow: options.ConnectionWindow,
		idleFrames:    newAllowance(idleFramesBurst, idleFramesPerSecond, now),
		resets:        newAllowance(resetsBurst, resetsPerSecond, now),
		encoder:       newEncoder(),
		streams:       map[uint32]*Stream{},
		sending:       sendWindows{connection: initialWindow, initial: initialWindow},
	}
	// Until settings say otherwise, there is no limit.
	c.peerHeaderBytes.Store(math.MaxUint32)
	c.keepAlive.conn = c
	return c
}

// start starts the timers.
func (c *conn) start() {
	c.mu.Lock()
	c.handshake = c.options.Clock.AfterFunc(c.options.HandshakeTimeout, func() {
		if !c.hasSettings.Load() {
			c.link.Close(ErrHandshake)
		}
	})
	c.mu.Unlock()
	c.keepAlive.start()
}

// run reads frames until the connection ends, and then ends all streams. It returns the cause, which is nil for an end without a
// fault.
func (c *conn) run() error {
	err := c.readFrames()
	if cause := c.link.Cause(); cause != nil {
		err = cause
	}
	c.mu.Lock()
	wasEnded, isBusy := c.ended, len(c.streams) > 0
	c.mu.Unlock()
	if fault, isFault := err.(*connectionError); isFault && wasEnded == nil {
		c.sayGoAway(fault.code, fault.what)
		c.finish(fault)
		c.link.Discard()
	}
	if err == io.EOF {
		err = errClosedByPeer
	}
	if wasEnded != nil {
		err = wasEnded
	}
	c.end(err)
	c.link.Close(err)
	if err == ErrDone || err == errClosedByPeer && !isBusy {
		return nil
	}
	return err
}

// finish ends the connection in an orderly way: the bytes that wait are written, and the peer gets some time to close its half.
func (c *conn) finish(cause error) {
	c.end(cause)
	c.link.Finish()
	go func() {
		// A peer that reads slowly still gets everything.
		c.link.Drain()
		c.options.Clock.AfterFunc(c.options.LingerTimeout, func() { c.link.Close(cause) })
	}()
}

// end ends all streams, for a cause; only the first cause counts.
func (c *conn) end(cause error) {
	c.mu.Lock()
	if c.ended != nil {
		c.mu.Unlock()
		return
	}
	c.ended = cause
	c.isDraining = true
	c.side.leave()
	left := make([]*Stream, 0, len(c.streams))
	for _, s := range c.streams {
		left = append(left, s)
	}
	for _, s := range left {
		c.remove(s)
	}
	if c.handshake != nil {
		c.handshake.Stop()
	}
	c.mu.Unlock()
	c.keepAlive.stop()
	for _, s := range left {
		s.abort(connectionLost(cause))
	}
}

// remove takes a stream from the connection. mu is held. Nothing of the stream is sent after that.
func (c *conn) remove(s *Stream) {
	if s.isGone {
		return
	}
	s.isGone = true
	c.expectLate(s)
	if c.streams[s.id] == s {
		delete(c.streams, s.id)
	}
	c.sending.leave(s)
	c.side.removed(s)
}

// find returns the stream with an id; nil if there is none.
func (c *conn) find(id uint32) *Stream {
	c.mu.Lock()
	s := c.streams[id]
	c.mu.Unlock()
	return s
}

// whole waits for so many bytes, in room that grows as they come.
func (c *conn) whole(bytes int) ([]byte, error) {
	for {
		b, err := c.link.Peek(min(bytes, max(leastRoom, 2*c.link.Buffered())))
		if err != nil || len(b) >= bytes {
			return b, err
		}
	}
}

// controlFrame is the bytes of one frame or several.
type controlFrame struct{ bytes []byte }

// AppendFrame appends the bytes.
func (f *controlFrame) AppendFrame(to []byte) ([]byte, error) { return append(to, f.bytes...), nil }

// collect takes a frame, which the link writes when the reader has nothing more to read at once. Only the reader calls it.
func (c *conn) collect(frame link.Frame) error { return c.sendError(c.link.Collect(frame)) }

// sendError interprets an error of a control frame: the connection ends if the peer reads nothing while it makes this side answer.
func (c *conn) sendError(err error) error {
	switch err {
	case link.ErrFull:
		return errUnread
	case link.ErrFinished:
		return nil
	}
	return err
}

// sendControl sends a frame from any goroutine, without waiting.
func (c *conn) sendControl(bytes []byte) {
	if err := c.sendError(c.link.SendNow(&controlFrame{bytes})); err != nil {
		c.link.Close(err)
	}
}
