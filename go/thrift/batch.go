package thrift

import "hone/go/raw"

// batchBytes is how much is allocated at a time before it is known that as much will be needed.
const batchBytes = 2 << 10

// batch gives elements from memory that was allocated for many. One that is kept keeps its batch.
type batch[T any] struct {
	free []T
	// size is that of the last allocation.
	size int
}

// batches are those of types that are not the user's own.
type batches struct {
	bytes   batch[byte]
	texts   batch[string]
	bools   batch[bool]
	i8s     batch[int8]
	i16s    batch[int16]
	i32s    batch[int32]
	i64s    batch[int64]
	doubles batch[float64]
	// structs are those of the user's types: nil, *T(nil) where there was one T, *batch[T] where there were more. Types
	// share a place; one that finds another there begins anew.
	structs [Slots]any
}

// Slots is how many places there are for batches of structs. Generated code numbers its types by them.
const Slots = 16

// take gives n elements, which nobody else has; none after a fault.
func (b *batch[T]) take(d *Decoder, n, off int) []T {
	if n > len(b.free) {
		return b.takeMore(d, n, off)
	}
	taken := b.free[:n:n]
	b.free = b.free[n:]
	return taken
}

// takeMore allocates four times as much as the last time, but no more elements than bytes remain.
//
//go:noinline
func (b *batch[T]) takeMore(d *Decoder, n, off int) []T {
	most := batchBytes / max(raw.SizeOf[T](), 1)
	if n > most/4 {
		return Elements[T](d, n, off)
	}
	b.size = max(n, min(4*b.size, most, len(d.message)-off))
	b.free = Elements[T](d, b.size, off)
	if len(b.free) < n {
		return nil
	}
	return b.take(d, n, off)
}

// allocate counts what is about to be allocated for what stands at off.
//
//go:noinline
func (d *Decoder) allocate(bytes, off int) bool {
	d.room -= bytes
	if d.room >= 0 {
		return true
	}
	d.fail(TooLarge, off)
	return false
}

// New gives a struct for the field or element at off. The slot is the place of its type's batch, below [Slots].
func New[T any](d *Decoder, off int, slot uint) *T {
	if b, ok := d.structs[slot%Slots].(*batch[T]); ok && len(b.free) > 0 {
		p := &b.free[0]
		b.free = b.free[1:]
		return p
	}
	return newMore[T](d, off, slot)
}

// newMore allocates the first struct of a type alone, and begins a batch with the second.
//
//go:noinline
func newMore[T any](d *Decoder, off int, slot uint) *T {
	place := &d.structs[slot%Slots]
	b, ok := (*place).(*batch[T])
	if !ok {
		if _, isSecond := (*place).(*T); !isSecond {
			*place = (*T)(nil)
			d.allocate(raw.SizeOf[T](), off)
			return new(T)
		}
		b = &batch[T]{size: 1}
		*place = b
	}
	taken := make([]T, d.nextBatch(&b.size, raw.SizeOf[T](), off))
	b.free = taken[1:]
	return &taken[0]
}

// nextBatch is how many structs of so many bytes to allocate at once, at least one: four times as many as the last time, but
// no more than bytes remain. It is apart from newMore, of which there is one for each type.
//
//go:noinline
func (d *Decoder) nextBatch(last *int, bytes, off int) int {
	n, most := 1, batchBytes/max(bytes, 1)
	if most >= 4 {
		n = max(1, min(4**last, most, len(d.message)-off))
		*last = n
	}
	if d.allocate(n*bytes, off) {
		return n
	}
	return 1
}

// Batch allocates at least one and at most n structs: as many as fit into what may still be allocated in halves, so that
// a list whose elements are not there cannot take everything.
func Batch[T any](d *Decoder, n, off int) []T {
	if size := max(raw.SizeOf[T](), 1); n*size > d.room/2 {
		n = max(1, min(n, batchBytes/size))
	}
	if some := Elements[T](d, n, off); len(some) > 0 {
		return some
	}
	// Whoever asked fills one and then sees that something is wrong.
	return make([]T, 1)
}

// Defaulted is a pointer to a struct with defaults.
type Defaulted[T any] interface {
	*T
	InitDefault()
}

// NewWithDefaults is New for a struct that has to be told its defaults.
func NewWithDefaults[T any, P Defaulted[T]](d *Decoder, off int, slot uint) *T {
	p := New[T](d, off, slot)
	P(p).InitDefault()
	return p
}
