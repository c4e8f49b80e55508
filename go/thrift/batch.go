package thrift

import "hone/go/raw"

// BatchBytes is the number of bytes that the decoder allocates at a time before it knows that a message needs as many.
const BatchBytes = 2 << 10

// batches are memory that was allocated for many values at once. A value that is kept of a message keeps its whole batch.
type batches struct {
	// plain is memory for numbers and bytes, which hold no pointers. It begins at a multiple of 8 bytes. The bytes before plainUsed
	// are given away. plainSize is the size of the last allocation in bytes.
	plain                []byte
	plainUsed, plainSize int
	// texts is memory for strings. The strings before textsUsed are given away. textsSize is the number of strings of the last
	// allocation.
	texts                []string
	textsUsed, textsSize int
	// structs are the batches of the user's types: nil, *T(nil) where there was one T, *batch[T] where there were more. Types share a
	// place. A type that finds another type's batch there begins a new one.
	structs [Slots]any
}

// Slots is the number of places for batches of structs. Generated code numbers its types by these places.
const Slots = 16

// batch is memory for structs of one type.
type batch[T any] struct {
	// all are the structs; those before used are given away. The code stores an index instead of a shorter slice: that costs less
	// while the garbage collector runs.
	all  []T
	used int
	// size is the number of structs of the last allocation.
	size int
}

// takePlain gives memory for n values without pointers, each of so many bytes, a power of two. Nobody else uses that memory. Beyond
// the limit takePlain gives none.
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
	// The bytes that are left serve the next message, and keep nothing else alive. So this batch may be longer than the present
	// message.
	size := d.next(&d.plainSize, wanted, 1, BatchBytes, off)
	if size > wanted {
		d.plain, d.plainUsed = raw.Plain(size), 0
		return d.takePlain(n, bytes, off)
	}
	return raw.Plain(size)
}

// takeTexts gives n strings, as takePlain gives bytes.
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

// next returns the number of elements of so many bytes to allocate where n are wanted. It is n if they are many. Otherwise it is
// four times as many as the last time, but no more than upTo, and no more than an eighth of what this message may still allocate:
// so no message is refused because other messages made the batch long. next returns 0 if the number is beyond the limit.
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

// allocate counts n values of so many bytes, which are about to be allocated for the value at off.
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

// Batch allocates some of n structs: as many as [Decoder.AllocateSome] says.
func Batch[T any](d *Decoder, n, off int) []T {
	return make([]T, d.AllocateSome(n, raw.SizeOf[T](), off))
}

// AllocateSome returns the number of structs, of n with so many bytes each, to allocate at once: at least one. It returns n if they
// take at most half of what may still be allocated, and otherwise as many as fit into [BatchBytes]: so a list whose elements are
// not in the message cannot take everything. Beyond the limit it returns one: the caller fills it and then sees that something is
// wrong.
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

// NewWithDefaults is [New] for a struct with default values, which it sets.
func NewWithDefaults[T any, P Defaulted[T]](d *Decoder, off int, slot uint) *T {
	p := New[T](d, off, slot)
	P(p).InitDefault()
	return p
}
