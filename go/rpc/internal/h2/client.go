package h2

import (
	"context"
	"time"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/link"
)

// Client is the client's side of a connection.
type Client struct {
	conn *conn
	// nextID is the id of the next stream. It changes with both the link's lock and conn's mu held, and is read with either.
	nextID uint32
	// conn's mu guards all fields below: how many streams there are and may be, the callers that wait for one to end, and the last
	// stream that the server takes.
	open, limit int64
	waiting     []chan bool
	lastServed  uint32
	leaving     chan struct{}
	ended       chan struct{}
	settled     chan struct{}
}

// preface is the start of what a client sends (RFC 9113, section 3.4).
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// NewClient makes a client of a connection, and begins to read from it. Calls may be made at once: they are sent when the server's
// settings have come, which say how many calls it takes.
func NewClient(l *link.Link, options Options) *Client {
	c := newClient(l, options)
	go func() {
		defer close(c.ended)
		c.run()
	}()
	return c
}

func newClient(l *link.Link, options Options) *Client {
	c := &Client{
		conn: newConn(l, options), nextID: 1, lastServed: largestID,
		leaving: make(chan struct{}), ended: make(chan struct{}), settled: make(chan struct{}),
	}
	c.conn.side = c
	c.conn.decoder.takeBlocks(max(answerBlock, blockPerList*c.conn.options.HeaderBytes))
	c.conn.start()
	c.conn.sendControl(c.conn.appendOpening([]byte(preface), setting{settingEnablePush, 0}))
	return c
}

func (c *Client) run() {
	b, err := c.conn.link.Peek(1)
	switch {
	case err != nil:
	case b[0] == 'H':
		c.conn.link.Close(ErrHTTP1)
	case b[0] == tlsAlert:
		c.conn.link.Close(ErrTLS)
	}
	c.conn.run()
}

// tlsAlert is the first byte of a TLS server's answer. As the start of a frame, this byte and H would be lengths that are not
// allowed.
const tlsAlert = 0x15

// Leaving returns a channel that is closed when the connection takes no new calls any more: open calls go on.
func (c *Client) Leaving() <-chan struct{} { return c.leaving }

// Settled returns a channel that is closed when the server's first settings have come.
func (c *Client) Settled() <-chan struct{} { return c.settled }

// Moved returns a number that changes whenever something has come.
func (c *Client) Moved() uint64 { return c.conn.link.Moved() }

// Ended returns a channel that is closed when the connection has ended; [Client.Cause] then says why.
func (c *Client) Ended() <-chan struct{} { return c.ended }

// Cause returns the reason why the connection has ended; nil while it has not.
func (c *Client) Cause() error {
	c.conn.mu.Lock()
	defer c.conn.mu.Unlock()
	return c.conn.ended
}

// Streams returns the number of open calls.
func (c *Client) Streams() int {
	c.conn.mu.Lock()
	defer c.conn.mu.Unlock()
	return len(c.conn.streams)
}

// Drain takes no new calls, and closes the connection when the open calls have ended.
func (c *Client) Drain() {
	c.conn.mu.Lock()
	c.leave()
	isDone := c.isDrained()
	c.conn.mu.Unlock()
	if isDone {
		c.finish()
	}
}

// Close ends all calls and the connection, for a cause.
func (c *Client) Close(cause error) {
	c.conn.sayGoAway(NoError, "")
	c.conn.finish(cause)
}

// Abort ends the connection at once, and sends nothing to the server.
func (c *Client) Abort(cause error) { c.conn.link.Close(cause) }

func (c *Client) finish() {
	c.conn.sayGoAway(NoError, "")
	c.conn.finish(ErrDone)
}

// Call is a client's request.
type Call struct {
	// Header is the header template of the method.
	Header *Template
	// Metadata are more fields. They are checked.
	Metadata []Field
	// Receiver takes the answer; if it is nil, the stream is read by [Stream.Receive].
	Receiver Receiver
	User     any
}

// Open begins a call whose messages are sent later. The context limits only the start of the call. Its deadline becomes the timeout
// that the server is told.
//
// # Errors
//
// An [Error]: why the connection has ended or takes no calls, or that the context has ended.
func (c *Client) Open(ctx context.Context, call Call) (*Stream, error) {
	return c.start(ctx, new(Stream), call, nil, false)
}

