package shm

import (
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"hone/go/raw"
	"hone/go/shm/internal/segment"
)

// memory is what a shared connection has.
type memory struct {
	segment *segment.Segment
	in, out *segment.Ring
	// Over space the reader of out wakes this side, and this side the writer of in. Over the connection's socket writers wake readers.
	space     *net.UnixConn
	spaceWait syscall.RawConn
	// socketEnd and spaceEnd are their descriptors, which stay open while anybody uses the memory.
	socketEnd, spaceEnd int
	spin                spin
	// uses counts those that use the memory, the open connection among them.
	uses atomic.Int64
	// isFinished is set once this side writes nothing more.
	isFinished atomic.Bool
	// isOwn is whether this side has made the segment.
	isOwn bool
	// socket is the connection's, which is closed with the memory.
	socket *net.UnixConn
	free   sync.Once
	// onFree is told that the memory has been given back.
	onFree func()
}

// newMemory makes what a shared connection has, of a segment and this side's end of the socket for space. Both are its own from then on.
func newMemory(shared *segment.Segment, spaceEnd int, in, out *segment.Ring, options Options, onFree func()) (*memory, error) {
	file := os.NewFile(uintptr(spaceEnd), "space")
	// This is another descriptor of the same socket.
	conn, err := net.FileConn(file)
	file.Close()
	space, isUnix := conn.(*net.UnixConn)
	if err == nil && !isUnix {
		conn.Close()
		err = errors.New("the socket for space is none of Unix")
	}
	m := &memory{segment: shared, in: in, out: out, space: space, spin: spin{most: options.Spin}, onFree: onFree}
	if err == nil {
		m.spaceWait, err = space.SyscallConn()
	}
	if err == nil {
		err = m.spaceWait.Control(func(descriptor uintptr) { m.spaceEnd = int(descriptor) })
	}
	if err != nil {
		if space != nil {
			space.Close()
		}
		shared.Unmap()
		onFree()
		return nil, err
	}
	return m, nil
}

// isClosed is added to the number of users once the connection is closed.
const isClosed = 1 << 62

// enter is false where the memory may not be used any more. Otherwise leave must follow.
func (m *memory) enter() bool {
	if m.uses.Add(1) < isClosed {
		return true
	}
	m.leave()
	return false
}

func (m *memory) leave() {
	if m.uses.Add(-1) == isClosed {
		// Closing a socket waits for those that use it, and this may be one.
		m.free.Do(func() {
			go func() {
				m.socket.Close()
				if m.isOwn {
					m.awaitOther()
				}
				m.giveBack()
			}()
		})
	}
}

// awaitOther waits until the other side has closed its end of space too: it may still read what was written before the end.
func (m *memory) awaitOther() {
	syscall.Shutdown(m.spaceEnd, syscall.SHUT_WR)
	// The deadline of reads has passed. But the other side's end is told to those that wait to write as well.
	m.spaceWait.Write(func(descriptor uintptr) bool {
		for {
			if err := takeWakes(int(descriptor)); err != nil {
				return err == syscall.EPIPE
			}
		}
	})
}

// giveBack gives the memory back, which nobody uses: that of a segment of this side's for the other one too, which could keep it otherwise, uncounted, and at the cost of this process.
func (m *memory) giveBack() {
	if m.isOwn {
		m.segment.Empty()
	}
	m.segment.Unmap()
	m.space.Close()
	m.onFree()
}

// close lets nobody use the memory any more. Whoever waits on either side wakes up.
func (m *memory) close() {
	m.uses.Add(isClosed)
	syscall.Shutdown(m.socketEnd, syscall.SHUT_RDWR)
	// The other side is told over space once nobody here uses the memory: it may be gone then.
	m.space.SetReadDeadline(time.Unix(1, 0))
	m.leave()
}

// read reads what is there, and looks for more for a while.
func (m *memory) read(into []byte) (int, error) {
	n, err := m.readNow(into)
	if n > 0 || err != nil || len(into) == 0 {
		return n, err
	}
	if m.spin.wait(m.in) {
		return m.readNow(into)
	}
	return m.readOrAnnounce(into)
}

// readNow reads what is in the ring.
func (m *memory) readNow(into []byte) (int, error) {
	unread, err := m.in.Unread()
	if err != nil || len(unread) == 0 {
		return 0, err
	}
	n := copy(into, unread)
	if m.in.Read(n) {
		wake(m.spaceEnd)
	}
	return n, nil
}

// mostLooks is how often in a row this side takes wake-ups that bring nothing. A side that keeps to the rules has sent too few for that; after one that sends them without an end
// this side sleeps as if none had come, so that deadlines end the wait. What comes later wakes it all the same.
const mostLooks = 16

// readOrAnnounce announces that this side is about to sleep, and looks once more whether it must not.
func (m *memory) readOrAnnounce(into []byte) (int, error) {
	hasEnded := false
	for looks := 0; ; looks++ {
		m.in.ReaderWaits()
		if n, err := m.readNow(into); n > 0 || err != nil || hasEnded {
			return n, err
		}
		if looks == mostLooks {
			return 0, syscall.EAGAIN
		}
		switch err := takeWakes(m.socketEnd); err {
		case nil:
		case syscall.EPIPE:
			// What was written before the end is still there.
			hasEnded = true
		default:
			return 0, err
		}
	}
}

// write writes what there is room for, or announces that this side is about to sleep.
func (m *memory) write(from []byte) (int, error) {
	if n, err := m.writeNow(from); n > 0 || err != nil || len(from) == 0 {
		return n, err
	}
	for looks := 0; ; looks++ {
		m.out.WriterWaits()
		if n, err := m.writeNow(from); n > 0 || err != nil {
			return n, err
		}
		if looks == mostLooks {
			return 0, syscall.EAGAIN
		}
		if err := takeWakes(m.spaceEnd); err != nil {
			return 0, err
		}
	}
}

// writeNow writes what there is room for.
func (m *memory) writeNow(from []byte) (int, error) {
	room, err := m.out.Room()
	if err != nil || len(room) == 0 {
		return 0, err
	}
	n := copy(room, from)
	if m.out.Wrote(n) {
		wake(m.socketEnd)
	}
	return n, nil
}

// wake wakes the other side. Where the socket takes nothing more, that side has been woken often enough, or has ended, which its reader sees.
func wake(socket int) {
	one := [1]byte{1}
	for {
		if _, err := raw.Send(socket, one[:]); err != syscall.EINTR {
			return
		}
	}
}

// takeWakes takes what has woken this side.
//
// # Errors
//
// EAGAIN where nothing has; EPIPE where the other side has ended.
func takeWakes(socket int) error {
	var wakes [512]byte
	for {
		n, err := raw.Receive(socket, wakes[:])
		switch {
		case n > 0:
			return nil
		case err == syscall.EAGAIN:
			return err
		case err != syscall.EINTR:
			return syscall.EPIPE
		}
	}
}
