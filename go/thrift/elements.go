package thrift

import (
	"math"

	"hone/go/raw"
)

// The methods of this file read elements of containers. The value of the element is at off. They return the offset behind it.

// I64Element reads an i64.
func (d *Decoder) I64Element(off int) (int64, int) {
	if off+8 <= len(d.message) {
		return int64(raw.Uint64(d.message, off)), off + 8
	}
	return 0, d.lastElement(off)
}

// DoubleElement reads a double.
func (d *Decoder) DoubleElement(off int) (float64, int) {
	if off+8 <= len(d.message) {
		return math.Float64frombits(raw.Uint64(d.message, off)), off + 8
	}
	return 0, d.lastElement(off)
}

// I32Element reads an i32.
func (d *Decoder) I32Element(off int) (int32, int) {
	if off+4 <= len(d.message) {
		return int32(raw.Uint32(d.message, off)), off + 4
	}
	return 0, d.lastElement(off)
}

// I16Element reads an i16.
func (d *Decoder) I16Element(off int) (int16, int) {
	if off+2 <= len(d.message) {
		return int16(raw.Uint16(d.message, off)), off + 2
	}
	return 0, d.lastElement(off)
}

// I8Element reads an i8.
func (d *Decoder) I8Element(off int) (int8, int) {
	if off+1 <= len(d.message) {
		return int8(raw.Uint8(d.message, off)), off + 1
	}
	return 0, d.lastElement(off)
}

// BoolElement reads a bool.
func (d *Decoder) BoolElement(off int) (bool, int) {
	value, off := d.I8Element(off)
	return value != 0, off
}

//go:noinline
func (d *Decoder) lastElement(off int) int {
	d.fail(Truncated, off)
	return off
}
