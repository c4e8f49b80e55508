package shm

import (
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"hone/go/shm/internal/segment"
)

// pair wakes all connections between two processes: it has notices in memory, which one goroutine, the taker, takes, and one
// socket, the bell, for a process that sleeps. So a process with many busy connections is woken once for all news, or not at all
// while it is awake.
type pair struct {
	shared  *segment.Pair
	token   uint64
	in, out segment.Notices
	// bell wakes the other process's taker. When that process closes its end, the pair ends.
	bell     *net.UnixConn
	bellWait syscall.RawConn
	bellEnd  int
	looks    spin
	seats    [segment.Seats]atomic.Pointer[memory]
	// hasEnded is set once the other process has closed its end of the bell: then all connections of the pair have ended.
	hasEnded atomic.Bool
	// vain counts how often in a row notices were taken while no connection found anything new.
	vain atomic.Int32
	// peer is the id of the other process, on the server's side.
	peer int32
	// isOwn says that this side has made the memory.
	isOwn bool
	// onOver is called once no connection can join any more.
	onOver func()

	mu sync.Mutex
	// connections is the number of connections. uses also counts the taker.
	uses, connections int
	// isOver is set once no connection can join any more. alone is set while there is just one connection. Both change only while mu
	// is held.
	isOver, alone atomic.Bool
}

// These are the notices of a seat's connection: bytes have come, there is room, or a socket has ended.
const (
	newsBytes = iota
	newsRoom
	newsEnd
)

// mostVain is the number of notices in a row that may bring nothing before the taker pauses. A side that keeps to the rules posts
// one notice for each time that the other side was about to sleep.
const (
	mostVain  = 1024
	vainPause = time.Millisecond
)

// newPair makes a pair, which one connection has joined, from its memory and this side's end of the bell. The pair owns both from
// then on. The caller must call begin.
func newPair(shared *segment.Pair, bellEnd int, in, out segment.Notices, options Options) (*pair, error) {
	bell, wait, descriptor, err := socketOf(bellEnd, "bell")
	if err != nil {
		shared.Unmap()
		return nil, err
	}
	p := &pair{shared: shared, in: in, out: out, bell: bell, bellWait: wait, bellEnd: descriptor, uses: 2, connections: 1}
	p.token, p.looks.most = shared.Token, options.Spin
	p.alone.Store(true)
	return p, nil
}

// begin starts the taker.
func (p *pair) begin() { go p.serve() }

// join returns false once the pair is over. Otherwise the caller must call leave.
func (p *pair) join() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isOver.Load() {
		return false
	}
	p.uses++
	p.connections++
	p.alone.Store(p.connections == 1)
	return true
}

// leave ends a connection's part in the pair. The last connection ends the pair.
func (p *pair) leave() {
	p.mu.Lock()
	p.connections--
	p.alone.Store(p.connections == 1)
	endsIt := p.connections == 0 && !p.isOver.Swap(true)
	p.mu.Unlock()
	if endsIt {
		p.onOver()
		p.bell.Close()
	}
	p.release()
}

// release gives the memory back once neither a connection nor the taker uses it.
func (p *pair) release() {
	p.mu.Lock()
	p.uses--
	isUnused := p.uses == 0
	p.mu.Unlock()
	if !isUnused {
		return
	}
	if p.isOwn {
		p.shared.Empty()
	}
	p.shared.Unmap()
}

// sit gives a connection a free seat.
func (p *pair) sit(m *memory) (seat int, is bool) {
	for seat := range p.seats {
		if p.seats[seat].CompareAndSwap(nil, m) {
			m.pair, m.seat = p, seat
			return seat, true
		}
	}
	return 0, false
}

// post tells the other process that a connection has something new.
func (p *pair) post(seat, kind int) {
	if p.out.Post(seat*segment.NoticesOfSeat + kind) {
		wake(p.bellEnd)
	}
}

