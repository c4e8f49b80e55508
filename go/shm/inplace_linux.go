package shm

import (
	"fmt"
	"io"
	"net"
	"syscall"
)

// lent is a part of a ring that a caller uses in place. It keeps the memory mapped meanwhile.
type lent struct {
	bytes int
	// memory is nil where nothing is lent.
	memory *memory
	// try looks for something to lend, and leaves in found what it has found, or in failure the reason why there is nothing. It is
	// made once, so that lending allocates nothing.
	try     func(descriptor uintptr) bool
	found   []byte
	failure error
}

// taken returns the results that try has left, and clears them.
func (l *lent) taken() ([]byte, error) {
	found, failure := l.found, l.failure
	l.found, l.failure = nil, nil
	return found, failure
}

// lend lends the part of a connection's memory that a function finds.
func (l *lent) lend(c *Conn, find func(*memory) ([]byte, error)) ([]byte, error) {
	m := c.memory.Load()
	if m == nil {
		return nil, ErrNotShared
	}
	switch {
	case m.isClosed():
		return nil, net.ErrClosed
	case l.memory == nil && !m.enter():
		return nil, net.ErrClosed
	}
	l.memory = m
	found, err := find(m)
	if l.bytes = len(found); l.bytes == 0 {
		l.end()
	}
	return found, err
}

func (l *lent) end() {
	l.memory.leave()
	l.bytes, l.memory = 0, nil
}

// Peek waits until there is something to read, and returns all of it, in place: nothing is copied. The caller has the bytes up to
// [Conn.Discard], and may only read them. Nothing may be read in another way meanwhile. If the connection is closed, the bytes stay
// readable, and its memory is kept, up to Discard.
//
// The other side can change the bytes at any time. Code that decides by a byte must load that byte once, and may not rely on an
// earlier look at it: not on a length that was checked in place, nor on a text that was found valid. Code that cannot work that way
// uses [Conn.Read].
//
// # Errors
//
// [io.EOF] at the end of the stream; [ErrNotShared]; the errors of Read.
func (c *Conn) Peek() ([]byte, error) {
	if c.peeked.try == nil {
		c.peeked.try = func(descriptor uintptr) bool {
			l := &c.peeked
			if l.failure = c.settle(descriptor); l.failure == nil {
				l.found, l.failure = l.lend(c, (*memory).unread)
			}
			return l.failure != syscall.EAGAIN
		}
	}
	err := c.RawRead(c.peeked.try)
	unread, failure := c.peeked.taken()
	if err == nil {
		err = failure
	}
	switch {
	case err != nil:
		return nil, c.failed("peek", err)
	case len(unread) == 0:
		return nil, io.EOF
	}
	return unread, nil
}

// settle reads the first bytes of a connection that may still become a shared one.
func (c *Conn) settle(descriptor uintptr) error {
	if c.asked == nil || c.memory.Load() != nil {
		return nil
	}
	_, err := c.readAsked(int(descriptor), nil)
	return err
}

// Discard gives the first so many bytes of those that [Conn.Peek] has returned back to the writer. The next Peek returns the other
// bytes again.
//
// # Errors
//
// An error if Peek has returned fewer bytes.
func (c *Conn) Discard(bytes int) error {
	return c.peeked.giveBack(bytes, (*memory).took)
}

// Reserve waits until there is room, and returns all of it, in place: bytes that are written there are not copied. Only the bytes
// that are passed to [Conn.Commit] are sent. Nothing may be written in another way meanwhile. If the connection is closed, the room
// stays writable, and its memory is kept, up to Commit.
//
// The other side can read and change the bytes at any time. The room may hold bytes that were sent before, and the other side may
// have changed them.
//
// # Errors
//
// [ErrNotShared]; the errors of [Conn.Write].
func (c *Conn) Reserve() ([]byte, error) {
	if !c.IsShared() {
		return nil, c.failed("reserve", ErrNotShared)
	}
	if c.reserved.try == nil {
		c.reserved.try = func(uintptr) bool {
			l := &c.reserved
			l.found, l.failure = l.lend(c, (*memory).room)
			return l.failure != syscall.EAGAIN
		}
	}
	err := c.RawWrite(c.reserved.try)
	room, failure := c.reserved.taken()
	if err == nil {
		err = failure
	}
	if err != nil {
		return nil, c.failed("reserve", err)
	}
	return room, nil
}

// Commit sends the first so many bytes of the room that [Conn.Reserve] has returned. The writer of a large message should commit it
// in parts, so that the other side reads at the same time.
//
// # Errors
//
// An error if the room has fewer bytes.
func (c *Conn) Commit(bytes int) error {
	return c.reserved.giveBack(bytes, (*memory).wrote)
}

// giveBack ends the loan, after it has told the other side of so many bytes.
func (l *lent) giveBack(bytes int, tell func(*memory, int)) error {
	if bytes < 0 || bytes > l.bytes {
		return fmt.Errorf("%d bytes are given back of %d", bytes, l.bytes)
	}
	if l.memory == nil {
		return nil
	}
	if bytes > 0 {
		tell(l.memory, bytes)
	}
	l.end()
	return nil
}
