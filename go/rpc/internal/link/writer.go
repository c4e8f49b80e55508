package link

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// writer is the part of a link that all senders share.
type writer struct {
	mu sync.Mutex
	// out are bytes that wait to be written; nil if none wait. Before it come the buffers of full, which have no room for another
	// frame and hold fullBytes in all.
	out       []byte
	full      [][]byte
	fullBytes int
	// habit is the usual number of bytes that wait at a time, and frames is the usual length of a frame.
	habit, frames habit
	// isWriting is true while a goroutine writes. That goroutine will also write all that comes meanwhile.
	isWriting bool
	isDone    bool
	// isFinishing is true when nothing is taken any more; this side's half is closed when everything has been written.
	isFinishing bool
	// isFlushDue says that a goroutine of SendSoon is about to write.
	isFlushDue bool
	// skipped is the number of times that a writer will not wait for other senders.
	skipped atomic.Int32
	// appended counts frames.
	appended atomic.Uint32
	// most is the number of bytes that may wait to be written before senders wait for room.
	most int
	// waiting are the senders that wait for room; the one that has waited longest comes first. Each channel is closed when there is
	// room for its sender.
	waiting []chan struct{}
	// drained are channels that are closed when nothing waits to be written any more.
	drained []chan struct{}
	// rest, n and err are the arguments and results of attempt, which is made once so that no write allocates.
	rest    []byte
	n       int
	err     error
	attempt func(descriptor uintptr) bool
}

func (w *writer) prepare(most int, raw nonblocking) {
	w.most = most
	w.attempt = func(descriptor uintptr) bool {
		w.n, w.err = raw.TryWrite(descriptor, w.rest)
		return true
	}
}

// Frame is something that a link sends.
type Frame interface {
	// AppendFrame appends the frame to these bytes. If it returns an error, or panics, nothing is sent. It must not send anything
	// itself, nor wait for other senders.
	AppendFrame(to []byte) ([]byte, error)
}

// PanicError is the error of a frame that panicked while it was appended.
type PanicError struct {
	Value any
	// Stack is the text of the stack at the panic.
	Stack []byte
}

// Error gives the value and the stack of the panic.
func (e *PanicError) Error() string {
	return fmt.Sprintf("a message panicked while it was written: %v\n%s", e.Value, e.Stack)
}

// Unwrap returns the panic's value, if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// ErrFull is the error of a frame that would have had to wait for room.
var ErrFull = errors.New("too many bytes wait to be written")

// Send sends a frame: it returns when the frame is appended to the bytes that will be written. It waits while too many bytes wait
// already.
//
// # Errors
//
// The context's error, if the context ends while Send waits; the link's cause; the error of the frame. Errors of writing close the
// link.
func (l *Link) Send(ctx context.Context, frame Frame) error {
	if err := l.lockWithRoom(ctx); err != nil {
		return err
	}
	return l.appendAndFlush(frame)
}

// SendNow is Send for a goroutine that must not wait, such as the one that reads.
//
// # Errors
//
// [ErrFull] if twice as many bytes wait as may; other errors are the same as those of Send.
func (l *Link) SendNow(frame Frame) error {
	if err := l.writer.lockUnlessFull(); err != nil {
		return err
	}
	return l.appendAndFlush(frame)
}

// lockUnlessFull takes the lock for a frame that must not wait. If it fails, the lock is not held.
func (w *writer) lockUnlessFull() error {
	w.mu.Lock()
	if w.bytes() > 2*w.most {
		w.mu.Unlock()
		return ErrFull
	}
	return nil
}

// lockWithRoom takes the lock once there is room for a frame. If it fails, the lock is not held.
func (l *Link) lockWithRoom(ctx context.Context) error {
	w := &l.writer
	w.mu.Lock()
	for w.bytes() > w.most && !w.isDone {
		if err := l.awaitRoom(ctx); err != nil {
			return err
		}
	}
	return nil
}

