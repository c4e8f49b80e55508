package link

import (
	"cmp"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Options are what a link may hold and how long it waits.
type Options struct {
	// Waiting is how many bytes may wait to be written; [Link.Send] waits for room beyond that. 0 is 1 MiB.
	Waiting int
	// WriteTimeout is how long a peer may take none of the bytes that wait for it before the link is closed. 0 is 10 s.
	WriteTimeout time.Duration
	// OnClose is called once when the link has been closed; it may be nil.
	OnClose func()
}

// The values of Options that are 0.
const (
	defaultWaiting      = 1 << 20
	defaultWriteTimeout = 10 * time.Second
)

// Link is a connection. One goroutine reads from it; several may send.
type Link struct {
	Conn    net.Conn
	options Options
	// raw is nil where the connection cannot be read without waiting, such as one with TLS.
	raw    nonblocking
	reader reader
	writer writer
	// moved counts what has been read, for those that look for idle links.
	moved  atomic.Uint64
	closed chan struct{}
	once   sync.Once
	cause  error
}

// New makes a link of a connection, which it owns from then on.
func New(conn net.Conn, options Options) *Link {
	options.Waiting = cmp.Or(options.Waiting, defaultWaiting)
	options.WriteTimeout = cmp.Or(options.WriteTimeout, defaultWriteTimeout)
	l := &Link{Conn: conn, options: options, closed: make(chan struct{})}
	// Without a descriptor the link works all the same. That of another type may not be what its Read and Write go to.
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

// Close closes the connection, for a cause that [Link.Cause] gives from then on. Only the first call counts.
func (l *Link) Close(cause error) {
	l.once.Do(func() {
		l.cause = cause
		// First, so that whoever sees the link closed sends nothing more over it.
		l.writer.drop()
		close(l.closed)
		l.Conn.Close()
		if l.options.OnClose != nil {
			l.options.OnClose()
		}
	})
}

// CloseDrained is Close once all that was sent is written, or after a time.
func (l *Link) CloseDrained(cause error, most time.Duration) {
	timer := time.AfterFunc(most, func() { l.Close(cause) })
	defer timer.Stop()
	l.Drain()
	l.Close(cause)
}

// Closed is closed when the link is.
func (l *Link) Closed() <-chan struct{} { return l.closed }

// Cause is why the link was closed; nil while it is open.
func (l *Link) Cause() error {
	select {
	case <-l.closed:
		return l.cause
	default:
		return nil
	}
}

// Moved is a number that changes whenever something has been read.
func (l *Link) Moved() uint64 { return l.moved.Load() }

// Drain waits until all that was sent is written, or the link is closed. Nobody may send meanwhile.
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
