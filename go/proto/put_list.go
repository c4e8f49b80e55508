package proto

import (
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"
	"hone/go/raw"
)

// Each writes a repeated field, element by element, with one of the functions for a field. It is for numbers that are not packed,
// for strings and for bytes.
func Each[T any](b []byte, off int, tag uint32, list []T, put func(b []byte, off int, tag uint32, v T) int) int {
	for i := len(list) - 1; i >= 0; i-- {
		off = put(b, off, tag, list[i])
	}
	return off
}

// PutInt is PutVarint for all types of numbers.
func PutInt[T integer](b []byte, off int, tag uint32, v T) int {
	return PutVarint(b, off, tag, uint64(v))
}

// PutSintOf is PutSint for all types of numbers.
func PutSintOf[T ~int32 | ~int64](b []byte, off int, tag uint32, v T) int {
	return PutSint(b, off, tag, int64(v))
}

// PutSfixed32 writes a field of sfixed32.
func PutSfixed32(b []byte, off int, tag uint32, v int32) int {
	return PutFixed32(b, off, tag, uint32(v))
}

// PutSfixed64 writes a field of sfixed64.
func PutSfixed64(b []byte, off int, tag uint32, v int64) int {
	return PutFixed64(b, off, tag, uint64(v))
}

// PutPackedVarints writes a packed field of int32, int64, uint32, uint64 or an enum; nothing where the list is empty.
func PutPackedVarints[T integer](b []byte, off int, tag uint32, list []T) int {
	if len(list) == 0 {
		return off
	}
	end := off
	for i := len(list) - 1; i >= 0; i-- {
		v := uint64(list[i])
		if n := varintBytes(v); n <= 8 && off >= 8 && off <= len(b) {
			binary.LittleEndian.PutUint64(b[off-8:], apart(v, n))
			off -= n
		} else {
			off = putLongVarint(b, off, v)
		}
	}
	return PutLength(b, off, end, tag)
}

// PutPackedSints writes a packed field of sint32 or sint64; nothing where the list is empty.
func PutPackedSints[T ~int32 | ~int64](b []byte, off int, tag uint32, list []T) int {
	if len(list) == 0 {
		return off
	}
	end := off
	for i := len(list) - 1; i >= 0; i-- {
		v := protowire.EncodeZigZag(int64(list[i]))
		if n := varintBytes(v); n <= 8 && off >= 8 && off <= len(b) {
			binary.LittleEndian.PutUint64(b[off-8:], apart(v, n))
			off -= n
		} else {
			off = putLongVarint(b, off, v)
		}
	}
	return PutLength(b, off, end, tag)
}

// PutPackedBools writes a packed field of bool; nothing where the list is empty.
func PutPackedBools(b []byte, off int, tag uint32, list []bool) int {
	if len(list) == 0 {
		return off
	}
	end := off
	for i := len(list) - 1; i >= 0; i-- {
		off = putVarint(b, off, bit(list[i]))
	}
	return PutLength(b, off, end, tag)
}

// PutPackedFixed writes a packed field of numbers of 4 or 8 bytes; nothing where the list is empty.
func PutPackedFixed[T raw.Fixed](b []byte, off int, tag uint32, list []T) int {
	if len(list) == 0 {
		return off
	}
	start := off - len(list)*raw.SizeOf[T]()
	if start >= 0 && off <= len(b) {
		raw.PutLittle(b, start, list)
	}
	return PutLength(b, start, off, tag)
}
