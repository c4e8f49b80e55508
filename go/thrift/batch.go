package thrift

import "hone/go/raw"

// BatchBytes is how much is allocated at a time before it is known that as much will be needed.
const BatchBytes = 2 << 10

// batches are memory that was allocated for many. What is kept of a message keeps its batch.
type batches struct {
	// plain is for numbers and bytes, which have no pointers. It begins at a multiple of 8 bytes, and is given away up to plainUsed;
	// plainSize is how many bytes the last allocation had.
	plain                []byte
	plainUsed, plainSize int
	// texts are for strings, given away up to textsUsed; textsSize is how many the last allocation had.
	texts                []string
	textsUsed, textsSize int
	// structs are those of the user's types: nil, *T(nil) where there was one T, *batch[T] where there were more. Types
	// share a place; one that finds another there begins anew.
	structs [Slots]any
}

// Slots is how many places there are for batches of structs. Generated code numbers its types by them.
const Slots = 16

// batch is of structs.
type batch[T any] struct {
	// all are given away up to used. A number is stored for less than a slice is, while memory is collected.
	all  []T
	used int
	// size is that of the last allocation.
	size int
}

// takePlain gives memory for n values without pointers, which take so many bytes each: a power of two. Nobody else has it. There is
// none beyond the limit.
func (d *Decoder) takePlain(n, bytes, off int) []byte {
	start := upTo(d.plainUsed, min(bytes, 8))
	end := start + n*bytes
	if uint(end) <= uint(len(d.plain)) {
		d.plainUsed = end
		return d.plain[start:end:end]
	}
	return d.takeMorePlain(n, bytes, off)
}

//go:noinline
func (d *Decoder) takeMorePlain(n, bytes, off int) []byte {
	wanted := n * bytes
	// What is left serves the next message, and keeps nothing but itself: so it may be longer than this one.
	size := d.next(&d.plainSize, wanted, 1, BatchBytes, off)
	if size > wanted {
		d.plain, d.plainUsed = raw.Plain(size), 0
		return d.takePlain(n, bytes, off)
	}
	return raw.Plain(size)
}

// takeTexts gives n strings, as takePlain does.
func (d *Decoder) takeTexts(n, off int) []string {
	start := d.textsUsed
	end := start + n
	if uint(end) <= uint(len(d.texts)) {
		d.textsUsed = end
		return d.texts[start:end:end]
	}
	return d.takeMoreTexts(n, off)
}

//go:noinline
func (d *Decoder) takeMoreTexts(n, off int) []string {
	size := d.next(&d.textsSize, n, raw.SizeOf[string](), len(d.message)-off, off)
	if size > n {
		d.texts, d.textsUsed = make([]string, size), 0
		return d.takeTexts(n, off)
	}
	return make([]string, size)
}

// next is how many elements of so many bytes to allocate where n are wanted: n if they are many, else four times as many as
// the last time, but no more than upTo, nor than an eighth of what this message may have still: so that no
// message is refused for a batch that others made long. It is 0 if that is beyond the limit.
//
//go:noinline
func (d *Decoder) next(last *int, n, bytes, upTo, off int) int {
	size, each := n, max(bytes, 1)
	if n <= BatchBytes/each/4 {
		fitting := int(min(BatchBytes, max(d.room/8, 0))) / each
		size = max(n, min(4**last, upTo, fitting))
		*last = size
	}
	if d.allocate(size, bytes, off) {
		return size
	}
	return 0
}

// allocate counts n values of so many bytes that are about to be allocated for what stands at off.
//
//go:noinline
func (d *Decoder) allocate(n, bytes, off int) bool {
	d.room -= int64(n) * int64(bytes)
	if d.room >= 0 {
		return true
	}
	d.fail(TooLarge, off)
	return false
}

// New gives a struct for the field or element at off. The slot is the place of its type's batch, below [Slots].
func New[T any](d *Decoder, off int, slot uint) *T {
	if b, ok := d.structs[slot%Slots].(*batch[T]); ok && b.used < len(b.all) {
		p := &b.all[b.used]
		b.used++
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
			d.allocate(1, raw.SizeOf[T](), off)
			return new(T)
		}
		b = &batch[T]{size: 1}
		*place = b
	}
	b.all = make([]T, max(d.next(&b.size, 1, raw.SizeOf[T](), len(d.message)-off, off), 1))
	b.used = 1
	return &b.all[0]
}

// Batch allocates some of n structs, as [Decoder.AllocateSome] has it.
func Batch[T any](d *Decoder, n, off int) []T {
	return make([]T, d.AllocateSome(n, raw.SizeOf[T](), off))
}

// AllocateSome is how many to allocate at once of n structs of so many bytes, at least one: as many as fit into what may still be
// allocated in halves, so that a list whose elements are not there cannot take everything. Beyond the limit it is one: whoever
// asked fills it and then sees that something is wrong.
//
//go:noinline
func (d *Decoder) AllocateSome(n, bytes, off int) int {
	if size := max(bytes, 1); int64(n)*int64(size) > d.room/2 {
		n = max(1, min(n, BatchBytes/size))
	}
	if d.allocate(n, bytes, off) {
		return n
	}
	return 1
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
