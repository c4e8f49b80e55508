package thrift

import (
	"math"

	"hone/go/raw"
)

// ListHead reads the head of a list or a set at off, whose elements have the type want. It returns the number of elements and the
// offset of the first one. An empty list may claim any type, as some writers do.
func (d *Decoder) ListHead(off int, want Type) (n, at int) {
	if off+5 <= len(d.message) && Type(raw.Uint8(d.message, off)) == want {
		n, at = int(int32(raw.Uint32(d.message, off+1))), off+5
		// A negative n is huge as an unsigned number, also in the product, and no product is too large for 64 bits.
		if uint64(n)*uint64(least[want]) <= uint64(len(d.message)-at) {
			return n, at
		}
	}
	return d.otherListHead(off, want)
}

// otherListHead is ListHead for a head that is empty, or wrong.
//
//go:noinline
func (d *Decoder) otherListHead(off int, want Type) (n, at int) {
	element, n, at := d.listHead(off)
	if element == want || n <= 0 {
		return n, at
	}
	d.fail(WrongType, off)
	return 0, off
}

// Elements allocates a slice for the n elements of the list that begins at off. It is nil only if n is beyond the limit. It is not
// inlined, since each list of a program would be larger with a copy of it.
//
//go:noinline
func Elements[T any](d *Decoder, n, off int) []T {
	if d.allocate(n, raw.SizeOf[T](), off) {
		return make([]T, n)
	}
	return nil
}

// Broken reports whether something is wrong with the message. Loops over elements end then.
func (d *Decoder) Broken() bool { return d.fault != 0 }

// I64List reads a list or a set of i64.
func (d *Decoder) I64List(off int) ([]int64, int) {
	n, at := d.ListHead(off, I64)
	list := raw.Numbers[int64](d.takePlain(n, 8, at))
	for i := range list {
		list[i] = int64(raw.Uint64(d.message, at+8*i))
	}
	return filled(list), at + 8*n
}

// DoubleList reads a list or a set of doubles.
func (d *Decoder) DoubleList(off int) ([]float64, int) {
	n, at := d.ListHead(off, Double)
	list := raw.Numbers[float64](d.takePlain(n, 8, at))
	for i := range list {
		list[i] = math.Float64frombits(raw.Uint64(d.message, at+8*i))
	}
	return filled(list), at + 8*n
}

// I32List reads a list or a set of i32.
func (d *Decoder) I32List(off int) ([]int32, int) {
	n, at := d.ListHead(off, I32)
	list := raw.Numbers[int32](d.takePlain(n, 4, at))
	for i := range list {
		list[i] = int32(raw.Uint32(d.message, at+4*i))
	}
	return filled(list), at + 4*n
}

// I16List reads a list or a set of i16.
func (d *Decoder) I16List(off int) ([]int16, int) {
	n, at := d.ListHead(off, I16)
	list := raw.Numbers[int16](d.takePlain(n, 2, at))
	for i := range list {
		list[i] = int16(raw.Uint16(d.message, at+2*i))
	}
	return filled(list), at + 2*n
}

// I8List reads a list or a set of i8.
func (d *Decoder) I8List(off int) ([]int8, int) {
	n, at := d.ListHead(off, I8)
	list := raw.Numbers[int8](d.takePlain(n, 1, at))
	raw.Int8s(list, d.message, at)
	return filled(list), at + n
}

// BoolList reads a list or a set of bools.
func (d *Decoder) BoolList(off int) ([]bool, int) {
	n, at := d.ListHead(off, Bool)
	list := raw.Numbers[bool](d.takePlain(n, 1, at))
	for i := range list {
		list[i] = raw.Uint8(d.message, at+i) != 0
	}
	return filled(list), at + n
}

// TextList reads a list or a set of strings.
func (d *Decoder) TextList(off int) ([]string, int) {
	n, at := d.ListHead(off, String)
	list := d.takeTexts(n, at)
	for i := range list {
		list[i], at = d.TextElement(at)
	}
	return filled(list), at
}

// filled makes an empty list of a nil one: the list is in the message, even if it is empty.
func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Pair is an entry of a map with keys that Go cannot compare.
type Pair[K, V any] struct {
	Key   K
	Value V
}
