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

// writer is the part of a link that all who send share.
type writer struct {
	mu sync.Mutex
	// out waits to be written, behind full, which are buffers without room for another frame, of fullBytes in all. out is nil where nothing waits.
	out       []byte
	full      [][]byte
	fullBytes int
	// habit is how much waits at a time, frames how long a frame is.
	habit, frames habit
	// isWriting is true while a goroutine writes, which will write all that comes meanwhile.
	isWriting bool
	isDone    bool
	// isFinishing is true when nothing is taken any more, and this side's half is closed when all has been written.
	isFinishing bool
	// isFlushDue is whether a goroutine of SendSoon is about to write.
	isFlushDue bool
	// skipped is how many times nobody is waited for.
	skipped atomic.Int32
	// appended counts frames.
	appended atomic.Uint32
	// most is how many bytes may wait to be written before others wait for room.
	most int
	// waiting are those that wait for room, the one that waits longest first. Each is closed when there is room for it.
	waiting []chan struct{}
	// drained are closed when nothing waits to be written any more.
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

// Frame is what is sent.
type Frame interface {
	// AppendFrame appends the frame to these bytes. Where it returns an error, or panics, nothing is sent. It must not send itself, nor
	// wait for others that do.
	AppendFrame(to []byte) ([]byte, error)
}

// PanicError is a frame that panicked while it was appended.
type PanicError struct {
	Value any
	// Stack is the text of the stack at the panic.
	Stack []byte
}

// Error says what the panic said, and where it was.
func (e *PanicError) Error() string {
	return fmt.Sprintf("a message panicked while it was written: %v\n%s", e.Value, e.Stack)
}

// Unwrap gives the error that it panicked with, if it is one.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// ErrFull is the error of a frame that would have had to wait for room.
var ErrFull = errors.New("too many bytes wait to be written")

// Send sends a frame: it returns when the frame is appended to what will be written. It waits while too much is there already.
//
// # Errors
//
// The context's, if that ends while it waits; the link's cause; that of the frame. Errors of writing close the link.
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
// [ErrFull] where twice as much waits as may; others as those of Send.
func (l *Link) SendNow(frame Frame) error {
	if err := l.writer.lockUnlessFull(); err != nil {
		return err
	}
	return l.appendAndFlush(frame)
}

// lockUnlessFull takes the lock for a frame that must not wait, where it does not fail.
func (w *writer) lockUnlessFull() error {
	w.mu.Lock()
	if w.bytes() > 2*w.most {
		w.mu.Unlock()
		return ErrFull
	}
	return nil
}

// lockWithRoom takes the lock once there is room for a frame, where it does not fail.
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

// awaitRoom waits for room, with the lock before and after, but not where it fails.
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

// admit lets the one go on that waits longest for room, if there is any. Who goes on admits the next one after it has appended: if all of them
// were woken at once, most would find no room and wait again. It is called with the lock.
func (w *writer) admit() {
	if len(w.waiting) > 0 && w.bytes() <= w.most {
		close(w.waiting[0])
		w.waiting = slices.Delete(w.waiting, 0, 1)
	}
}

// leave waits for room no longer.
func (w *writer) leave(room chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at := slices.Index(w.waiting, room); at >= 0 {
		w.waiting = slices.Delete(w.waiting, at, at+1)
	} else {
		w.admit()
	}
}

// appendAndFlush appends a frame and sees to it that it is written. It is called with the lock, and releases it.
func (l *Link) appendAndFlush(frame Frame) error {
	isWriter, err := l.append(frame)
	if err == nil && isWriter {
		l.writer.letOthersAppend()
		l.Flush()
	}
	return err
}

// append appends a frame, and says whether nobody writes what has been appended. It is called with the lock, and releases it.
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

// bytes is how many wait to be written.
func (w *writer) bytes() int { return w.fullBytes + len(w.out) }

// room makes room for a frame that is as long as others: a buffer that grows is copied, and the frame written twice.
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

// A writer that waited for others to append, and longer than dearYield for each frame that was appended meanwhile and for its own, does not wait
// for the next yieldsSkipped times: the goroutines that run meanwhile do work of their own, which no answer should wait for.
const (
	dearYield     = 100 * time.Microsecond
	yieldsSkipped = 64
)

// letOthersAppend lets those that are ready to send too do so.
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

// appendSafely makes an error of a panic.
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

// soonBytes is how much [Link.SendSoon] leaves to another goroutine.
const soonBytes = 32 << 10

// SendSoon is Send for a goroutine that is likely to send more at once: it leaves the writing to a goroutine made for it, which writes what
// has been appended by then, and writes itself where that is much.
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

// mustFlushSoon is true for who is to start the goroutine that writes, unless another writes or has started it. It is called with the lock.
func (w *writer) mustFlushSoon() bool {
	if w.isWriting || w.isFlushDue {
		return false
	}
	w.isFlushDue = true
	return true
}

// FlushSoon has a goroutine made for it write what has been collected, if anything has.
func (l *Link) FlushSoon() {
	w := &l.writer
	w.mu.Lock()
	mustStart := w.bytes() > 0 && w.mustFlushSoon()
	w.mu.Unlock()
	if mustStart {
		go l.flushSoon()
	}
}

// IsWriting is whether bytes wait for the peer to take them.
func (l *Link) IsWriting() bool {
	w := &l.writer
	w.mu.Lock()
	defer w.mu.Unlock()
	return (w.isWriting || w.bytes() > 0) && !w.isDone
}

// flushSoon writes what has been appended once others had their turn.
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
// Those of [Link.SendNow].
func (l *Link) Collect(frame Frame) error {
	if err := l.writer.lockUnlessFull(); err != nil {
		return err
	}
	_, err := l.append(frame)
	return err
}

// ErrFinished is the error of a frame that comes after [Link.Finish].
var ErrFinished = errors.New("this side sends nothing more over the connection")

// Finish writes what waits, takes nothing more, and then closes this side's half of the connection, so that the peer reads all of it and
// then an end; a connection without halves is closed. Who calls it reads on until the peer closes the other half, or calls [Link.Close].
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

// Flush writes what has been collected.
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

// mostBatches is how many batches, which others have appended meanwhile, a sender writes before another goroutine goes on.
const mostBatches = 16

// flush writes until nothing waits. isWriting is the caller's, which gives it up.
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
			// Closing waits for those that read, and this may be the goroutine that reads.
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

// nextBatch takes what waits, and gives up isWriting where nothing does.
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

// tryWrite writes what the peer takes at once.
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

// slowBytes is how much is written under one timeout: over TLS a peer that takes less in that time is stuck.
const slowBytes = 64 << 10

// flushSlowly writes the rest of a batch and then all that waits, for as long as that takes.
func (l *Link) flushSlowly(batch []byte, written int) {
	for batch != nil {
		for written < len(batch) {
			l.Conn.SetWriteDeadline(time.Now().Add(l.options.WriteTimeout))
			n, err := l.writeSlowly(batch[written:min(len(batch), written+slowBytes)])
			written += n
			if timeout := net.Error(nil); n > 0 && l.raw != nil && errors.As(err, &timeout) && timeout.Timeout() {
				// The peer is slow and not stuck. A connection of TLS cannot go on after that.
				continue
			}
			if err != nil {
				l.writer.fail()
				l.Close(fmt.Errorf("write: %w", err))
				return
			}
		}
		give(batch)
		// Before another goroutine may write, which sets a deadline of its own.
		l.Conn.SetWriteDeadline(time.Time{})
		batch, written = l.writer.nextBatch(), 0
	}
	l.finishIfAsked()
}

// writeSlowly is Conn.Write, which tells the scheduler of each system call: those here copy much, so the thread that watches over the others would take the goroutine's
// place away, and look again every 20 us.
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

// fail lets nobody write any more.
func (w *writer) fail() {
	w.mu.Lock()
	w.isDone = true
	w.mu.Unlock()
}

// drop forgets what waits, and lets nobody write any more.
func (w *writer) drop() {
	w.mu.Lock()
	w.isDone, w.out, w.full, w.fullBytes = true, nil, nil, 0
	w.waiting = nil
	w.mu.Unlock()
}
