package proto

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"hone/go/raw"
)

// invalid is the offset that follows a string that is not UTF-8. It is so far below 0 that no later field makes it look like a
// size.
const invalid = math.MinInt / 2

// varintBytes returns the number of bytes of a varint.
func varintBytes(v uint64) int { return (9*bits.Len64(v) + 64) / 64 }

// putVarint writes a varint that ends at off.
func putVarint(b []byte, off int, v uint64) int {
	if v < 0x80 {
		off--
		if uint(off) < uint(len(b)) {
			b[off] = byte(v)
		}
		return off
	}
	return putLongVarint(b, off, v)
}

// putLongVarint writes a varint of up to 8 bytes by one store that ends where the varint does: the bytes before the varint are
// written later.
//
//go:noinline
func putLongVarint(b []byte, off int, v uint64) int {
	n := varintBytes(v)
	if n <= 8 && off >= 8 && off <= len(b) {
		binary.LittleEndian.PutUint64(b[off-8:], apart(v, n))
		return off - n
	}
	start := off - n
	if start >= 0 && off <= len(b) {
		binary.PutUvarint(b[start:off], v)
	}
	return start
}

// apart makes a varint of n bytes, at most 8, in the last bytes of a word: groups of 7 bits go to bytes, and all bytes but the last
// get the bit that says that another one follows.
func apart(v uint64, n int) uint64 {
	v = v&0x0fffffff | v&(0x0fffffff<<28)<<4
	v = v&0x00003fff00003fff | v&(0x00003fff00003fff<<14)<<2
	v = v&0x007f007f007f007f | v&(0x007f007f007f007f<<7)<<1
	return (v | 0x8080808080808080&(1<<(8*n-8)-1)) << (64 - 8*n)
}

// PutTag writes a tag, such as the tags at the beginning and the end of a group.
func PutTag(b []byte, off int, tag uint32) int { return putVarint(b, off, uint64(tag)) }

// PutVarint writes a field with a number that is written as a varint unchanged.
func PutVarint(b []byte, off int, tag uint32, v uint64) int {
	if v < 0x80 && tag < 0x80 {
		off -= 2
		if off >= 0 && off+1 < len(b) {
			b[off+1] = byte(v)
			b[off] = byte(tag)
		}
		return off
	}
	if off <= 0 {
		return off - varintBytes(v) - varintBytes(uint64(tag))
	}
	return putVarint(b, putLongVarint(b, off, v), uint64(tag))
}

// PutSint writes a field of sint32 or sint64.
func PutSint(b []byte, off int, tag uint32, v int64) int {
	return PutVarint(b, off, tag, protowire.EncodeZigZag(v))
}

// PutBool writes a field of bool.
func PutBool(b []byte, off int, tag uint32, v bool) int {
	return PutVarint(b, off, tag, bit(v))
}

func bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

// PutFixed32 writes a field with a number of 4 bytes.
func PutFixed32(b []byte, off int, tag uint32, v uint32) int {
	if tag < 0x80 && off >= 5 && off <= len(b) {
		binary.LittleEndian.PutUint32(b[off-4:], v)
		b[off-5] = byte(tag)
		return off - 5
	}
	off -= 4
	if off >= 0 && off <= len(b)-4 {
		binary.LittleEndian.PutUint32(b[off:], v)
	}
	return putVarint(b, off, uint64(tag))
}

// PutFixed64 writes a field with a number of 8 bytes.
func PutFixed64(b []byte, off int, tag uint32, v uint64) int {
	if tag < 0x80 && off >= 9 && off <= len(b) {
		binary.LittleEndian.PutUint64(b[off-8:], v)
		b[off-9] = byte(tag)
		return off - 9
	}
	off -= 8
	if off >= 0 && off <= len(b)-8 {
		binary.LittleEndian.PutUint64(b[off:], v)
	}
	return putVarint(b, off, uint64(tag))
}

// PutFloat writes a field of float.
func PutFloat(b []byte, off int, tag uint32, v float32) int {
	return PutFixed32(b, off, tag, math.Float32bits(v))
}

// PutDouble writes a field of double.
func PutDouble(b []byte, off int, tag uint32, v float64) int {
	return PutFixed64(b, off, tag, math.Float64bits(v))
}

// PutText writes a field of a string that must be UTF-8.
func PutText(b []byte, off int, tag uint32, v string) int {
	start := off - len(v)
	if uint(len(v)-1) < 0x7f && tag < 0x80 && start >= 2 && off <= len(b) {
		b[start-1] = byte(len(v))
		b[start-2] = byte(tag)
		raw.PutString(b, start, v)
		// The text is checked last, so that no other value has to be kept meanwhile.
		if raw.IsASCII(v) || utf8.ValidString(v) {
			return start - 2
		}
		return invalid
	}
	if start < 0 {
		return PutLength(b, start, off, tag)
	}
	if !raw.IsASCII(v) && !utf8.ValidString(v) {
		return invalid
	}
	return PutAnyText(b, off, tag, v)
}

// PutAnyText writes a field of a string in a file that does not ask for UTF-8.
func PutAnyText(b []byte, off int, tag uint32, v string) int {
	start := off - len(v)
	if start >= 0 && off <= len(b) {
		copy(b[start:off], v)
	}
	return PutLength(b, start, off, tag)
}

// PutBytes writes a field of bytes.
func PutBytes(b []byte, off int, tag uint32, v []byte) int {
	start := off - len(v)
	if start >= 0 && off <= len(b) {
		copy(b[start:off], v)
	}
	return PutLength(b, start, off, tag)
}

// PutLength writes the tag and the length of a value that was written from start to end.
func PutLength(b []byte, start, end int, tag uint32) int {
	n := end - start
	if tag < 0x80 && start >= 3 && start <= len(b) {
		if n < 0x80 {
			b[start-1] = byte(n)
			b[start-2] = byte(tag)
			return start - 2
		}
		if n < 0x4000 {
			b[start-1] = byte(n >> 7)
			b[start-2] = byte(n) | 0x80
			b[start-3] = byte(tag)
			return start - 3
		}
	}
	if start <= 0 {
		return start - varintBytes(uint64(n)) - varintBytes(uint64(tag))
	}
	return putVarint(b, putVarint(b, start, uint64(n)), uint64(tag))
}

// PutUnknown writes unknown fields as they were read.
func PutUnknown(b []byte, off int, fields []byte) int {
	start := off - len(fields)
	if start >= 0 && off <= len(b) {
		copy(b[start:off], fields)
	}
	return start
}
