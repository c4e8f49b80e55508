package thrift

import (
	"errors"
	"math"
)

// mostLength is what a length or a count can say: it is an i32 on the wire.
const mostLength = math.MaxInt32

// isNarrow is whether an int has 32 bits: then a message can be longer than an offset can say, by what stands in it several times.
const isNarrow = math.MaxInt == math.MaxInt32

// mostOffset is where a value that takes a fixed number of bytes may begin, where ints have 32 bits.
const mostOffset = math.MaxInt32 - 64

// ErrLength is what a text, a binary, a list, a set or a map is refused with that has more bytes or elements than an i32 can count, and a
// message longer than offsets go where an int has 32 bits. [Marshal], [Append] and [Size] panic with it, as they give no errors; calls, and the
// functions of package codec, give it as an error. Nothing of such a message is sent.
var ErrLength = errors.New("a value has more than 2147483647 bytes or elements, which no length of Thrift can say: send it in parts")

// RecoverLength is to be deferred: it makes an error of a panic with [ErrLength], and of no other.
func RecoverLength(err *error) {
	switch value := recover(); value {
	case nil:
	case ErrLength:
		*err = ErrLength
	default:
		panic(value)
	}
}

// checkOffset refuses an offset that a sum has made of more than an int holds. It is nothing where ints have 64 bits.
func checkOffset(off int) {
	if isNarrow && uint(off) > mostOffset {
		panic(ErrLength)
	}
}

// endOf is the offset behind n values of so many bytes each.
func endOf(off, n, bytes int) int {
	if isNarrow && n > (math.MaxInt-off)/bytes {
		panic(ErrLength)
	}
	return off + n*bytes
}