// awaitRoom waits for room. The lock is held before and after it, but not if it fails.
func (l *Link) awaitRoom(ctx context.Context) error {
	w := &l.writer
	room := make(chan struct{})
	w.waiting = append(w.waiting, room)
	w.mu.Unlock()
	select {
	case <-room:
	case <-l.closed:
		return l.cause
	case <-ctx.Done():
		w.leave(room)
		return context.Cause(ctx)
	}
	w.mu.Lock()
	return nil
}

// admit lets the sender go on that has waited longest for room, if there is any room. That sender admits the next one after it has
// appended: if all senders were woken at once, most would find no room and wait again. The lock is held.
func (w *writer) admit() {
	if len(w.waiting) > 0 && w.bytes() <= w.most {
		close(w.waiting[0])
		w.waiting = slices.Delete(w.waiting, 0, 1)
	}
}

// leave ends a wait for room.
func (w *writer) leave(room chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at := slices.Index(w.waiting, room); at >= 0 {
		w.waiting = slices.Delete(w.waiting, at, at+1)
	} else {
		w.admit()
	}
}

// appendAndFlush appends a frame and makes sure that it is written. The lock is held before it, and released.
func (l *Link) appendAndFlush(frame Frame) error {
	isWriter, err := l.append(frame)
	if err == nil && isWriter {
		l.writer.letOthersAppend()
		l.Flush()
	}
	return err
}

// append appends a frame, and reports whether the caller must write what has been appended. The lock is held before it, and
// released.
func (l *Link) append(frame Frame) (isWriter bool, err error) {
	w := &l.writer
	if w.isFinishing {
		w.admit()
		w.mu.Unlock()
		return false, ErrFinished
	}
	if w.isDone {
		w.mu.Unlock()
		<-l.closed
		return false, l.cause
	}
	isWriter = !w.isWriting && w.bytes() == 0
	w.room()
	before := len(w.out)
	if err = w.appendSafely(frame); err == nil {
		w.frames.see(len(w.out) - before)
		w.appended.Add(1)
	}
	w.admit()
	w.mu.Unlock()
	return isWriter, err
}

// bytes returns the number of bytes that wait to be written.
func (w *writer) bytes() int { return w.fullBytes + len(w.out) }

// room makes room for a frame of the usual length: if the buffer had to grow, it would be copied, and a frame in it written twice.
func (w *writer) room() {
	if len(w.out) > 0 && cap(w.out)-len(w.out) < int(w.frames) {
		w.full, w.fullBytes = append(w.full, w.out), w.bytes()
		w.habit.see(2 * w.fullBytes)
		w.out = nil
	}
	if w.out == nil {
		w.out = take(classFor(int(max(w.habit, w.frames))))
	}
}

// A writer waits for other senders to append. If that takes longer than dearYield for each frame that was appended meanwhile, and
// for its own, it does not wait for the next yieldsSkipped times: the goroutines that run meanwhile do work of their own, and no
// answer should wait for that.
const (
	dearYield     = 100 * time.Microsecond
	yieldsSkipped = 64
)

// letOthersAppend lets goroutines append that are ready to send too.
func (w *writer) letOthersAppend() {
	if w.skipped.Load() > 0 {
		w.skipped.Add(-1)
		return
	}
	began, before := time.Now(), w.appended.Load()
	runtime.Gosched()
	if frames := w.appended.Load() - before; time.Since(began) > dearYield*time.Duration(1+frames) {
		w.skipped.Store(yieldsSkipped)
	}
}

