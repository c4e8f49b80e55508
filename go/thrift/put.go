package thrift

import (
	"math"

	"hone/go/raw"
)

// The functions of this file write fields: the head, 3 bytes, and the value. They return the offset behind the field. Where the
// buffer has no room they write nothing but return that offset all the same: so the last offset is the length of the message, and
// tells whether the buffer was too short. A stop follows every field: so a store may be one byte wider than the field. An offset is
// either one that these functions returned or the start of a message. A head is the type and the id in the order of a store that
// begins with the lowest byte: [Head] makes it of a key. A text or bytes of more than an i32 can count make them panic with
// [ErrLength]: otherwise a reader would take the bytes behind for fields, which the author of the long text could choose.

// Head returns the head that the functions of this file take for a field of this key.
func Head(key uint32) uint32 { return key>>16&0xff | key&0xff00 | key&0xff<<16 }

// PutEnd ends a struct: all generated code calls it. It gets another name whenever code that earlier versions generated would still
// compile but write other bytes: then that code does not compile.
func PutEnd(b []byte, off int) int {
	checkOffset(off)
	if off < len(b) {
		raw.PutUint8(b, off, byte(Stop))
	}
	return off + 1
}

// PutHead writes the head of a field. Its value follows.
func PutHead(b []byte, off int, head uint32) int {
	checkOffset(off)
	if off+4 <= len(b) {
		raw.PutHead(b, off, head)
	}
	return off + 3
}

// PutI64 writes a field that is an i64.
func PutI64(b []byte, off int, head uint32, value int64) int {
	checkOffset(off)
	if off+11 <= len(b) {
		raw.PutHead(b, off, head)
		raw.PutUint64(b, off+3, uint64(value))
	}
	return off + 11
}

// PutDouble writes a field that is a double.
func PutDouble(b []byte, off int, head uint32, value float64) int {
	return PutI64(b, off, head, int64(math.Float64bits(value)))
}

// PutI32 writes a field that is an i32.
func PutI32(b []byte, off int, head uint32, value int32) int {
	checkOffset(off)
	if off+8 <= len(b) {
		raw.PutHeadUint32(b, off, head, uint32(value))
	}
	return off + 7
}

// PutI16 writes a field that is an i16.
func PutI16(b []byte, off int, head uint32, value int16) int {
	checkOffset(off)
	if off+5 <= len(b) {
		raw.PutHead(b, off, head)
		raw.PutUint16(b, off+3, uint16(value))
	}
	return off + 5
}

// PutI8 writes a field that is an i8.
func PutI8(b []byte, off int, head uint32, value int8) int {
	checkOffset(off)
	if off+4 <= len(b) {
		raw.PutHead(b, off, head)
		raw.PutUint8(b, off+3, byte(value))
	}
	return off + 4
}

// PutBool writes a field that is a bool.
func PutBool(b []byte, off int, head uint32, value bool) int {
	return PutI8(b, off, head, bit(value))
}

// PutText writes a field that is a string.
func PutText(b []byte, off int, head uint32, value string) int {
	end := off + 7 + len(value)
	if len(value) > mostLength || isNarrow && end|off < 0 {
		panic(ErrLength)
	}
	if end < len(b) {
		raw.PutHeadUint32(b, off, head, uint32(len(value)))
		raw.PutString(b, off+7, value)
	}
	return end
}

// PutBinary writes a field that is bytes.
func PutBinary(b []byte, off int, head uint32, value []byte) int {
	end := off + 7 + len(value)
	if len(value) > mostLength || isNarrow && end|off < 0 {
		panic(ErrLength)
	}
	if end < len(b) {
		raw.PutHeadUint32(b, off, head, uint32(len(value)))
		raw.PutBytes(b, off+7, value)
	}
	return end
}

// PutUUID writes a field that is a UUID.
//
//go:noinline
func PutUUID(b []byte, off int, head uint32, value [16]byte) int {
	return PutUUIDElement(b, PutHead(b, off, head), value)
}

// PutUnknown writes unknown fields as they were read.
func PutUnknown(b []byte, off int, fields []byte) int {
	end := endOf(off, len(fields), 1)
	if end <= len(b) {
		copy(b[off:end], fields)
	}
	return end
}

func bit(value bool) int8 {
	if value {
		return 1
	}
	return 0
}
