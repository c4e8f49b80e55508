//go:build linux

package segment

import (
	"errors"
	"sync/atomic"
)

// ErrCorrupt is the error of a ring whose other side has written what cannot be.
var ErrCorrupt = errors.New("the other side of the shared memory has broken its ring")

// Ring is one direction of a segment: bytes from one writer to one reader, which are different processes. Each process uses one end only, and keeps its own position
// privately: nothing of what the other side writes is used before it was loaded once and checked.
type Ring struct {
	// bytes are those of the ring twice in a row.
	bytes    []byte
	capacity uint64
	// head is how many bytes were written in all, tail how many were read.
	head, tail *atomic.Uint64
	// readerWaits is 1 while the reader sleeps, or is about to, writerWaits while the writer does.
	readerWaits, writerWaits *atomic.Uint32
	// own is this end's position.
	own uint64
}

// Capacity is how many bytes the ring holds.
func (r *Ring) Capacity() int { return int(r.capacity) }

// Room is a writer's free part, which is in one piece; empty where the ring is full.
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

// Wrote hands so many bytes of [Ring.Room] to the reader. It is true where that sleeps and must be woken.
func (r *Ring) Wrote(bytes int) (mustWake bool) {
	r.own += uint64(bytes)
	r.head.Store(r.own)
	return r.readerWaits.Load() != 0 && r.readerWaits.Swap(0) != 0
}

// Unread is what a reader has not read yet, in one piece. The other side may change these bytes at any time: copy them before they are looked at.
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

// Read gives so many bytes of [Ring.Unread] back to the writer. It is true where that sleeps and must be woken: once a quarter of the ring is free, not for each byte.
func (r *Ring) Read(bytes int) (mustWake bool) {
	r.own += uint64(bytes)
	r.tail.Store(r.own)
	if r.writerWaits.Load() == 0 {
		return false
	}
	unread := r.head.Load() - r.own
	return unread <= r.capacity-r.capacity/4 && r.writerWaits.Swap(0) != 0
}

// ReaderWaits tells the writer that the reader is about to sleep, which looks at the ring once more before it does.
func (r *Ring) ReaderWaits() { r.readerWaits.Store(1) }

// WriterWaits tells the reader that the writer is about to sleep, which looks at the ring once more before it does.
func (r *Ring) WriterWaits() { r.writerWaits.Store(1) }

// IsEmpty is whether a reader has read all that was written.
func (r *Ring) IsEmpty() bool { return r.head.Load() == r.own }

// IsFull is whether a writer has no room.
func (r *Ring) IsFull() bool { return r.own-r.tail.Load() == r.capacity }
