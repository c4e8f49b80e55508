package proto

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"hone/go/raw"
)

// run returns the number of fields with this tag that follow each other from here on and end before end. off is behind the tag of
// the first field, which counts in any case. The tag must be that of a value with a length.
func (d *Decoder) run(tag uint32, off, end int) int {
	b := d.data
	for n := 1; ; n++ {
		_, off = d.peek(off)
		switch {
		case tag < 0x80 && off < end && b[off] == byte(tag):
			off++
		case tag >= 0x80 && tag < 0x4000 && off+1 < end && b[off] == byte(tag)|0x80 && b[off+1] == byte(tag>>7):
			off += 2
		default:
			return n
		}
	}
}

// peek is extent without a fault: where something is wrong, it returns an offset behind the end of any message.
func (d *Decoder) peek(off int) (start, end int) {
	if b := d.data; off < len(b) {
		if c := b[off]; c < 0x80 {
			return off + 1, off + 1 + int(c)
		}
		if length, n := protowire.ConsumeVarint(b[off:]); n > 0 && length <= uint64(len(b)) {
			return off + n, off + n + int(length)
		}
	}
	return broken, broken
}

// tagBytes returns the number of bytes of a tag.
func tagBytes(tag uint32) int { return protowire.SizeVarint(uint64(tag)) }

// Element is a pointer to a message with generated code.
type Element[T any] interface {
	*T
	Codec
}

// Messages reads elements of a repeated field as long as they follow each other. Elements of one message share memory; slot is the
// slot of their type.
func Messages[T any, P Element[T]](d *Decoder, list []P, tag uint32, off, end int, slot Slot) ([]P, int) {
	n := d.run(tag, off, end)
	if list == nil {
		list = takeOf[P](d, slot+1, n)[:0]
	} else {
		list = slices.Grow(list, n)
	}
	most := max(1, slabBytes/max(1, raw.SizeOf[T]()))
	for n > 0 {
		block := takeOf[T](d, slot, min(n, most))
		n -= len(block)
		for i := range block {
			p := P(&block[i])
			list = append(list, p)
			at, last := d.Enter(off)
			off = d.Leave(p.ReadPB(d, at, last, 0), last)
			if off >= broken {
				return list, off
			}
			if n > 0 || i < len(block)-1 {
				off += tagBytes(tag)
			}
		}
	}
	return list, off
}

// TextElements reads strings of a repeated field as long as they follow each other. read is one of the methods for a string.
func TextElements(d *Decoder, list []string, tag uint32, off, end int, read func(*Decoder, int) (string, int)) ([]string, int) {
	n := d.run(tag, off, end)
	if list == nil {
		list = d.texts.take(d, n)[:0]
	} else {
		list = slices.Grow(list, n)
	}
	return elements(d, list, tag, off, n, read)
}

// BytesElements reads bytes of a repeated field as long as they follow each other.
func BytesElements(d *Decoder, list [][]byte, tag uint32, off, end int) ([][]byte, int) {
	n := d.run(tag, off, end)
	return elements(d, slices.Grow(list, n), tag, off, n, (*Decoder).Bytes)
}

// elements reads n elements that follow each other.
func elements[T any](d *Decoder, list []T, tag uint32, off, n int, read func(*Decoder, int) (T, int)) ([]T, int) {
	for {
		var v T
		v, off = read(d, off)
		list = append(list, v)
		n--
		if n == 0 || off >= broken {
			return list, off
		}
		off += tagBytes(tag)
	}
}

// NumberElements reads one number of a repeated field that is not packed, and those that follow it with the same tag of one byte.
func NumberElements[T any](d *Decoder, list []T, tag uint32, off, end int, read func(*Decoder, int) (T, int)) ([]T, int) {
	for {
		var v T
		v, off = read(d, off)
		list = append(list, v)
		if tag >= 0x80 || off >= end || d.data[off] != byte(tag) {
			return list, off
		}
		off++
	}
}

// count returns the number of varints in these bytes: the number of bytes that end a varint.
func count(b []byte) int {
	n := 0
	for len(b) >= 8 {
		n += bits.OnesCount64(^binary.LittleEndian.Uint64(b) & 0x8080808080808080)
		b = b[8:]
	}
	for _, c := range b {
		n += int(^c >> 7)
	}
	return n
}

// packed finds the bytes of a packed field of varints, and returns their number. The last varint must end with the bytes.
func (d *Decoder) packed(off int) (at, end, n int) {
	at, end = d.extent(off)
	if at == end {
		return at, end, 0
	}
	if d.data[end-1] >= 0x80 {
		off = d.fail(Truncated, off)
		return off, off, 0
	}
	return at, end, count(d.data[at:end])
}

// integer is the set of types of numbers that are written as varints unchanged.
type integer interface {
	~int32 | ~int64 | ~uint32 | ~uint64
}

// PackedVarints reads a packed field of int32, int64, uint32, uint64 or an enum.
func PackedVarints[T integer](d *Decoder, list []T, off int) ([]T, int) {
	at, end, n := d.packed(off)
	list = room(d, list, n)
	before := len(list)
	into := list[before : before+n]
	b := d.data
	for i := range into {
		if at >= len(b) {
			break
		}
		if c := b[at]; c < 0x80 {
			into[i] = T(c)
			at++
			continue
		}
		if at <= len(b)-8 {
			word := binary.LittleEndian.Uint64(b[at:])
			if bytes := varintIn(word); bytes > 0 {
				into[i] = T(joined(word, bytes))
				at += bytes
				continue
			}
		}
		var v uint64
		v, at = d.longUint64(at)
		into[i] = T(v)
	}
	if at != end {
		return list, d.fail(Malformed, off)
	}
	return list[:before+n], end
}

// PackedSints reads a packed field of sint32 or sint64.
func PackedSints[T ~int32 | ~int64](d *Decoder, list []T, off int) ([]T, int) {
	before := len(list)
	list, off = PackedVarints(d, list, off)
	for i := before; i < len(list); i++ {
		// Only the lower half of a number of 32 bits counts, also if the number is signed.
		v := uint64(list[i])
		if raw.SizeOf[T]() == 4 {
			v = uint64(uint32(v))
		}
		list[i] = T(protowire.DecodeZigZag(v))
	}
	return list, off
}

// PackedBools reads a packed field of bool.
func PackedBools(d *Decoder, list []bool, off int) ([]bool, int) {
	at, end, n := d.packed(off)
	list = room(d, list, n)
	for range n {
		var v bool
		v, at = d.Bool(at)
		list = append(list, v)
	}
	if at != end {
		return list, d.fail(Malformed, off)
	}
	return list, end
}

// PackedFixed reads a packed field of numbers of 4 or 8 bytes.
func PackedFixed[T raw.Fixed](d *Decoder, list []T, off int) ([]T, int) {
	at, end := d.extent(off)
	size := raw.SizeOf[T]()
	n := (end - at) / size
	if n*size != end-at {
		return list, d.fail(Truncated, off)
	}
	list = room(d, list, n)
	before := len(list)
	list = list[:before+n]
	if n > 0 {
		raw.Little(list[before:], d.data, at)
	}
	return list, end
}

// mostPairs is the largest number of pairs that a new map has room for: many pairs may have one key.
const mostPairs = 64

// Pairs returns the number of pairs that a new map should have room for. off is where the first pair's length is.
func (d *Decoder) Pairs(tag uint32, off, end int) int { return min(d.run(tag, off, end), mostPairs) }