// Send makes a call with one message, and sends all of it at once.
//
// # Errors
//
// The errors of [Client.Open] and [Stream.SendMessage].
func (c *Client) Send(ctx context.Context, call Call, message Message, isCompressed bool) (*Stream, error) {
	return c.start(ctx, new(Stream), call, message, isCompressed)
}

// start begins a call. If there is a message, this side of the call ends with it.
func (c *Client) start(ctx context.Context, s *Stream, call Call, message Message, isCompressed bool) (*Stream, error) {
	if err := c.acquire(ctx); err != nil {
		return nil, err
	}
	s.conn, s.receiver, s.User, s.hasSlot = c.conn, call.Receiver, call.User, true
	s.out = outgoing{opens: true, header: call.Header, headerMore: call.Metadata,
		message: message, isCompressed: isCompressed, isEnd: message != nil}
	if deadline, ok := ctx.Deadline(); ok {
		s.deadline = deadline
		s.out.timeout, s.out.hasTimeout = time.Until(deadline), true
	}
	// A server may answer before it has read all of the message.
	if err := s.send(ctx); err != nil && err != ErrAnswered {
		c.conn.mu.Lock()
		c.conn.remove(s)
		c.conn.mu.Unlock()
		return nil, err
	}
	return s, nil
}

// acquire waits until one more stream may be open.
func (c *Client) acquire(ctx context.Context) error {
	c.conn.mu.Lock()
	if c.conn.isDraining {
		defer c.conn.mu.Unlock()
		return c.refusal()
	}
	if c.open < c.limit {
		c.open++
		c.conn.mu.Unlock()
		return nil
	}
	turn := make(chan bool, 1)
	c.waiting = append(c.waiting, turn)
	c.conn.mu.Unlock()
	select {
	case hasSlot := <-turn:
		if hasSlot {
			return nil
		}
		c.conn.mu.Lock()
		defer c.conn.mu.Unlock()
		return c.refusal()
	case <-ctx.Done():
		c.forget(turn)
		why := contextError(ctx)
		why.What += " while it waited for others of its connection to end"
		why.IsUnprocessed = true
		return why
	}
}

// forget takes a caller that no longer waits out of the queue, or passes on the stream that the caller was given.
func (c *Client) forget(turn chan bool) {
	c.conn.mu.Lock()
	defer c.conn.mu.Unlock()
	for i, other := range c.waiting {
		if other == turn {
			c.waiting = append(c.waiting[:i], c.waiting[i+1:]...)
			return
		}
	}
	if hasSlot := <-turn; hasSlot {
		c.open--
		c.wake()
	}
}

// wake gives free streams to callers that wait, or tells them that there will be none. mu is held.
func (c *Client) wake() {
	for len(c.waiting) > 0 && (c.open < c.limit || c.conn.isDraining) {
		if !c.conn.isDraining {
			c.open++
		}
		c.waiting[0] <- !c.conn.isDraining
		c.waiting[0] = nil
		c.waiting = c.waiting[1:]
	}
}

// refusal returns the reason why no call is taken. mu is held.
func (c *Client) refusal() *Error {
	cause := c.conn.ended
	if cause == nil {
		cause = ErrDraining
	}
	return &Error{Code: grpcwire.Unavailable, What: "the call was not sent", IsUnprocessed: true, Cause: cause}
}

// begin gives a stream its id. mu and the link's lock are held.
func (c *Client) begin(s *Stream) error {
	if c.nextID > largestID {
		c.leave()
	}
	if c.conn.isDraining {
		return c.refusal()
	}
	s.id = c.nextID
	c.nextID += 2
	s.sending.window = c.conn.sending.initial
	s.window.Store(int64(max(c.conn.options.StreamWindow, initialWindow)))
	c.conn.streams[s.id] = s
	return nil
}

// leave stops taking new calls. mu is held.
func (c *Client) leave() {
	c.conn.isDraining = true
	select {
	case <-c.leaving:
	default:
		close(c.leaving)
	}
	c.wake()
}

// isDrained reports whether the connection is done. mu is held.
func (c *Client) isDrained() bool {
	return c.conn.isDraining && c.conn.ended == nil && len(c.conn.streams) == 0
}

// removed lets another call begin.
func (c *Client) removed(s *Stream) {
	if s.hasSlot {
		s.hasSlot = false
		c.open--
		c.wake()
	}
	if c.isDrained() {
		// The locks are held here.
		go c.finish()
	}
}
