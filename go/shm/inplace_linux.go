package shm

import (
	"fmt"
	"io"
	"net"
	"syscall"
)

// lent is a part of a ring that a caller has in place, which keeps the memory mapped meanwhile.
type lent struct {
	bytes int
	// memory is nil where nothing is lent.
	memory *memory
	// try looks for something to lend, and leaves what it has found, or why there is nothing. It is made once, so that lending allocates nothing.
	try     func(descriptor uintptr) bool
	found   []byte
	failure error
}

// taken is what try has left.
func (l *lent) taken() ([]byte, error) {
	found, failure := l.found, l.failure
	l.found, l.failure = nil, nil
	return found, failure
}

// lend gives what a function finds in a connection's memory.
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

// Peek waits until there is something to read, and gives all that is there, in place: nothing is copied, and up to [Conn.Discard] the bytes are the caller's, to be read only.
// Nothing may be read in another way meanwhile. Closing the connection leaves them readable, and keeps its memory, up to Discard.
//
// The other side can change the bytes at any time. Who decides by one of them must load it once, and may not rely on what an earlier look at it has found: not on a length that
// was checked in place, nor on a text that was found valid. Who cannot work that way uses [Conn.Read].
//
// # Errors
//
// [io.EOF] at the end of the stream; [ErrNotShared]; those of Read.
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

// settle reads the first bytes of a connection that may yet become a shared one.
func (c *Conn) settle(descriptor uintptr) error {
	if c.asked == nil || c.memory.Load() != nil {
		return nil
	}
	_, err := c.readAsked(int(descriptor), nil)
	return err
}

// Discard gives so many of the bytes that [Conn.Peek] has given back to the writer. The others are given by the next Peek.
//
// # Errors
//
// There are not so many of them.
func (c *Conn) Discard(bytes int) error {
	return c.peeked.giveBack(bytes, (*memory).took)
}

// Reserve waits until there is room for something, and gives all of it, in place: nothing that is written there is copied. What [Conn.Commit] does not tell of is not sent.
// Nothing may be written in another way meanwhile. Closing the connection leaves the room writable, and keeps its memory, up to Commit.
//
// The other side can read and change the bytes at any time, and find in the room what was sent before: who reads in it reads what may be the other side's.
//
// # Errors
//
// [ErrNotShared]; those of [Conn.Write].
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

// Commit sends so many of the first bytes of what [Conn.Reserve] has given. Who makes a large message commits it in parts, so that the other side reads at the same time.
//
// # Errors
//
// There are not so many of them.
func (c *Conn) Commit(bytes int) error {
	return c.reserved.giveBack(bytes, (*memory).wrote)
}

// giveBack ends what was lent, once so many bytes of it are told of.
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
