//go:build (amd64 || arm64) && !purego

package raw

import (
	"math/bits"
	"strings"
	"unsafe"
)

// at returns the address of a byte. The caller of each function below has checked that the bytes it reads or writes lie within b. So the address lies
// within b's array, which b keeps alive.
func at(b []byte, off int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), off)
}

// Uint8 reads b[off].
func Uint8(b []byte, off int) byte { return *(*byte)(at(b, off)) }

// Uint16 reads b[off:off+2].
func Uint16(b []byte, off int) uint16 { return bits.ReverseBytes16(*(*uint16)(at(b, off))) }

// Uint32 reads b[off:off+4].
func Uint32(b []byte, off int) uint32 { return bits.ReverseBytes32(*(*uint32)(at(b, off))) }

// Uint64 reads b[off:off+8].
func Uint64(b []byte, off int) uint64 { return bits.ReverseBytes64(*(*uint64)(at(b, off))) }

// PutUint8 writes b[off].
func PutUint8(b []byte, off int, v byte) { *(*byte)(at(b, off)) = v }

// PutUint16 writes b[off:off+2].
func PutUint16(b []byte, off int, v uint16) { *(*uint16)(at(b, off)) = bits.ReverseBytes16(v) }

// PutUint32 writes b[off:off+4].
func PutUint32(b []byte, off int, v uint32) { *(*uint32)(at(b, off)) = bits.ReverseBytes32(v) }

// PutUint64 writes b[off:off+8].
func PutUint64(b []byte, off int, v uint64) { *(*uint64)(at(b, off)) = bits.ReverseBytes64(v) }

// PutHead writes the three bytes of a field's head, the lowest of the number first, and a fourth byte of 0. Its bytes need not be swapped, so a
// constant head is stored as it is.
// stores it in one instruction.
func PutHead(b []byte, off int, head uint32) { *(*uint32)(at(b, off)) = head }

// PutHeadUint32 writes the three bytes of a field's head, then a number, and an eighth byte of 0.
func PutHeadUint32(b []byte, off int, head, v uint32) {
	*(*uint64)(at(b, off)) = uint64(head) | uint64(bits.ReverseBytes32(v))<<24
}

// PutString writes b[off:off+len(text)]. The byte b[off] must exist even if the text is empty, since the address behind b may belong to something
// else.
func PutString(b []byte, off int, text string) {
	copy((*[most]byte)(at(b, off))[:len(text)], text)
}

// PutBytes writes b[off:off+len(value)]. The byte b[off] must exist even if the value is empty.
func PutBytes(b []byte, off int, value []byte) {
	copy((*[most]byte)(at(b, off))[:len(value)], value)
}

// most is more bytes than any value has. A slice of an array of this length needs no bounds check against the real length.
const most = 1 << 46

// Int8s reads b[off:off+len(into)].
func Int8s(into []int8, b []byte, off int) { copy(bytesOf(into), String(b, off, len(into))) }

// PutInt8s writes b[off:off+len(values)].
func PutInt8s(b []byte, off int, values []int8) { copy(b[off:off+len(values)], bytesOf(values)) }

// bytesOf returns the same memory as bytes. Every int8 is a valid byte and the other way round.
func bytesOf(values []int8) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values))
}

// String returns b[off:off+n] as a string that shares its bytes. They must not change while the string is used.
func String(b []byte, off, n int) string {
	if n == 0 {
		return ""
	}
	return unsafe.String((*byte)(at(b, off)), n)
}

// Plain returns memory for values without pointers, with arbitrary content. A caller that takes a part of the memory must write all of that part
// before it is read. The memory begins at a multiple of 8 bytes.
func Plain(bytes int) []byte {
	// The memory of a strings.Builder is not cleared. Once it has grown, so many bytes can be written without another allocation: they are in the
	// same array as the first byte, behind it. Memory whose size is a multiple of 8 begins at a multiple of 8.
	var b strings.Builder
	b.Grow(max((bytes+7)&^7, 8))
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), bytes)
}

// Numbers returns memory from [Plain], which nothing else uses, as values of a type without pointers. The memory begins at a multiple of the type's
// size, up to 8. As many values as fit are within b's array, which they keep alive.
func Numbers[T any](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/SizeOf[T]())
}

// SizeOf returns the number of bytes of a value, without those that it points to.
func SizeOf[T any]() int {
	var none T
	return int(unsafe.Sizeof(none))
}

// Fixed has the types whose values take 4 or 8 bytes on every processor.
type Fixed interface {
	~int32 | ~int64 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Little reads numbers from b[off:], lowest byte first, which is also the byte order of this processor.
func Little[T Fixed](into []T, b []byte, off int) {
	view := memory(into)
	copy(view, b[off:off+len(view)])
}

// PutLittle writes numbers to b[off:], lowest byte first.
func PutLittle[T Fixed](b []byte, off int, values []T) {
	view := memory(values)
	copy(b[off:off+len(view)], view)
}

// memory returns the memory of numbers as bytes. Any bytes are valid numbers.
func memory[T Fixed](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*SizeOf[T]())
}

// IsASCII reports whether all bytes of a text are below 0x80.
func IsASCII(text string) bool {
	const high32, high64 = 0x80808080, 0x8080808080808080
	p, n := unsafe.Pointer(unsafe.StringData(text)), len(text)
	switch {
	case n >= 8:
		i := 0
		for ; i <= n-32; i += 32 {
			if (word(p, i)|word(p, i+8)|word(p, i+16)|word(p, i+24))&high64 != 0 {
				return false
			}
		}
		// The last word may overlap a word that was already checked.
		found := word(p, n-8)
		for ; i < n-8; i += 8 {
			found |= word(p, i)
		}
		return found&high64 == 0
	case n >= 4:
		return (*(*uint32)(p)|*(*uint32)(unsafe.Add(p, n-4)))&high32 == 0
	case n > 0:
		return text[0]|text[n/2]|text[n-1] < 0x80
	}
	return true
}

// word returns the 8 bytes at an offset. The text must have them.
func word(p unsafe.Pointer, off int) uint64 { return *(*uint64)(unsafe.Add(p, off)) }
