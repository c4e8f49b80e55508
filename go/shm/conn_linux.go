package shm

import (
	"cmp"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"hone/go/raw"
)

// Conn is a connection. It is a [net.Conn]. For callers that do their own waiting, as package rpc does, it has the methods RawRead,
// RawWrite, TryRead and TryWrite.
type Conn struct {
	socket *net.UnixConn
	wait   syscall.RawConn
	// asked is the request that the client's first bytes make, on the server's side; nil once these bytes have told what the
	// connection is. Only the reader uses it.
	asked *asked
	// memory is set once the connection is shared.
	memory atomic.Pointer[memory]
	// isUndecided is true on the server's side until the first bytes have told whether the connection is shared. isTooLate is true
	// once these bytes took too long.
	isUndecided, isTooLate atomic.Bool
	// peeked belongs to the reader, reserved to the writer.
	peeked, reserved lent

	mu       sync.Mutex
	isClosed bool
	// offered is memory that waits for the client's word.
	offered *memory
	// readBy and writeBy are the deadlines of reads and writes.
	readBy, writeBy time.Time
}

// share gives a connection its memory.
//
// # Errors
//
// [net.ErrClosed]: the memory still belongs to the caller then.
func (c *Conn) share(m *memory) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed || c.isTooLate.Load() {
		return net.ErrClosed
	}
	if m.pair != nil {
		m.reader.setDeadline(c.readBy)
		m.writer.setDeadline(c.writeBy)
	} else if err := m.space.SetReadDeadline(c.writeBy); err != nil {
		return err
	}
	m.socket = c.socket
	m.uses.Store(1)
	c.memory.Store(m)
	c.isUndecided.Store(false)
	return nil
}

// IsShared reports whether the connection goes through shared memory. A server does not know that before the client's first bytes
// have come.
func (c *Conn) IsShared() bool { return c.memory.Load() != nil }

// RawRead calls a function until it returns true: at once, and whenever there may be something to read. The function is given the
// descriptor that [Conn.TryRead] needs.
//
// # Errors
//
// The errors of [syscall.RawConn]: the connection is closed, or a deadline has passed.
func (c *Conn) RawRead(try func(descriptor uintptr) bool) error {
	if m := c.memory.Load(); m != nil && m.pair != nil {
		return m.reader.wait(m, try)
	}
	if c.asked == nil {
		return c.wait.Read(try)
	}
	// The first bytes may give the connection a pair. From then on the pair wakes the connection.
	isDone := false
	err := c.wait.Read(func(descriptor uintptr) bool {
		isDone = try(descriptor)
		return isDone || c.isPaired()
	})
	switch {
	case err == nil && !isDone:
		return c.RawRead(try)
	case err != nil && c.isTooLate.Load():
		return errTooLate
	}
	return err
}

func (c *Conn) isPaired() bool {
	m := c.memory.Load()
	return m != nil && m.pair != nil
}

// RawWrite calls a function until it returns true: at once, and whenever there may be room. The function is given the descriptor
// that [Conn.TryWrite] needs.
//
// # Errors
//
// The same as those of RawRead.
func (c *Conn) RawWrite(try func(descriptor uintptr) bool) error {
	if c.isUndecided.Load() {
		return errReadFirst
	}
	m := c.memory.Load()
	if m == nil {
		return c.wait.Write(try)
	}
	if m.pair != nil {
		return m.writer.wait(m, try)
	}
	// The other side sends bytes over space when it has made room, so this side waits to read.
	err := m.spaceWait.Read(try)
	if err != nil && m.isClosed() {
		return net.ErrClosed
	}
	return err
}

// errReadFirst is the error of a server that writes while the client may still ask for memory: the client would take the bytes for
// the answer to its request.
var errReadFirst = errors.New("the client has not said yet whether it shares memory; read from the connection before you write to it")

// TryRead reads the bytes that have come, within [Conn.RawRead].
//
// # Errors
//
// EAGAIN where none have come. No bytes without an error are the end of the stream.
func (c *Conn) TryRead(descriptor uintptr, into []byte) (int, error) {
	m := c.memory.Load()
	if m == nil && c.asked != nil {
		n, err := c.readAsked(int(descriptor), into)
		if m = c.memory.Load(); m == nil {
			return n, err
		}
	}
	if m == nil {
		return raw.Receive(int(descriptor), into)
	}
	if !m.enter() {
		return 0, net.ErrClosed
	}
	defer m.leave()
	return m.read(into)
}

