package thrift

import (
	"math"

	"hone/go/raw"
)

// The functions of this file write fields: the header, 3 bytes, and the value. They give the offset behind it. The buffer has
// room for the whole struct, of which a stop follows every field: so a store may be one byte wider than the field. Each
// checks once that the buffer is as long as it must be; one that is not, since the struct has changed after its size was
// computed, panics like any index.

// PutStop ends a struct.
func PutStop(b []byte, off int) int {
	b[off] = byte(Stop)
	return off + 1
}

// PutKey writes the header of a field, whose value follows.
func PutKey(b []byte, off int, key uint32) int {
	_ = b[off+3]
	raw.PutUint32(b, off, key<<8)
	return off + 3
}

// PutI64 writes a field.
func PutI64(b []byte, off int, key uint32, value int64) int {
	_ = b[off+10]
	raw.PutUint32(b, off, key<<8)
	raw.PutUint64(b, off+3, uint64(value))
	return off + 11
}

// PutDouble writes a field.
func PutDouble(b []byte, off int, key uint32, value float64) int {
	return PutI64(b, off, key, int64(math.Float64bits(value)))
}

// PutI32 writes a field.
func PutI32(b []byte, off int, key uint32, value int32) int {
	_ = b[off+7]
	raw.PutUint64(b, off, uint64(key)<<40|uint64(uint32(value))<<8)
	return off + 7
}

// PutI16 writes a field.
func PutI16(b []byte, off int, key uint32, value int16) int {
	_ = b[off+4]
	raw.PutUint32(b, off, key<<8)
	raw.PutUint16(b, off+3, uint16(value))
	return off + 5
}

// PutI8 writes a field.
func PutI8(b []byte, off int, key uint32, value int8) int {
	_ = b[off+3]
	raw.PutUint32(b, off, key<<8|uint32(uint8(value)))
	return off + 4
}

// PutBool writes a field.
func PutBool(b []byte, off int, key uint32, value bool) int {
	return PutI8(b, off, key, bit(value))
}

// PutText writes a field.
func PutText(b []byte, off int, key uint32, value string) int {
	_ = b[off+7]
	raw.PutUint64(b, off, uint64(key)<<40|uint64(uint32(len(value)))<<8)
	off += 7
	copy(b[off:off+len(value)], value)
	return off + len(value)
}

// PutBinary writes a field.
func PutBinary(b []byte, off int, key uint32, value []byte) int {
	_ = b[off+7]
	raw.PutUint64(b, off, uint64(key)<<40|uint64(uint32(len(value)))<<8)
	off += 7
	copy(b[off:off+len(value)], value)
	return off + len(value)
}

// PutUUID writes a field.
func PutUUID(b []byte, off int, key uint32, value [16]byte) int {
	return PutUUIDElement(b, PutKey(b, off, key), value)
}

func bit(value bool) int8 {
	if value {
		return 1
	}
	return 0
}