// notice hands a notice to its connection.
func (p *pair) notice(bit int) {
	m := p.seats[bit/segment.NoticesOfSeat].Load()
	if m == nil {
		return
	}
	switch bit % segment.NoticesOfSeat {
	case newsBytes:
		m.reader.wake()
	case newsRoom:
		m.writer.wake()
	case newsEnd:
		m.mayHaveEnded.Store(true)
		m.reader.wake()
		m.writer.wake()
	}
}

// serve takes notices until the pair ends.
func (p *pair) serve() {
	p.bellWait.Read(func(uintptr) bool { return p.take() == syscall.EPIPE })
	p.mu.Lock()
	wasOver := p.isOver.Swap(true)
	p.mu.Unlock()
	if !wasOver {
		p.onOver()
	}
	p.bell.Close()
	p.hasEnded.Store(true)
	for seat := range p.seats {
		if m := p.seats[seat].Load(); m != nil {
			m.reader.wake()
			m.writer.wake()
		}
	}
	p.release()
}

// take takes notices, until none have come for a while, or its turn is over.
//
// # Errors
//
// EAGAIN once the other process knows that it must ring the bell; EPIPE once the pair is over.
func (p *pair) take() error {
	// The taker counts among the readers that wake. Where the pair has just one connection, that connection is counted instead.
	if !p.alone.Load() {
		p.looks.woke()
	}
	for rings := 0; !p.isOver.Load(); {
		if p.in.Take(p.notice) {
			p.pauseIfVain()
			rings = 0
			if p.looks.hasTurn() {
				runtime.Gosched()
				continue
			}
		} else if !p.alone.Load() && p.looks.wait(p.in.AreNone) {
			continue
		}
		// This process is about to sleep. It tells the other process so, and then looks once more, in case notices have come meanwhile.
		p.in.Sleep()
		if !p.in.AreNone() {
			continue
		}
		err := error(syscall.EAGAIN)
		if rings < mostLooks {
			err = takeWakes(p.bellEnd)
		} else if hasHungUp(p.bellEnd) {
			err = syscall.EPIPE
		}
		if err == nil {
			// The other process may have rung for notices that it posted after the last look.
			rings++
			continue
		}
		p.looks.endTurn()
		if !p.alone.Load() {
			p.looks.sleeps()
		}
		return err
	}
	return syscall.EPIPE
}

// pauseIfVain lets other goroutines run where the other process posts notices without end that bring nothing new.
func (p *pair) pauseIfVain() {
	if p.vain.Add(1) > mostVain {
		time.Sleep(vainPause)
	}
}

// waiter is a reader or a writer of a connection of a pair. It waits for its notices.
type waiter struct {
	// turn is held by the goroutine that waits.
	turn sync.Mutex
	news chan struct{}

	mu     sync.Mutex
	by     time.Time
	timer  *time.Timer
	isLate atomic.Bool
}

func (w *waiter) wake() {
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// wait calls a function until it returns true: at once, and whenever there is a notice.
func (w *waiter) wait(m *memory, try func(descriptor uintptr) bool) error {
	w.turn.Lock()
	defer w.turn.Unlock()
	for {
		switch {
		case m.isClosed():
			return net.ErrClosed
		case w.isLate.Load():
			return os.ErrDeadlineExceeded
		case try(uintptr(m.socketEnd)):
			if m.pair.vain.Load() != 0 {
				m.pair.vain.Store(0)
			}
			return nil
		}
		<-w.news
	}
}

// setDeadline makes waits end at a moment; a zero moment means never.
func (w *waiter) setDeadline(at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.by = at
	if w.timer != nil {
		w.timer.Stop()
	}
	left := time.Until(at)
	isLate := !at.IsZero() && left <= 0
	w.isLate.Store(isLate)
	switch {
	case isLate:
		w.wake()
	case at.IsZero():
	case w.timer == nil:
		w.timer = time.AfterFunc(left, w.expire)
	default:
		w.timer.Reset(left)
	}
}

// expire ends waits if the deadline has passed and was not moved.
func (w *waiter) expire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.by.IsZero() && !time.Now().Before(w.by) {
		w.isLate.Store(true)
		w.wake()
	}
}
