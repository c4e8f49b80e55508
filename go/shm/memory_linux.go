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

// memory is the state of a shared connection.
type memory struct {
	segment *segment.Segment
	in, out *segment.Ring
	// space is a socket over which the reader of out wakes this side, and this side wakes the writer of in. Over the connection's own
	// socket writers wake readers.
	space     *net.UnixConn
	spaceWait syscall.RawConn
	// socketEnd and spaceEnd are the descriptors of the two sockets. They stay open while anybody uses the memory.
	socketEnd, spaceEnd int
	// looksForBytes belongs to the reader, looksForRoom to the writer.
	looksForBytes, looksForRoom spin
	// pair wakes this connection and its other side, by the notices of a seat; nil where the sockets do that.
	pair *pair
	seat int
	// reader waits for bytes and writer waits for room, where there is a pair.
	reader, writer waiter
	// mayHaveEnded is set once the other side has said that a socket has ended.
	mayHaveEnded atomic.Bool
	// uses is the number of users of the memory. The open connection counts as one.
	uses atomic.Int64
	// isFinished is set once this side will write nothing more.
	isFinished atomic.Bool
	// isOwn says that this side has made the segment.
	isOwn bool
	// socket is the connection's socket. It is closed with the memory.
	socket *net.UnixConn
	free   sync.Once
	// onFree is called when the memory has been given back.
	onFree func()
}

// newMemory makes the state of a shared connection from a segment and this side's end of the socket for space. The memory owns both
// from then on.
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

// socketOf makes a connection of the descriptor of a Unix socket, which it then owns. It returns the connection's own descriptor
// too.
func socketOf(end int, name string) (conn *net.UnixConn, wait syscall.RawConn, descriptor int, err error) {
	file := os.NewFile(uintptr(end), name)
	// This connection has another descriptor of the same socket.
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

// enter returns false where the memory may not be used any more. Otherwise the caller must call leave.
func (m *memory) enter() bool {
	if m.uses.Add(1) < closedMark {
		return true
	}
	m.leave()
	return false
}

func (m *memory) leave() {
	if m.uses.Add(-1) == closedMark {
		// Closing a socket waits for the socket's users, and this goroutine may be one of them.
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

// awaitOther waits until the other side has closed its end of space too: until then that side may still read the bytes that were
// written before the end.
func (m *memory) awaitOther() {
	syscall.Shutdown(m.spaceEnd, syscall.SHUT_WR)
	m.tellEnd()
	// The deadline of reads has passed. But goroutines that wait to write also learn of the other side's end.
	m.spaceWait.Write(func(descriptor uintptr) bool {
		for {
			if err := takeWakes(int(descriptor)); err != nil {
				return err == syscall.EPIPE
			}
		}
	})
}

// giveBack gives the memory back once nobody uses it. A segment that this side has made is emptied for the other side too, which
// could otherwise keep the memory, uncounted, at the cost of this process.
func (m *memory) giveBack() {
	if m.isOwn {
		m.segment.Empty()
	}
	if m.pair != nil {
		// This comes first: the other side may give the seat to another connection once space is closed.
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

// close makes the memory unusable. Goroutines that wait on either side wake up.
func (m *memory) close() {
	m.uses.Add(closedMark)
	syscall.Shutdown(m.socketEnd, syscall.SHUT_RDWR)
	m.tellEnd()
	m.reader.wake()
	m.writer.wake()
	// The other side learns of the end over space only once nobody on this side uses the memory: it may give the memory back then.
	m.space.SetReadDeadline(time.Unix(1, 0))
	m.leave()
}

// read reads the bytes that have come.
//
// # Errors
//
// The same as those of unread.
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

// mostLooks is the number of wake-ups that bring nothing new and that this side takes in a row. A side that keeps to the rules
// sends fewer. If the other side sends them without end, this side sleeps as if none had come, so that deadlines end the wait.
// Later wake-ups still wake this side, and so does the end, which hasHungUp sees behind all bytes that were left.
const mostLooks = 16

// unread returns the bytes that have come. If there are none, it looks for some for a while. It returns none at the end of the
// stream. The caller then tells took how many of them it has read.
//
// # Errors
//
// EAGAIN where no bytes have come; [net.ErrClosed]; [segment.ErrCorrupt].
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
	// This side is about to sleep. It tells the other side so, and then looks once more, in case bytes have come meanwhile.
	hasEnded := false
	for looks := 0; ; looks++ {
		m.in.ReaderWaits()
		if unread, err := m.in.Unread(); len(unread) > 0 || err != nil {
			return unread, err
		}
		if hasEnded && m.isClosed() {
			// This side itself has ended the connection.
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
			// The bytes that were written before the end are still there.
			hasEnded = true
		default:
			m.sleeps()
			return nil, err
		}
	}
}

// took gives the room of so many bytes back to the writer.
func (m *memory) took(bytes int) {
	if m.in.Read(bytes) {
		m.tell(newsRoom, m.spaceEnd)
	}
}

// write writes as many bytes as there is room for.
//
// # Errors
//
// The same as those of room.
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

// room returns the room for bytes. If there is none, it looks for some for a while. The caller then tells wrote how many bytes it
// has written.
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

// wrote hands so many bytes to the reader.
func (m *memory) wrote(bytes int) {
	if m.out.Wrote(bytes) {
		m.tell(newsBytes, m.socketEnd)
	}
}

// looks reports whether this connection looks for itself before it sleeps. Otherwise the pair looks for all of its connections.
func (m *memory) looks() bool { return m.pair == nil || m.pair.alone.Load() }

func (m *memory) sleeps() {
	if m.looks() {
		m.looksForBytes.sleeps()
	}
}

// tell wakes the other side, where that waits for bytes or for room.
func (m *memory) tell(news, socket int) {
	if m.pair == nil {
		wake(socket)
		return
	}
	m.pair.post(m.seat, news)
}

// tellEnd tells the other side that a socket has ended, where that side waits for notices instead of the sockets.
func (m *memory) tellEnd() {
	if m.pair != nil {
		m.pair.post(m.seat, newsEnd)
	}
}

// takeNews takes the wake-ups of this side. Where a connection has a pair, its sockets only tell that they have ended.
//
// # Errors
//
// The same as those of takeWakes.
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

// wake wakes the other side. If the socket takes no more bytes, that side has been woken often enough, or it has ended, which the
// reader sees.
func wake(socket int) {
	one := [1]byte{1}
	raw.Send(socket, one[:])
}

// wakesAtOnce is the number of wake-ups that one system call takes.
const wakesAtOnce = 512

// takeWakes takes the wake-ups of this side.
//
// # Errors
//
// EAGAIN where there are none; EPIPE where the other side has ended.
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

// hasHungUp reports whether the other side sends nothing more over a socket, whatever bytes are still unread there.
func hasHungUp(socket int) bool {
	polled := []unix.PollFd{{Fd: int32(socket), Events: unix.POLLRDHUP}}
	n, err := unix.Poll(polled, 0)
	return err == nil && n > 0
}
