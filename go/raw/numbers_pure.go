//go:build !(amd64 || arm64) || purego

package raw

import (
	"encoding/binary"
	"reflect"
)

// Uint8 reads b[off].
func Uint8(b []byte, off int) byte { return b[off] }

// Uint16 reads b[off:off+2].
func Uint16(b []byte, off int) uint16 { return binary.BigEndian.Uint16(b[off:]) }

// Uint32 reads b[off:off+4].
func Uint32(b []byte, off int) uint32 { return binary.BigEndian.Uint32(b[off:]) }

// Uint64 reads b[off:off+8].
func Uint64(b []byte, off int) uint64 { return binary.BigEndian.Uint64(b[off:]) }

// PutUint8 writes b[off].
func PutUint8(b []byte, off int, v byte) { b[off] = v }

// PutUint16 writes b[off:off+2].
func PutUint16(b []byte, off int, v uint16) { binary.BigEndian.PutUint16(b[off:], v) }

// PutUint32 writes b[off:off+4].
func PutUint32(b []byte, off int, v uint32) { binary.BigEndian.PutUint32(b[off:], v) }

// PutUint64 writes b[off:off+8].
func PutUint64(b []byte, off int, v uint64) { binary.BigEndian.PutUint64(b[off:], v) }

// PutHead writes the three bytes of a field's head, the lowest of the number first, and a fourth byte of 0.
func PutHead(b []byte, off int, head uint32) { binary.LittleEndian.PutUint32(b[off:], head) }

// PutHeadUint32 writes the three bytes of a field's head, then a number, and an eighth byte of 0.
func PutHeadUint32(b []byte, off int, head, v uint32) {
	PutUint32(b, off+4, v<<8)
	binary.LittleEndian.PutUint32(b[off:], head|v>>24<<24)
}

// PutString writes b[off:off+len(text)]. The byte b[off] must exist even if the text is empty.
func PutString(b []byte, off int, text string) {
	_ = b[off]
	copy(b[off:off+len(text)], text)
}

// PutBytes writes b[off:off+len(value)]. The byte b[off] must exist even if the value is empty.
func PutBytes(b []byte, off int, value []byte) {
	_ = b[off]
	copy(b[off:off+len(value)], value)
}

// Int8s reads b[off:off+len(into)].
func Int8s(into []int8, b []byte, off int) {
	for i := range into {
		into[i] = int8(b[off+i])
	}
}

// PutInt8s writes b[off:off+len(values)].
func PutInt8s(b []byte, off int, values []int8) {
	for i, v := range values {
		b[off+i] = byte(v)
	}
}

// String returns a copy of b[off:off+n]. This pure version shares no memory.
func String(b []byte, off, n int) string { return string(b[off : off+n]) }

// Plain returns memory for values without pointers. In this pure version the memory is zero, but no caller may rely on that.
func Plain(bytes int) []byte { return make([]byte, bytes) }

// Numbers returns new memory. This pure version shares no memory.
func Numbers[T any](b []byte) []T { return make([]T, len(b)/SizeOf[T]()) }

// SizeOf returns the number of bytes of a value, without those that it points to.
func SizeOf[T any]() int { return int(reflect.TypeFor[T]().Size()) }

// Fixed has the types whose values take 4 or 8 bytes on every processor.
type Fixed interface {
	~int32 | ~int64 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Little reads numbers from b[off:], lowest byte first.
func Little[T Fixed](into []T, b []byte, off int) {
	if _, err := binary.Decode(b[off:], binary.LittleEndian, into); err != nil {
		panic(err)
	}
}

// PutLittle writes numbers to b[off:], lowest byte first.
func PutLittle[T Fixed](b []byte, off int, values []T) {
	if _, err := binary.Encode(b[off:], binary.LittleEndian, values); err != nil {
		panic(err)
	}
}

// IsASCII reports whether all bytes of a text are below 0x80.
func IsASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
