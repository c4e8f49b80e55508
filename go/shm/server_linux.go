package shm

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"hone/go/raw"
	"hone/go/shm/internal/segment"
)

// Server makes connections of accepted connections. The zero value is ready to use. Several goroutines may use a Server.
type Server struct {
	Options
	// MostSegments is the number of connections that have memory at a time [1024]; other connections are ordinary ones.
	MostSegments int

	shared, plain, open atomic.Int64

	mu sync.Mutex
	// pairs are the pairs that connections can join, by their tokens.
	pairs map[uint64]*pair
}

const defaultMostSegments = 1024

// Conn makes a connection of an accepted connection, which it owns from then on. The server must read from the connection before it
// writes to it.
//
// # Errors
//
// The error of the connection's descriptor.
func (s *Server) Conn(accepted *net.UnixConn) (*Conn, error) {
	wait, err := accepted.SyscallConn()
	if err != nil {
		return nil, err
	}
	conn := &Conn{socket: accepted, wait: wait, asked: &asked{server: s}}
	conn.isUndecided.Store(true)
	return conn, nil
}

// Stats says how many connections are shared and how many are ordinary.
func (s *Server) Stats() Stats {
	return Stats{Shared: s.shared.Load(), Plain: s.plain.Load(), Open: s.open.Load()}
}

// take counts one more segment, and reports whether the limit allows it.
func (s *Server) take() bool {
	if s.open.Add(1) <= int64(cmp.Or(s.MostSegments, defaultMostSegments)) {
		return true
	}
	s.open.Add(-1)
	return false
}

// asked is the request that a client makes with the first bytes of a connection.
type asked struct {
	server *Server
	// bytes holds the first bytes of the connection; there is their number.
	bytes [helloBytes]byte
	there int
	// isOrdinary is set where the first bytes ask for nothing; given is the number of them that have been read by then.
	isOrdinary bool
	given      int
	// isOffered is set while memory waits for the client's word.
	isOffered bool
	// timeout is the time that the client may take once its first byte has come. timer ends the connection after that.
	timeout time.Duration
	timer   *time.Timer
}

const defaultHandshakeTimeout = 10 * time.Second

// errTooLate is the error of a connection that ends because its client asked for memory and did not go on.
var errTooLate = fmt.Errorf("the client asks for shared memory and does not go on: %w", os.ErrDeadlineExceeded)

// SetHandshakeTimeout sets the time that the first bytes may take, once the first of them has come, to tell whether the connection
// is shared [10 s]. It must be called before anything is read.
func (c *Conn) SetHandshakeTimeout(most time.Duration) {
	if c.asked != nil {
		c.asked.timeout = most
	}
}

// readAsked reads the first bytes, until they have told what the connection is.
func (c *Conn) readAsked(descriptor int, into []byte) (int, error) {
	a := c.asked
	for !a.isOrdinary && !a.isOffered {
		n, err := raw.Receive(descriptor, a.bytes[a.there:])
		if err != nil {
			c.limit(err)
			return 0, err
		}
		a.there += n
		switch {
		case n == 0 || !isHelloSoFar(a.bytes[:a.there]):
			c.becomeOrdinary()
		case a.there == helloBytes:
			if err := c.answer(descriptor); err != nil {
				return 0, err
			}
		}
	}
	if a.isOrdinary {
		n := copy(into, a.bytes[a.given:a.there])
		if a.given += n; a.given == a.there {
			c.asked = nil
		}
		if n == 0 && len(into) > 0 {
			return raw.Receive(descriptor, into)
		}
		return n, nil
	}
	return c.readWord(descriptor, into)
}

// readWord reads the client's word, which comes after an offer.
func (c *Conn) readWord(descriptor int, into []byte) (int, error) {
	var word [1]byte
	n, err := raw.Receive(descriptor, word[:])
	if err != nil {
		c.limit(err)
		return 0, err
	}
	server := c.asked.server
	offered := c.takeOffered()
	if offered == nil {
		return 0, net.ErrClosed
	}
	if n == 0 || word[0] != mapped {
		offered.giveBack()
		c.asked.there = 0
		c.becomeOrdinary()
		c.asked = nil
		if len(into) == 0 {
			return 0, nil
		}
		return raw.Receive(descriptor, into)
	}
	offered.socketEnd = descriptor
	if err := c.share(offered); err != nil {
		offered.giveBack()
		return 0, err
	}
	c.settled()
	c.asked = nil
	server.shared.Add(1)
	return 0, nil
}

