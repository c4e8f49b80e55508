package thrift

import (
	"math"

	"hone/go/raw"
)

// The functions of this file write elements of containers, and return the offset behind them. Like the functions that write fields,
// they return that offset also where there is no room, and panic with [ErrLength] if a length does not fit into an i32. A stop
// follows the last element: so a text at the very end of the buffer counts as one without room.

// PutI64Element writes an i64.
func PutI64Element(b []byte, off int, value int64) int {
	checkOffset(off)
	if off+8 <= len(b) {
		raw.PutUint64(b, off, uint64(value))
	}
	return off + 8
}

// PutDoubleElement writes a double.
func PutDoubleElement(b []byte, off int, value float64) int {
	return PutI64Element(b, off, int64(math.Float64bits(value)))
}

// PutI32Element writes an i32.
func PutI32Element(b []byte, off int, value int32) int {
	checkOffset(off)
	if off+4 <= len(b) {
		raw.PutUint32(b, off, uint32(value))
	}
	return off + 4
}

// PutI16Element writes an i16.
func PutI16Element(b []byte, off int, value int16) int {
	checkOffset(off)
	if off+2 <= len(b) {
		raw.PutUint16(b, off, uint16(value))
	}
	return off + 2
}

// PutI8Element writes an i8.
func PutI8Element(b []byte, off int, value int8) int {
	checkOffset(off)
	if off+1 <= len(b) {
		raw.PutUint8(b, off, byte(value))
	}
	return off + 1
}

// PutBoolElement writes a bool.
func PutBoolElement(b []byte, off int, value bool) int { return PutI8Element(b, off, bit(value)) }

// PutTextElement writes a string.
func PutTextElement(b []byte, off int, value string) int {
	end := off + 4 + len(value)
	if len(value) > mostLength || isNarrow && end|off < 0 {
		panic(ErrLength)
	}
	if end < len(b) {
		raw.PutUint32(b, off, uint32(len(value)))
		raw.PutString(b, off+4, value)
	}
	return end
}

// PutBinaryElement writes bytes.
func PutBinaryElement(b []byte, off int, value []byte) int {
	end := off + 4 + len(value)
	if len(value) > mostLength || isNarrow && end|off < 0 {
		panic(ErrLength)
	}
	if end < len(b) {
		raw.PutUint32(b, off, uint32(len(value)))
		raw.PutBytes(b, off+4, value)
	}
	return end
}

// PutUUIDElement writes a UUID.
func PutUUIDElement(b []byte, off int, value [16]byte) int {
	checkOffset(off)
	if off+16 <= len(b) {
		copy(b[off:off+16], value[:])
	}
	return off + 16
}

// PutListHead writes the head of a list or a set.
func PutListHead(b []byte, off int, element Type, n int) int {
	if n > mostLength || isNarrow && uint(off) > mostOffset {
		panic(ErrLength)
	}
	if off+5 <= len(b) {
		raw.PutUint8(b, off, byte(element))
		raw.PutUint32(b, off+1, uint32(n))
	}
	return off + 5
}

// PutMapHead writes the head of a map.
func PutMapHead(b []byte, off int, key, value Type, n int) int {
	if n > mostLength || isNarrow && uint(off) > mostOffset {
		panic(ErrLength)
	}
	if off+6 <= len(b) {
		raw.PutUint16(b, off, uint16(key)<<8|uint16(value))
		raw.PutUint32(b, off+2, uint32(n))
	}
	return off + 6
}

// PutI64List writes a list or a set of i64.
func PutI64List(b []byte, off int, list []int64) int {
	off = PutListHead(b, off, I64, len(list))
	end := endOf(off, len(list), 8)
	if end <= len(b) {
		for i, value := range list {
			raw.PutUint64(b, off+8*i, uint64(value))
		}
	}
	return end
}

// PutDoubleList writes a list or a set of doubles.
func PutDoubleList(b []byte, off int, list []float64) int {
	off = PutListHead(b, off, Double, len(list))
	end := endOf(off, len(list), 8)
	if end <= len(b) {
		for i, value := range list {
			raw.PutUint64(b, off+8*i, math.Float64bits(value))
		}
	}
	return end
}

// PutI32List writes a list or a set of i32.
func PutI32List(b []byte, off int, list []int32) int {
	off = PutListHead(b, off, I32, len(list))
	end := endOf(off, len(list), 4)
	if end <= len(b) {
		for i, value := range list {
			raw.PutUint32(b, off+4*i, uint32(value))
		}
	}
	return end
}

// PutI16List writes a list or a set of i16.
func PutI16List(b []byte, off int, list []int16) int {
	off = PutListHead(b, off, I16, len(list))
	end := endOf(off, len(list), 2)
	if end <= len(b) {
		for i, value := range list {
			raw.PutUint16(b, off+2*i, uint16(value))
		}
	}
	return end
}

// PutI8List writes a list or a set of i8.
func PutI8List(b []byte, off int, list []int8) int {
	off = PutListHead(b, off, I8, len(list))
	end := endOf(off, len(list), 1)
	if end <= len(b) {
		raw.PutInt8s(b, off, list)
	}
	return end
}

// PutBoolList writes a list or a set of bools.
func PutBoolList(b []byte, off int, list []bool) int {
	off = PutListHead(b, off, Bool, len(list))
	end := endOf(off, len(list), 1)
	if end <= len(b) {
		for i, value := range list {
			raw.PutUint8(b, off+i, byte(bit(value)))
		}
	}
	return end
}

// PutTextList writes a list or a set of strings.
func PutTextList(b []byte, off int, list []string) int {
	off = PutListHead(b, off, String, len(list))
	for _, value := range list {
		off = PutTextElement(b, off, value)
	}
	return off
}

// PutTextMap writes a map of strings to strings.
func PutTextMap(b []byte, off int, texts map[string]string) int {
	off = PutMapHead(b, off, String, String, len(texts))
	for key, value := range texts {
		off = PutTextElement(b, off, key)
		off = PutTextElement(b, off, value)
	}
	return off
}
