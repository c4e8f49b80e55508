package proto

import (
	"slices"
	"sync/atomic"

	"hone/go/raw"
)

const (
	// batchBytes is the number of bytes that are allocated at a time for small values without pointers.
	batchBytes = 2 << 10
	// mostShared is the longest value without pointers that shares a batch.
	mostShared = batchBytes / 4
	// slabBytes is the most memory that values of one type share, unless one value takes more.
	slabBytes = 4 << 10
	// leastValue is the expected minimum length of a value in a message, before the value has been read.
	leastValue = 16
)

// batches are memory that was allocated for many values.
type batches struct {
	// plain is memory for numbers and bytes, which hold no pointers. It begins at a multiple of 8 bytes. The bytes before plainUsed
	// are given away. The rest serves the next message.
	plain     []byte
	plainUsed int
	// slabs are memory for values with pointers, by their slots: nil or *slab[T]. inUse are the slabs that this message has taken
	// values of. The rest of these is let go with the message.
	slabs []any
	inUse []emptier
	texts slab[string]
}

// plainMemory gives memory for values without pointers, at an address that is a multiple of align, a power of two up to 8. Nobody
// else uses that memory, and it may contain anything.
func (d *Decoder) plainMemory(size, align int) []byte {
	start := (d.plainUsed + align - 1) &^ (align - 1)
	end := start + size
	if end > len(d.plain) {
		d.plain = raw.Plain(max(batchBytes, size))
		start, end = 0, size
	}
	d.plainUsed = end
	return d.plain[start:end:end]
}

// number is the set of numbers that take the same memory on every processor.
type number interface {
	~bool | ~int32 | ~int64 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Pointer gives a pointer to a number, for a field with presence.
func Pointer[T number](d *Decoder, v T) *T {
	size := raw.SizeOf[T]()
	p := &raw.Numbers[T](d.plainMemory(size, size))[0]
	*p = v
	return p
}

// room makes room for n more numbers in a list, all of which are written before anybody sees them. Short new lists share memory.
func room[T number](d *Decoder, list []T, n int) []T {
	size := raw.SizeOf[T]()
	switch {
	case list != nil || n == 0:
		return slices.Grow(list, n)
	case n <= mostShared/size:
		return raw.Numbers[T](d.plainMemory(n*size, size))[:0:n]
	}
	return raw.Numbers[T](raw.Plain(n * size))[:0:n]
}

// Slot is the place of a type in every [Decoder]: generated code has one for each message, and one for each member of a oneof.
type Slot uint32

// mostSlots is the number of places that a Decoder has at most. Types share the places if a program has more types.
const mostSlots = 2048

// NoSlot is for types of other Go packages. Their values share memory only within a list.
const NoSlot Slot = mostSlots

var slots atomic.Uint32

// NewSlot gives a slot to a type, and the next slot to pointers to the type.
func NewSlot() Slot { return Slot(slots.Add(2)-2) % mostSlots }

// slab is memory for values of one type in one message.
type slab[T any] struct {
	// all are the values; those before used are given away.
	all  []T
	used int
	// taken is the number of values taken for this message before those of all. expected is the number that the last message took.
	taken, expected int
	isInUse         bool
}

type emptier interface{ empty() }

// empty lets go of the rest, after the message has been read.
func (s *slab[T]) empty() {
	s.expected = s.taken + s.used
	s.all, s.used, s.taken, s.isInUse = nil, 0, 0, false
}

// take gives n values, one behind the other.
func (s *slab[T]) take(d *Decoder, n int) []T {
	end := s.used + n
	if end > len(s.all) {
		return s.takeMore(d, n)
	}
	some := s.all[s.used:end:end]
	s.used = end
	return some
}

// takeMore allocates as many values as the last message took, or twice as many as this message has taken, unless that is too many
// at once or for a message of this length.
//
//go:noinline
func (s *slab[T]) takeMore(d *Decoder, n int) []T {
	most := slabBytes / max(raw.SizeOf[T](), 1)
	if n > most/4 {
		return make([]T, n)
	}
	if !s.isInUse {
		s.isInUse = true
		d.inUse = append(d.inUse, s)
	}
	s.taken += s.used
	left := s.expected - s.taken
	if left <= 0 {
		left = 2 * s.taken
	}
	s.all, s.used = make([]T, max(n, min(left, most, len(d.data)/leastValue))), n
	return s.all[:n:n]
}

// slabOf returns the slab of a type. It returns nil if another type has the slot in this message.
func slabOf[T any](d *Decoder, slot Slot) *slab[T] {
	if int(slot) < len(d.slabs) {
		if s, ok := d.slabs[slot].(*slab[T]); ok {
			return s
		}
	}
	return newSlab[T](d, slot)
}

//go:noinline
func newSlab[T any](d *Decoder, slot Slot) *slab[T] {
	if slot >= NoSlot {
		return nil
	}
	if int(slot) >= len(d.slabs) {
		d.slabs = append(d.slabs, make([]any, int(slot)+1-len(d.slabs))...)
	}
	if d.slabs[slot] != nil {
		return nil
	}
	s := new(slab[T])
	d.slabs[slot] = s
	return s
}

// takeOf gives n values of the type that has this slot.
func takeOf[T any](d *Decoder, slot Slot, n int) []T {
	if s := slabOf[T](d, slot); s != nil {
		return s.take(d, n)
	}
	return make([]T, n)
}

// New gives a value of the type that has this slot.
func New[T any](d *Decoder, slot Slot) *T {
	if s := slabOf[T](d, slot); s != nil && s.used < len(s.all) {
		p := &s.all[s.used]
		s.used++
		return p
	}
	return &takeOf[T](d, slot, 1)[0]
}

// TextPointer gives a pointer to a string, for a field with presence.
func (d *Decoder) TextPointer(text string) *string {
	p := &d.texts.take(d, 1)[0]
	*p = text
	return p
}

// endBatches lets go of the memory that no other message may share.
func (d *Decoder) endBatches() {
	for _, slab := range d.inUse {
		slab.empty()
	}
	clear(d.inUse)
	d.inUse = d.inUse[:0]
}