// appendSafely turns a panic into an error.
func (w *writer) appendSafely(frame Frame) (err error) {
	before := len(w.out)
	defer func() {
		if value := recover(); value != nil {
			w.out = w.out[:before]
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	out, err := frame.AppendFrame(w.out)
	if err == nil {
		w.out = out
	}
	return err
}

// SendLater is Send for a goroutine that sends several frames in turn: it only collects them, until [Link.Flush].
func (l *Link) SendLater(ctx context.Context, frame Frame) error {
	w := &l.writer
	w.mu.Lock()
	if w.bytes() > w.most {
		w.mu.Unlock()
		l.Flush()
		return l.Send(ctx, frame)
	}
	_, err := l.append(frame)
	return err
}

// soonBytes is the number of waiting bytes up to which [Link.SendSoon] leaves the writing to another goroutine.
const soonBytes = 32 << 10

// SendSoon is Send for a goroutine that is likely to send more at once: it leaves the writing to a new goroutine, which writes all
// that has been appended by then. If many bytes wait, it writes them itself.
func (l *Link) SendSoon(ctx context.Context, frame Frame) error {
	if err := l.lockWithRoom(ctx); err != nil {
		return err
	}
	w := &l.writer
	isMuch := w.bytes() >= soonBytes
	mustStart := !isMuch && w.mustFlushSoon()
	_, err := l.append(frame)
	switch {
	case isMuch:
		l.Flush()
	case mustStart:
		go l.flushSoon()
	}
	return err
}

// mustFlushSoon reports whether the caller must start the goroutine that writes: no other goroutine writes or has started it. The
// lock is held.
func (w *writer) mustFlushSoon() bool {
	if w.isWriting || w.isFlushDue {
		return false
	}
	w.isFlushDue = true
	return true
}

// FlushSoon lets a new goroutine write the collected frames, if there are any.
func (l *Link) FlushSoon() {
	w := &l.writer
	w.mu.Lock()
	mustStart := w.bytes() > 0 && w.mustFlushSoon()
	w.mu.Unlock()
	if mustStart {
		go l.flushSoon()
	}
}

// IsWriting reports whether bytes wait for the peer to take them.
func (l *Link) IsWriting() bool {
	w := &l.writer
	w.mu.Lock()
	defer w.mu.Unlock()
	return (w.isWriting || w.bytes() > 0) && !w.isDone
}

// flushSoon writes what has been appended once other senders had their turn.
func (l *Link) flushSoon() {
	w := &l.writer
	w.letOthersAppend()
	w.mu.Lock()
	w.isFlushDue = false
	w.mu.Unlock()
	l.Flush()
}

// Collect is SendLater for a goroutine that must not wait.
//
// # Errors
//
// The same as those of [Link.SendNow].
func (l *Link) Collect(frame Frame) error {
	if err := l.writer.lockUnlessFull(); err != nil {
		return err
	}
	_, err := l.append(frame)
	return err
}

// ErrFinished is the error of a frame that comes after [Link.Finish].
var ErrFinished = errors.New("this side sends nothing more over the connection")

// Finish writes the bytes that wait, takes nothing more, and then closes this side's half of the connection, so that the peer reads
// everything and then the end; a connection without halves is closed. The caller must read on until the peer closes the other half,
// or call [Link.Close].
func (l *Link) Finish() {
	w := &l.writer
	w.mu.Lock()
	isFirst := !w.isFinishing && !w.isDone
	w.isFinishing = true
	mustWrite := isFirst && !w.isWriting
	if mustWrite {
		w.isWriting = true
	}
	w.mu.Unlock()
	if mustWrite {
		l.flush()
	}
}

// finishIfAsked closes this side's half of the connection if [Link.Finish] has been called. It is called when nothing waits.
func (l *Link) finishIfAsked() {
	w := &l.writer
	w.mu.Lock()
	isFinishing := w.isFinishing
	w.mu.Unlock()
	if !isFinishing {
		return
	}
	half, hasHalves := l.Conn.(interface{ CloseWrite() error })
	if !hasHalves {
		l.Close(ErrFinished)
		return
	}
	half.CloseWrite()
}

// Flush writes the collected frames.
func (l *Link) Flush() {
	w := &l.writer
	w.mu.Lock()
	mustWrite := !w.isWriting && w.bytes() > 0
	if mustWrite {
		w.isWriting = true
	}
	w.mu.Unlock()
	if mustWrite {
		l.flush()
	}
}

// mostBatches is the number of batches that a sender writes, appended by others meanwhile, before another goroutine goes on.
const mostBatches = 16

// flush writes until nothing waits. The caller has set isWriting, and flush clears it.
func (l *Link) flush() {
	for batches := 0; ; batches++ {
		if batches == mostBatches {
			go l.flush()
			return
		}
		batch := l.writer.nextBatch()
		if batch == nil {
			l.finishIfAsked()
			return
		}
		if l.raw == nil {
			go l.flushSlowly(batch, 0)
			return
		}
		n, err := l.tryWrite(batch)
		if err != nil {
			l.writer.fail()
			// Closing waits for the goroutine that reads, and this may be that goroutine.
			go l.Close(fmt.Errorf("write: %w", err))
			return
		}
		if n < len(batch) {
			go l.flushSlowly(batch, n)
			return
		}
		give(batch)
	}
}

// nextBatch takes the next bytes that wait. It clears isWriting if there are none.
func (w *writer) nextBatch() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	if waiting := w.bytes(); waiting > 0 {
		w.habit.see(waiting)
	}
	batch := w.out
	if len(w.full) > 0 {
		batch = w.full[0]
		w.full, w.fullBytes = slices.Delete(w.full, 0, 1), w.fullBytes-len(batch)
	} else {
		w.out = nil
	}
	w.admit()
	if len(batch) == 0 {
		if batch != nil {
			give(batch)
		}
		w.isWriting = false
		for _, written := range w.drained {
			close(written)
		}
		w.drained = nil
		return nil
	}
	return batch
}

// tryWrite writes as much as the peer takes at once.
func (l *Link) tryWrite(batch []byte) (int, error) {
	w := &l.writer
	w.rest, w.n, w.err = batch, 0, nil
	err := l.raw.RawWrite(w.attempt)
	w.rest = nil
	switch {
	case err != nil:
		return 0, err
	case w.err == syscall.EAGAIN:
		return 0, nil
	case w.err != nil:
		return 0, w.err
	}
	return max(w.n, 0), nil
}

// slowBytes is the number of bytes that are written under one timeout: over TLS a peer that takes fewer in that time counts as
// stuck.
const slowBytes = 64 << 10

// flushSlowly writes the rest of a batch and then everything that waits, however long that takes.
func (l *Link) flushSlowly(batch []byte, written int) {
	for batch != nil {
		for written < len(batch) {
			l.Conn.SetWriteDeadline(time.Now().Add(l.options.WriteTimeout))
			n, err := l.writeSlowly(batch[written:min(len(batch), written+slowBytes)])
			written += n
			if timeout := net.Error(nil); n > 0 && l.raw != nil && errors.As(err, &timeout) && timeout.Timeout() {
				// The peer is slow but not stuck. A connection with TLS could not go on after a timeout.
				continue
			}
			if err != nil {
				l.writer.fail()
				l.Close(fmt.Errorf("write: %w", err))
				return
			}
		}
		give(batch)
		// This comes before another goroutine may write, which sets a deadline of its own.
		l.Conn.SetWriteDeadline(time.Time{})
		batch, written = l.writer.nextBatch(), 0
	}
	l.finishIfAsked()
}

// writeSlowly does what Conn.Write does, but does not tell the scheduler of each system call. The system calls here copy much, so
// the thread that watches over the others would take the goroutine's place away, and look again every 20 us.
func (l *Link) writeSlowly(part []byte) (written int, err error) {
	if l.raw == nil {
		return l.Conn.Write(part)
	}
	var failure error
	err = l.raw.RawWrite(func(descriptor uintptr) bool {
		for written < len(part) && failure == nil {
			n, err := l.raw.TryWrite(descriptor, part[written:])
			switch {
			case n > 0:
				written += n
			case err == syscall.EAGAIN:
				return false
			default:
				failure = cmp.Or(err, io.ErrUnexpectedEOF)
			}
		}
		return true
	})
	return written, cmp.Or(err, failure)
}

// fail makes sure that nobody writes any more.
func (w *writer) fail() {
	w.mu.Lock()
	w.isDone = true
	w.mu.Unlock()
}

// drop forgets the bytes that wait, and makes sure that nobody writes any more.
func (w *writer) drop() {
	w.mu.Lock()
	w.isDone, w.out, w.full, w.fullBytes = true, nil, nil, 0
	w.waiting = nil
	w.mu.Unlock()
}
