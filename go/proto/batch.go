package proto

import "hone/go/raw"

const (
	// batchBytes is how much is allocated at a time for small values without pointers.
	batchBytes = 2 << 10
	// mostShared is how long a value may be that shares a batch.
	mostShared = batchBytes / 4
	// blockBytes is how much memory elements of a repeated field share at most, unless one takes more.
	blockBytes = 4 << 10
	// mostTexts is how many strings behind pointers share memory.
	mostTexts = 32
)

// batches are memory that was allocated for many values. What is left of it serves the next message.
type batches struct {
	// plain is for numbers and bytes, which have no pointers. It begins at a multiple of 8 bytes, and is given away up to plainUsed.
	plain     []byte
	plainUsed int
	// texts are strings that fields with presence point to.
	texts []string
	// textsSize is how many the last allocation had.
	textsSize int
}

// plainMemory gives memory for a value without pointers, at an address that is a multiple of align, a power of two up to 8. Nobody else has it, and
// anything may be in it.
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

// scalar are the numbers that fields with presence point to.
type scalar interface {
	~bool | ~int32 | ~int64 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Pointer gives a pointer to a number, for a field with presence.
func Pointer[T scalar](d *Decoder, v T) *T {
	size := raw.SizeOf[T]()
	p := &raw.Numbers[T](d.plainMemory(size, size))[0]
	*p = v
	return p
}

// TextPointer gives a pointer to a string, for a field with presence.
func (d *Decoder) TextPointer(text string) *string {
	if len(d.texts) == 0 {
		d.textsSize = min(max(2*d.textsSize, 1), mostTexts)
		d.texts = make([]string, d.textsSize)
	}
	p := &d.texts[0]
	d.texts = d.texts[1:]
	*p = text
	return p
}
