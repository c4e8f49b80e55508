package thrift

import (
	"math"
	"sync"
)

// Writer is what generated code does to write a struct.
type Writer interface {
	// WriteThrift writes the fields from off on, and gives the offset behind their stop. Where the buffer is too short for all
	// of them it gives that offset too, and has written only a part.
	WriteThrift(b []byte, off int) int
}

// Size is how many bytes [Marshal] writes. It panics as Marshal does.
func Size(from Writer) int { return from.WriteThrift(nil, 0) }

// Marshal writes a struct as a message of the Binary protocol. It must not change meanwhile. Texts, binaries and containers that no length of
// the protocol can count make it panic with [ErrLength].
func Marshal(from Writer) []byte { return MarshalFunc(from.WriteThrift) }

// Append writes a struct behind these bytes, and may use all of their array. It panics as [Marshal] does.
func Append(to []byte, from Writer) []byte {
	end := from.WriteThrift(to[:cap(to)], len(to))
	if end <= cap(to) {
		return to[:end]
	}
	return AppendFunc(to, from.WriteThrift)
}

// scratchBytes is how long a message may be to be written at once and then copied, which takes less time than to measure it.
const scratchBytes = 8 << 10

var scratches = sync.Pool{New: func() any { return new([scratchBytes]byte) }}

// MarshalFunc is Marshal for what writes as WriteThrift does.
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

// AppendFunc is Append for what writes as WriteThrift does.
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
