package link

import (
	"cmp"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Options are the limits of a link: what it may hold and how long it waits.
type Options struct {
	// Waiting is the number of bytes that may wait to be written; [Link.Send] waits for room beyond that. 0 means 1 MiB.
	Waiting int
	// WriteTimeout is the time after which the link is closed if the peer takes none of the bytes that wait for it. 0 means 10 s.
	WriteTimeout time.Duration
	// OnClose is called once when the link has been closed; it may be nil.
	OnClose func()
}

// These are the defaults of Options.
const (
	defaultWaiting      = 1 << 20
	defaultWriteTimeout = 10 * time.Second
)

// Link is a connection. One goroutine reads from it; several may send.
type Link struct {
	Conn    net.Conn
	options Options
	// raw is nil if the connection cannot be read without waiting, such as a connection with TLS.
	raw    nonblocking
	reader reader
	writer writer
	// moved counts reads that brought something, for callers that look for idle links.
	moved  atomic.Uint64
	closed chan struct{}
	once   sync.Once
	cause  error
}

// New makes a link of a connection. The link owns the connection from then on.
func New(conn net.Conn, options Options) *Link {
	options.Waiting = cmp.Or(options.Waiting, defaultWaiting)
	options.WriteTimeout = cmp.Or(options.WriteTimeout, defaultWriteTimeout)
	l := &Link{Conn: conn, options: options, closed: make(chan struct{})}
	// Without a descriptor the link works all the same. The Read and Write of another type may not go to its descriptor.
	switch conn := conn.(type) {
	case *net.TCPConn:
		l.raw = rawSocket(conn)
	case *net.UnixConn:
		l.raw = rawSocket(conn)
	case nonblocking:
		l.raw = ownWay{conn}
	}
	l.prepareReader()
	l.writer.prepare(options.Waiting, l.raw)
	return l
}

// ErrClosed is the cause of a link that this side has closed.
var ErrClosed = errors.New("the connection was closed by this side")

// Close closes the connection, for a cause that [Link.Cause] returns from then on. Only the first call counts.
func (l *Link) Close(cause error) {
	l.once.Do(func() {
		l.cause = cause
		// This comes first, so that a caller that sees the link closed sends nothing more over it.
		l.writer.drop()
		close(l.closed)
		l.Conn.Close()
		if l.options.OnClose != nil {
			l.options.OnClose()
		}
	})
}

// CloseDrained is Close once everything that was sent is written, or after a time.
func (l *Link) CloseDrained(cause error, most time.Duration) {
	timer := time.AfterFunc(most, func() { l.Close(cause) })
	defer timer.Stop()
	l.Drain()
	l.Close(cause)
}

// Closed returns a channel that is closed when the link is.
func (l *Link) Closed() <-chan struct{} { return l.closed }

// Cause returns the reason why the link was closed; nil while it is open.
func (l *Link) Cause() error {
	select {
	case <-l.closed:
		return l.cause
	default:
		return nil
	}
}

// Moved returns a number that changes whenever something has been read.
func (l *Link) Moved() uint64 { return l.moved.Load() }

// Drain waits until everything that was sent is written, or the link is closed. Nobody may send meanwhile.
func (l *Link) Drain() {
	l.Flush()
	w := &l.writer
	w.mu.Lock()
	for w.isWriting && !w.isDone {
		written := make(chan struct{})
		w.drained = append(w.drained, written)
		w.mu.Unlock()
		select {
		case <-written:
		case <-l.closed:
			return
		}
		w.mu.Lock()
	}
	w.mu.Unlock()
}