// TryWrite writes as many bytes as there is room for, within [Conn.RawWrite].
//
// # Errors
//
// EAGAIN where there is no room; EPIPE where nobody will read the bytes.
func (c *Conn) TryWrite(descriptor uintptr, from []byte) (int, error) {
	m := c.memory.Load()
	if m == nil {
		return raw.Send(int(descriptor), from)
	}
	if !m.enter() {
		return 0, net.ErrClosed
	}
	defer m.leave()
	if m.isFinished.Load() {
		return 0, syscall.EPIPE
	}
	return m.write(from)
}

// Read implements [net.Conn].
func (c *Conn) Read(into []byte) (n int, err error) {
	var failure error
	err = c.RawRead(func(descriptor uintptr) bool {
		n, failure = c.TryRead(descriptor, into)
		return failure != syscall.EAGAIN
	})
	switch {
	case err != nil:
		return 0, c.failed("read", err)
	case failure != nil:
		return 0, c.failed("read", failure)
	case n == 0 && len(into) > 0:
		return 0, io.EOF
	}
	return n, nil
}

// Write implements [net.Conn].
func (c *Conn) Write(from []byte) (written int, err error) {
	for written < len(from) && err == nil {
		var failure error
		err = c.RawWrite(func(descriptor uintptr) bool {
			n := 0
			n, failure = c.TryWrite(descriptor, from[written:])
			written += max(n, 0)
			return failure != syscall.EAGAIN
		})
		err = cmp.Or(err, failure)
	}
	if err != nil {
		err = c.failed("write", err)
	}
	return written, err
}

func (c *Conn) failed(op string, err error) error {
	if waiting := (*net.OpError)(nil); errors.As(err, &waiting) {
		err = waiting.Err
	}
	return &net.OpError{Op: op, Net: "shm", Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: err}
}

// Close ends the connection for both sides. The other side can still read the bytes that were written before.
func (c *Conn) Close() error {
	c.mu.Lock()
	wasClosed, offered := c.isClosed, c.offered
	c.isClosed, c.offered = true, nil
	c.mu.Unlock()
	m := c.memory.Load()
	switch {
	case m == nil:
		if offered != nil {
			offered.giveBack()
		}
		return c.socket.Close()
	case wasClosed:
		return c.failed("close", net.ErrClosed)
	}
	m.close()
	return nil
}

// CloseWrite tells the other side that nothing more comes.
func (c *Conn) CloseWrite() error {
	if m := c.memory.Load(); m != nil {
		m.isFinished.Store(true)
	}
	err := c.socket.CloseWrite()
	if m := c.memory.Load(); m != nil && m.enter() {
		m.tellEnd()
		m.leave()
	}
	return err
}

// LocalAddr implements [net.Conn].
func (c *Conn) LocalAddr() net.Addr { return c.socket.LocalAddr() }

// RemoteAddr implements [net.Conn].
func (c *Conn) RemoteAddr() net.Addr { return c.socket.RemoteAddr() }

// SetDeadline implements [net.Conn].
func (c *Conn) SetDeadline(at time.Time) error {
	if err := c.SetReadDeadline(at); err != nil {
		return err
	}
	return c.SetWriteDeadline(at)
}

// SetReadDeadline implements [net.Conn].
func (c *Conn) SetReadDeadline(at time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed {
		return c.failed("set", net.ErrClosed)
	}
	c.readBy = at
	if c.isPaired() {
		c.memory.Load().reader.setDeadline(at)
		return nil
	}
	return c.socket.SetReadDeadline(at)
}

// SetWriteDeadline implements [net.Conn].
func (c *Conn) SetWriteDeadline(at time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed {
		return c.failed("set", net.ErrClosed)
	}
	c.writeBy = at
	m := c.memory.Load()
	switch {
	case m == nil:
		return c.socket.SetWriteDeadline(at)
	case m.pair != nil:
		m.writer.setDeadline(at)
		return nil
	}
	return m.space.SetReadDeadline(at)
}
