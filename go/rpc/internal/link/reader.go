package link

import (
	"io"
	"syscall"
)

// reader is the part of a link that only its reading goroutine uses.
type reader struct {
	// buffer holds the bytes from start on; nil if there are none.
	buffer []byte
	start  int
	habit  habit
	// into, n and err are the arguments and results of attempt, which is made once so that no read allocates.
	into    []byte
	n       int
	err     error
	attempt func(descriptor uintptr) bool
}

// frugalBytes is the size of a read from a connection without a file descriptor, if the link has to hold a buffer while it waits.
const frugalBytes = 512

func (l *Link) prepareReader() {
	r := &l.reader
	r.attempt = func(descriptor uintptr) bool {
		target := r.into
		if target == nil {
			r.room()
			target = r.buffer[len(r.buffer):cap(r.buffer)]
		}
		r.n, r.err = l.raw.TryRead(descriptor, target)
		if r.err == syscall.EAGAIN {
			if r.into == nil {
				r.release()
			}
			// The peer may be waiting for the frames that this goroutine has collected.
			l.Flush()
			return false
		}
		return true
	}
}

// room makes sure that there is a buffer to read into.
func (r *reader) room() {
	if r.buffer == nil {
		r.buffer = take(classFor(int(r.habit)))
	}
}

// release gives the buffer back if there is nothing in it.
func (r *reader) release() {
	if r.buffer != nil && r.start == len(r.buffer) {
		give(r.buffer)
		r.buffer, r.start = nil, 0
	}
}

// Peek waits until so many bytes have come, and returns all that have. They are valid until the next call of Peek or
// [Link.ReadFull].
//
// # Errors
//
// io.EOF if the connection ends and no byte is left; io.ErrUnexpectedEOF if there are fewer bytes than asked for.
func (l *Link) Peek(bytes int) ([]byte, error) {
	r := &l.reader
	for {
		there := len(r.buffer) - r.start
		if there >= bytes {
			break
		}
		// Room is made for as many bytes as come, and as came before, not for as many as a length claims.
		r.compact(min(bytes, max(smallest, 2*there, int(r.habit))))
		if err := l.fill(); err != nil {
			if err == io.EOF && len(r.buffer) > r.start {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
	return r.buffer[r.start:], nil
}

// compact makes room for so many bytes in all, at the end of the buffer.
func (r *reader) compact(bytes int) {
	there := r.buffer[r.start:]
	switch {
	case r.buffer == nil:
		if bytes > smallest {
			r.buffer = take(classFor(bytes))
		}
	case len(there) == 0:
		r.buffer, r.start = r.buffer[:0], 0
	case cap(r.buffer)-r.start >= bytes && len(r.buffer) < cap(r.buffer):
	default:
		larger := take(classFor(bytes))
		if cap(larger) < bytes {
			larger = make([]byte, 0, max(bytes, 2*cap(r.buffer)))
		}
		larger = append(larger, there...)
		give(r.buffer)
		r.buffer, r.start = larger, 0
	}
}

// Skip moves on by so many of the bytes that Peek returned. These bytes stay valid.
func (l *Link) Skip(bytes int) { l.reader.start += bytes }

// Discard reads on until the connection ends, or until its deadline, and drops what comes. If a connection is closed with unread
// bytes it is torn down, and bytes that were written and have not arrived are lost.
func (l *Link) Discard() {
	for {
		there, err := l.Peek(1)
		if err != nil {
			return
		}
		l.Skip(len(there))
	}
}

// Buffered returns the number of bytes that can be peeked without waiting for the peer.
func (l *Link) Buffered() int { return len(l.reader.buffer) - l.reader.start }

// Poll reads what has come. It does not wait, and it does not write collected frames. It reads nothing if there is no file
// descriptor.
func (l *Link) Poll() {
	if l.raw == nil || l.Buffered() > 0 {
		return
	}
	r := &l.reader
	r.compact(1)
	r.room()
	l.raw.RawRead(func(descriptor uintptr) bool {
		if n, _ := l.raw.TryRead(descriptor, r.buffer[:cap(r.buffer)]); n > 0 {
			r.buffer = r.buffer[:n]
			l.moved.Add(1)
		}
		return true
	})
	r.release()
}

// fill reads at least one byte behind those that are there.
func (l *Link) fill() error {
	r := &l.reader
	n, err := l.read(nil)
	if n > 0 {
		r.buffer = r.buffer[:len(r.buffer)+n]
		r.habit.see(n + 1)
	}
	return err
}

// ReadFull fills a slice.
//
// # Errors
//
// io.ErrUnexpectedEOF if the connection ends before that.
func (l *Link) ReadFull(into []byte) (n int, err error) {
	r := &l.reader
	n = copy(into, r.buffer[r.start:])
	r.start += n
	for n < len(into) {
		k, err := l.read(into[n:])
		n += k
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// read reads what has come, and waits for at least one byte: into a slice, or behind the buffer's bytes if the slice is nil.
func (l *Link) read(into []byte) (int, error) {
	r := &l.reader
	if l.raw == nil {
		return l.readWhole(into)
	}
	r.into, r.n, r.err = into, 0, nil
	err := l.raw.RawRead(r.attempt)
	r.into = nil
	if err == nil {
		err = r.err
	}
	if err != nil {
		return 0, err
	}
	if r.n <= 0 {
		return 0, io.EOF
	}
	l.moved.Add(1)
	return r.n, nil
}

// readWhole reads from a connection that has no descriptor.
func (l *Link) readWhole(into []byte) (int, error) {
	r := &l.reader
	if into == nil {
		if r.buffer == nil && int(r.habit) <= frugalBytes {
			r.buffer = make([]byte, 0, frugalBytes)
		}
		r.room()
		into = r.buffer[len(r.buffer):cap(r.buffer)]
	}
	l.Flush()
	n, err := l.Conn.Read(into)
	if n > 0 {
		l.moved.Add(1)
		return n, nil
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return 0, err
}
