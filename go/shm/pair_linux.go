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

// pair is what all connections between two processes wake each other by: notices in memory, which one goroutine takes, and one socket, the bell, for a process that
// sleeps. So a process with many busy connections is woken once for all that has come, or not at all while it is awake.
type pair struct {
	shared  *segment.Pair
	token   uint64
	in, out segment.Notices
	// bell wakes the other process' taker, and ends with it.
	bell     *net.UnixConn
	bellWait syscall.RawConn
	bellEnd  int
	looks    spin
	seats    [segment.Seats]atomic.Pointer[memory]
	// hasEnded is set once the other process has closed its end of the bell: all connections of the pair have ended then.
	hasEnded atomic.Bool
	// vain is how often in a row notices were taken, or the bell rang, and no connection found anything new.
	vain atomic.Int32
	// peer is the other process, of the server's side.
	peer int32
	// isOwn is whether this side has made the memory.
	isOwn bool
	// onOver is told that no connection can join any more.
	onOver func()

	mu sync.Mutex
	// uses counts connections, and the taker.
	uses, connections int
	// isOver is set once no connection can join any more, alone while there is one; both with mu held.
	isOver, alone atomic.Bool
}

// What a notice says of a seat's connection: that there are bytes, that there is room, or that a socket has ended.
const (
	newsBytes = iota
	newsRoom
	newsEnd
)

// mostVain is how often notices may bring nothing before their taker pauses. A side that keeps to the rules posts one for each time that the other one was about to sleep.
const (
	mostVain  = 1024
	vainPause = time.Millisecond
)

// newPair makes a pair, which one connection has joined, of its memory and this side's end of the bell. Both are its own from then on. It is to begin.
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

// begin has notices taken from now on.
func (p *pair) begin() { go p.serve() }

// join is false once the pair is over. Otherwise leave must follow.
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

// leave ends a connection's part in the pair. The last one ends the pair.
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

// take takes notices, until there have been none for a while, or its turn is over.
//
// # Errors
//
// EAGAIN once the other process knows that it must ring the bell; EPIPE once the pair is over.
func (p *pair) take() error {
	// Who looks is counted among those that wake: where there is one connection, that is itself.
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
		// This process is about to sleep: the other one is told, and then nothing may have come meanwhile.
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
			// It may have rung for notices that were posted after the look at them.
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

// pauseIfVain lets other goroutines run where the other process tells of news without end that are none.
func (p *pair) pauseIfVain() {
	if p.vain.Add(1) > mostVain {
		time.Sleep(vainPause)
	}
}

// waiter is a reader or a writer of a connection of a pair, which waits for its notices.
type waiter struct {
	// turn is held by who waits.
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

// wait calls until that is true: at once, and whenever there is a notice.
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

// setDeadline ends waits at a moment; never for zero.
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

// expire ends waits if the deadline has passed and not been moved.
func (w *waiter) expire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.by.IsZero() && !time.Now().Before(w.by) {
		w.isLate.Store(true)
		w.wake()
	}
}
