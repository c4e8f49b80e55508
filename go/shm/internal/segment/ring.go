//go:build linux

package segment

import (
	"errors"
	"sync/atomic"
)

// ErrCorrupt is the error of a ring into which the other side has written impossible values.
var ErrCorrupt = errors.New("the other side of the shared memory has broken its ring")

// Ring is one direction of a segment: bytes from one writer to one reader, which are different processes. Each process uses one end
// only, and keeps its own position in private memory. A value that the other side writes is loaded once and checked before it is
// used.
type Ring struct {
	// bytes are the bytes of the ring, mapped twice in a row.
	bytes    []byte
	capacity uint64
	// head is the number of bytes written in all, tail the number of bytes read in all.
	head, tail *atomic.Uint64
	// readerWaits is 1 while the reader sleeps or is about to; writerWaits is the same for the writer.
	readerWaits, writerWaits *atomic.Uint32
	// own is the position of this end.
	own uint64
}

// Capacity returns the number of bytes that the ring holds.
func (r *Ring) Capacity() int { return int(r.capacity) }

// Room returns the free part of the ring, for the writer. It is in one piece, and empty where the ring is full.
//
// # Errors
//
// [ErrCorrupt].
func (r *Ring) Room() ([]byte, error) {
	unread := r.own - r.tail.Load()
	if unread > r.capacity {
		return nil, ErrCorrupt
	}
	at := r.own % r.capacity
	free := r.capacity - unread
	return r.bytes[at : at+free : at+free], nil
}

// Wrote hands the first so many bytes of [Ring.Room] to the reader. It returns true where the reader sleeps and must be woken.
func (r *Ring) Wrote(bytes int) (mustWake bool) {
	r.own += uint64(bytes)
	r.head.Store(r.own)
	return r.readerWaits.Load() != 0 && r.readerWaits.Swap(0) != 0
}

// Unread returns the bytes that the reader has not read yet, in one piece. The other side may change these bytes at any time: copy
// them before you look at them.
//
// # Errors
//
// [ErrCorrupt].
func (r *Ring) Unread() ([]byte, error) {
	unread := r.head.Load() - r.own
	if unread > r.capacity {
		return nil, ErrCorrupt
	}
	at := r.own % r.capacity
	return r.bytes[at : at+unread : at+unread], nil
}

// Read gives the first so many bytes of [Ring.Unread] back to the writer. It returns true where the writer sleeps and must be
// woken: once a quarter of the ring is free, not for each byte.
func (r *Ring) Read(bytes int) (mustWake bool) {
	r.own += uint64(bytes)
	r.tail.Store(r.own)
	if r.writerWaits.Load() == 0 {
		return false
	}
	unread := r.head.Load() - r.own
	return unread <= r.capacity-r.capacity/4 && r.writerWaits.Swap(0) != 0
}

// ReaderWaits tells the writer that the reader is about to sleep. The reader must look at the ring once more before it sleeps.
func (r *Ring) ReaderWaits() { r.readerWaits.Store(1) }

// WriterWaits tells the reader that the writer is about to sleep. The writer must look at the ring once more before it sleeps.
func (r *Ring) WriterWaits() { r.writerWaits.Store(1) }

// IsEmpty reports whether the reader has read all bytes that were written.
func (r *Ring) IsEmpty() bool { return r.head.Load() == r.own }

// IsFull reports whether the writer has no room.
func (r *Ring) IsFull() bool { return r.own-r.tail.Load() == r.capacity }
