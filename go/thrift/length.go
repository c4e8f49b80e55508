package thrift

import (
	"errors"
	"math"
)

// mostLength is the largest length or count: it is an i32 on the wire.
const mostLength = math.MaxInt32

// isNarrow says that an int has 32 bits. Then a message can be longer than the largest offset, if the same text stands in it
// several times.
const isNarrow = math.MaxInt == math.MaxInt32

// mostOffset is the largest offset where a value of a fixed number of bytes may begin, where ints have 32 bits.
const mostOffset = math.MaxInt32 - 64

// ErrLength is the error of a text, a binary, a list, a set or a map with more bytes or elements than an i32 can count, and of a
// message that is longer than the largest offset where an int has 32 bits. [Marshal], [Append] and [Size] panic with it, as they
// return no errors; calls, and the functions of package codec, return it as an error. Nothing of such a message is sent.
var ErrLength = errors.New("a value has more than 2147483647 bytes or elements, which no length of Thrift can say: send it in parts")

// RecoverLength is a function to defer. It turns a panic with [ErrLength] into an error, and no other panic.
func RecoverLength(err *error) {
	switch value := recover(); value {
	case nil:
	case ErrLength:
		*err = ErrLength
	default:
		panic(value)
	}
}

// checkOffset refuses an offset if the sum that made it is too large for an int. It does nothing where ints have 64 bits.
func checkOffset(off int) {
	if isNarrow && uint(off) > mostOffset {
		panic(ErrLength)
	}
}

// endOf returns the offset behind n values of so many bytes each.
func endOf(off, n, bytes int) int {
	if isNarrow && n > (math.MaxInt-off)/bytes {
		panic(ErrLength)
	}
	return off + n*bytes
}
