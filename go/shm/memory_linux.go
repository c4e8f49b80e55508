package shm

import (
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

// memory is what a shared connection has.
type memory struct {
	segment *segment.Segment
	in, out *segment.Ring
	// Over space the reader of out wakes this side, and this side the writer of in. Over the connection's socket writers wake readers.
	space     *net.UnixConn
	spaceWait syscall.RawConn
	// socketEnd and spaceEnd are their descriptors, which stay open while anybody uses the memory.
	socketEnd, spaceEnd int
	// looksForBytes is the reader's, looksForRoom the writer's.
	looksForBytes, looksForRoom spin
	// pair is what wakes this connection and the other side, as the one in a seat; nil where the sockets do.
	pair *pair
	seat int
	// reader waits for bytes, writer for room, where there is a pair.
	reader, writer waiter
	// mayHaveEnded is set once the other side has told that a socket has.
	mayHaveEnded atomic.Bool
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
	space, wait, descriptor, err := socketOf(spaceEnd, "space")
	if err != nil {
		shared.Unmap()
		onFree()
		return nil, err
	}
	m := &memory{segment: shared, in: in, out: out, space: space, spaceWait: wait, spaceEnd: descriptor, onFree: onFree}
	m.looksForBytes.most, m.looksForRoom.most = options.Spin, options.Spin
	m.reader.news, m.writer.news = make(chan struct{}, 1), make(chan struct{}, 1)
	return m, nil
}

// socketOf makes a connection of a descriptor of a socket of Unix, which it owns, and tells the descriptor that the connection has.
func socketOf(end int, name string) (conn *net.UnixConn, wait syscall.RawConn, descriptor int, err error) {
	file := os.NewFile(uintptr(end), name)
	// This is another descriptor of the same socket.
	any, err := net.FileConn(file)
	file.Close()
	if err != nil {
		return nil, nil, 0, err
	}
	conn, isUnix := any.(*net.UnixConn)
	if !isUnix {
		any.Close()
		return nil, nil, 0, fmt.Errorf("the socket for %s is none of Unix", name)
	}
	wait, err = conn.SyscallConn()
	if err == nil {
		err = wait.Control(func(known uintptr) { descriptor = int(known) })
	}
	if err != nil {
		conn.Close()
		return nil, nil, 0, err
	}
	return conn, wait, descriptor, nil
}

// closedMark is added to the number of users once the connection is closed.
const closedMark = 1 << 62

func (m *memory) isClosed() bool { return m.uses.Load() >= closedMark }

// enter is false where the memory may not be used any more. Otherwise leave must follow.
func (m *memory) enter() bool {
	if m.uses.Add(1) < closedMark {
		return true
	}
	m.leave()
	return false
}

func (m *memory) leave() {
	if m.uses.Add(-1) == closedMark {
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
	m.tellEnd()
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
	if m.pair != nil {
		// First, as the other side may give the seat to another connection once space is closed.
		m.pair.seats[m.seat].CompareAndSwap(m, nil)
	}
	m.segment.Unmap()
	m.space.Close()
	if m.pair != nil {
		m.tellEnd()
		m.pair.leave()
	}
	m.onFree()
}

// close lets nobody use the memory any more. Whoever waits on either side wakes up.
func (m *memory) close() {
	m.uses.Add(closedMark)
	syscall.Shutdown(m.socketEnd, syscall.SHUT_RDWR)
	m.tellEnd()
	m.reader.wake()
	m.writer.wake()
	// The other side is told over space once nobody here uses the memory: it may be gone then.
	m.space.SetReadDeadline(time.Unix(1, 0))
	m.leave()
}

// read reads what is there.
//
// # Errors
//
// Those of unread.
func (m *memory) read(into []byte) (int, error) {
	if len(into) == 0 {
		_, err := m.in.Unread()
		return 0, err
	}
	unread, err := m.unread()
	n := copy(into, unread)
	if n > 0 {
		m.took(n)
	}
	return n, err
}

// mostLooks is how often in a row this side takes wake-ups that bring nothing. A side that keeps to the rules has sent too few for that; after one that sends them without an end
// this side sleeps as if none had come, so that deadlines end the wait. What comes later wakes it all the same, the end too, which hasHungUp sees behind all that was left.
const mostLooks = 16

// unread gives what is there, and looks for it for a while; nothing at the end of the stream. What has been read of it took tells.
//
// # Errors
//
// EAGAIN where nothing is there; [net.ErrClosed]; [segment.ErrCorrupt].
func (m *memory) unread() ([]byte, error) {
	if m.looks() {
		m.looksForBytes.woke()
	}
	unread, err := m.in.Unread()
	if len(unread) > 0 || err != nil {
		return unread, err
	}
	if m.looks() && m.looksForBytes.wait(m.in.IsEmpty) {
		return m.in.Unread()
	}
	// This side is about to sleep: the other one is told, and then nothing may have come meanwhile.
	hasEnded := false
	for looks := 0; ; looks++ {
		m.in.ReaderWaits()
		if unread, err := m.in.Unread(); len(unread) > 0 || err != nil {
			return unread, err
		}
		if hasEnded && m.isClosed() {
			// The end is this side's own.
			return nil, net.ErrClosed
		}
		if hasEnded {
			return nil, nil
		}
		if looks == mostLooks {
			if hasEnded = hasHungUp(m.socketEnd); hasEnded {
				continue
			}
			m.sleeps()
			return nil, syscall.EAGAIN
		}
		switch err := m.takeNews(m.socketEnd); err {
		case nil:
		case syscall.EPIPE:
			// What was written before the end is still there.
			hasEnded = true
		default:
			m.sleeps()
			return nil, err
		}
	}
}

// took gives room back.
func (m *memory) took(bytes int) {
	if m.in.Read(bytes) {
		m.tell(newsRoom, m.spaceEnd)
	}
}

// write writes what there is room for.
//
// # Errors
//
// Those of room.
func (m *memory) write(from []byte) (int, error) {
	if len(from) == 0 {
		_, err := m.out.Room()
		return 0, err
	}
	room, err := m.room()
	n := copy(room, from)
	if n > 0 {
		m.wrote(n)
	}
	return n, err
}

// room gives what may be written into, and looks for it for a while. What has been written of it wrote tells.
//
// # Errors
//
// EAGAIN where there is no room; EPIPE where nobody will read; [segment.ErrCorrupt].
func (m *memory) room() ([]byte, error) {
	room, err := m.out.Room()
	if len(room) > 0 || err != nil {
		return room, err
	}
	if m.looks() && m.looksForRoom.wait(m.out.IsFull) {
		return m.out.Room()
	}
	for looks := 0; ; looks++ {
		m.out.WriterWaits()
		if room, err := m.out.Room(); len(room) > 0 || err != nil {
			return room, err
		}
		if looks == mostLooks {
			if hasHungUp(m.spaceEnd) {
				return nil, syscall.EPIPE
			}
			return nil, syscall.EAGAIN
		}
		if err := m.takeNews(m.spaceEnd); err != nil {
			m.looksForRoom.endTurn()
			return nil, err
		}
	}
}

// wrote hands bytes to the reader.
func (m *memory) wrote(bytes int) {
	if m.out.Wrote(bytes) {
		m.tell(newsBytes, m.socketEnd)
	}
}

// looks is whether this connection looks for itself before it sleeps, and not the pair for all of its connections.
func (m *memory) looks() bool { return m.pair == nil || m.pair.alone.Load() }

func (m *memory) sleeps() {
	if m.looks() {
		m.looksForBytes.sleeps()
	}
}

// tell wakes the other side, which waits for bytes or for room.
func (m *memory) tell(news, socket int) {
	if m.pair == nil {
		wake(socket)
		return
	}
	m.pair.post(m.seat, news)
}

// tellEnd tells the other side that a socket has ended, where it does not wait for them.
func (m *memory) tellEnd() {
	if m.pair != nil {
		m.pair.post(m.seat, newsEnd)
	}
}

// takeNews takes what has woken this side. The sockets of a connection of a pair tell only that they have ended.
//
// # Errors
//
// Those of takeWakes.
func (m *memory) takeNews(socket int) error {
	switch {
	case m.pair == nil:
	case m.pair.hasEnded.Load():
		return syscall.EPIPE
	case !m.mayHaveEnded.Load():
		return syscall.EAGAIN
	}
	return takeWakes(socket)
}

// wake wakes the other side. Where the socket takes nothing more, that side has been woken often enough, or has ended, which its reader sees.
func wake(socket int) {
	one := [1]byte{1}
	raw.Send(socket, one[:])
}

// wakesAtOnce is how many wake-ups are taken by one system call.
const wakesAtOnce = 512

// takeWakes takes what has woken this side.
//
// # Errors
//
// EAGAIN where nothing has; EPIPE where the other side has ended.
func takeWakes(socket int) error {
	var wakes [wakesAtOnce]byte
	n, err := raw.Receive(socket, wakes[:])
	switch {
	case n > 0:
		return nil
	case err == syscall.EAGAIN:
		return err
	}
	return syscall.EPIPE
}

// hasHungUp is whether the other side sends nothing more over a socket, whatever it has left there.
func hasHungUp(socket int) bool {
	polled := []unix.PollFd{{Fd: int32(socket), Events: unix.POLLRDHUP}}
	n, err := unix.Poll(polled, 0)
	return err == nil && n > 0
}
