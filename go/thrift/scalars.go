package thrift

import (
	"math"

	"hone/go/raw"
)

// Each method of this file has two parts. The first part serves all fields but the last ones of the message: one check says that
// the message holds the field and the key behind it. The second part checks them one after the other; it is a function of its own,
// so that the first part stays short. The usual case is written first: the compiler puts the first of two branches that both return
// first.

// I64 reads a field that is an i64.
func (d *Decoder) I64(off int) (int64, int, uint32) {
	if off+15 <= len(d.message) {
		return int64(raw.Uint64(d.message, off+3)), off + 11, raw.Uint32(d.message, off+11) >> 8
	}
	return d.lastI64(off)
}

//go:noinline
func (d *Decoder) lastI64(off int) (int64, int, uint32) {
	if off+11 <= len(d.message) {
		return int64(raw.Uint64(d.message, off+3)), off + 11, d.Key(off + 11)
	}
	return 0, off, d.fail(Truncated, off)
}

// Double reads a field that is a double.
func (d *Decoder) Double(off int) (float64, int, uint32) {
	bits, off, key := d.I64(off)
	return math.Float64frombits(uint64(bits)), off, key
}

// I32 reads a field that is an i32.
func (d *Decoder) I32(off int) (int32, int, uint32) {
	if off+11 <= len(d.message) {
		return int32(raw.Uint32(d.message, off+3)), off + 7, raw.Uint32(d.message, off+7) >> 8
	}
	return d.lastI32(off)
}

//go:noinline
func (d *Decoder) lastI32(off int) (int32, int, uint32) {
	if off+7 <= len(d.message) {
		return int32(raw.Uint32(d.message, off+3)), off + 7, d.Key(off + 7)
	}
	return 0, off, d.fail(Truncated, off)
}

// I16 reads a field that is an i16.
func (d *Decoder) I16(off int) (int16, int, uint32) {
	if off+9 <= len(d.message) {
		return int16(raw.Uint16(d.message, off+3)), off + 5, raw.Uint32(d.message, off+5) >> 8
	}
	return d.lastI16(off)
}

//go:noinline
func (d *Decoder) lastI16(off int) (int16, int, uint32) {
	if off+5 <= len(d.message) {
		return int16(raw.Uint16(d.message, off+3)), off + 5, d.Key(off + 5)
	}
	return 0, off, d.fail(Truncated, off)
}

// I8 reads a field that is an i8.
func (d *Decoder) I8(off int) (int8, int, uint32) {
	if off+8 <= len(d.message) {
		return int8(raw.Uint8(d.message, off+3)), off + 4, raw.Uint32(d.message, off+4) >> 8
	}
	return d.lastI8(off)
}

//go:noinline
func (d *Decoder) lastI8(off int) (int8, int, uint32) {
	if off+4 <= len(d.message) {
		return int8(raw.Uint8(d.message, off+3)), off + 4, d.Key(off + 4)
	}
	return 0, off, d.fail(Truncated, off)
}

// Bool reads a field that is a bool. A byte that is neither 0 nor 1 is true, as in Apache Thrift for C++.
func (d *Decoder) Bool(off int) (bool, int, uint32) {
	value, off, key := d.I8(off)
	return value != 0, off, key
}