// becomeOrdinary makes the connection an ordinary one.
func (c *Conn) becomeOrdinary() {
	c.asked.isOrdinary = true
	c.asked.server.plain.Add(1)
	c.isUndecided.Store(false)
	c.settled()
}

// limit bounds the time of a client that has begun to ask and makes this side wait.
func (c *Conn) limit(waits error) {
	a := c.asked
	if waits != syscall.EAGAIN || a.there == 0 || a.timer != nil {
		return
	}
	a.timer = time.AfterFunc(cmp.Or(a.timeout, defaultHandshakeTimeout), func() {
		c.mu.Lock()
		isTooLate := c.isUndecided.Load() && !c.isClosed
		c.isTooLate.Store(isTooLate)
		c.mu.Unlock()
		if isTooLate {
			c.Close()
		}
	})
}

// settled stops the timer.
func (c *Conn) settled() {
	if timer := c.asked.timer; timer != nil {
		timer.Stop()
	}
}

// takeOffered takes the memory that waits for the client's word; it returns nil if the connection has been closed.
func (c *Conn) takeOffered() *memory {
	c.mu.Lock()
	defer c.mu.Unlock()
	offered := c.offered
	c.offered = nil
	return offered
}

// answer offers memory to the client, or says that there is none.
func (c *Conn) answer(descriptor int) error {
	offered, files, err := c.offer(descriptor)
	if err == nil {
		err = send(descriptor, offered.answer(), unix.UnixRights(files...))
		closeAll(files)
		if err != nil {
			// More descriptors than allowed may be on their way to processes that do not take them (unix(7)).
			offered.giveBack()
		}
	}
	if err != nil {
		c.asked.there = 0
		c.becomeOrdinary()
		return send(descriptor, hello(0), nil)
	}
	c.mu.Lock()
	isClosed := c.isClosed
	if !isClosed {
		c.offered = offered
	}
	c.mu.Unlock()
	if isClosed {
		offered.giveBack()
		return net.ErrClosed
	}
	c.asked.isOffered = true
	return nil
}

// offer makes memory for the client. It returns the files that the client gets: the segment and an end of a socket, and those of a
// new pair.
func (c *Conn) offer(descriptor int) (*memory, []int, error) {
	server := c.asked.server
	options := server.withDefaults()
	if err := options.mayShare(descriptor); err != nil {
		return nil, nil, err
	}
	if !server.take() {
		return nil, nil, errors.New("as many connections have memory as may")
	}
	release := func() { server.open.Add(-1) }
	shared, file, err := segment.Create(options.RingBytes)
	if err != nil {
		release()
		return nil, nil, err
	}
	ends, err := socketPair()
	if err != nil {
		unix.Close(file)
		shared.Unmap()
		release()
		return nil, nil, err
	}
	files := []int{file, ends[1]}
	m, err := newMemory(shared, ends[0], &shared.Rings[clientWrites], &shared.Rings[serverWrites], options, release)
	if err != nil {
		closeAll(files)
		return nil, nil, err
	}
	m.isOwn = true
	if token := wordOf(c.asked.bytes); token != knowsNoPairs {
		more, err := server.seat(m, token, descriptor, options)
		files = append(files, more...)
		if err != nil {
			closeAll(files)
			m.giveBack()
			return nil, nil, err
		}
	}
	return m, files, nil
}

func socketPair() ([2]int, error) {
	return unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
}

func send(descriptor int, text [helloBytes]byte, rights []byte) error {
	n, err := unix.SendmsgN(descriptor, text[:], rights, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
	if err == nil && n < len(text) {
		err = syscall.EPIPE
	}
	return os.NewSyscallError("sendmsg", err)
}
