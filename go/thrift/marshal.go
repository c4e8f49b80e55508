package thrift

import (
	"math"
	"sync"
)

// Writer is a struct that generated code can write.
type Writer interface {
	// WriteThrift writes the fields from off on, and returns the offset behind their stop. Where the buffer is too short for all the
	// fields, WriteThrift returns that offset too, and has written only some of them.
	WriteThrift(b []byte, off int) int
}

// Size returns the number of bytes that [Marshal] writes. It panics as Marshal does.
func Size(from Writer) int { return from.WriteThrift(nil, 0) }

// Marshal writes a struct as a message of the Binary protocol. The struct must not change meanwhile. Marshal panics with
// [ErrLength] if a text, a binary or a container is longer than the protocol can say.
func Marshal(from Writer) []byte { return MarshalFunc(from.WriteThrift) }

// Append writes a struct behind these bytes, and may use all of the array that they lie in. It panics as [Marshal] does.
func Append(to []byte, from Writer) []byte {
	end := from.WriteThrift(to[:cap(to)], len(to))
	if end <= cap(to) {
		return to[:end]
	}
	return AppendFunc(to, from.WriteThrift)
}

// scratchBytes is the longest message that is written into spare memory at once and then copied: that takes less time than to
// measure it first.
const scratchBytes = 8 << 10

var scratches = sync.Pool{New: func() any { return new([scratchBytes]byte) }}

// MarshalFunc is Marshal with a function that writes as WriteThrift does.
func MarshalFunc(write func(b []byte, off int) int) []byte {
	scratch := scratches.Get().(*[scratchBytes]byte)
	size := write(scratch[:], 0)
	if size <= scratchBytes {
		message := append([]byte(nil), scratch[:size]...)
		scratches.Put(scratch)
		return message
	}
	scratches.Put(scratch)
	message := make([]byte, size)
	return message[:write(message, 0)]
}

// AppendFunc is Append with a function that writes as WriteThrift does.
func AppendFunc(to []byte, write func(b []byte, off int) int) []byte {
	start := len(to)
	end := write(to[:cap(to)], start)
	if end > cap(to) {
		if isNarrow && cap(to) > math.MaxInt-end {
			panic(ErrLength)
		}
		to = append(make([]byte, 0, cap(to)+end), to...)
		end = write(to[:cap(to)], start)
	}
	return to[:end]
}
