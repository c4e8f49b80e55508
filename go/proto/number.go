package proto

import (
	"encoding/binary"
	"math"
	"math/bits"

	"google.golang.org/protobuf/encoding/protowire"
)

// Uint64 reads a varint.
func (d *Decoder) Uint64(off int) (uint64, int) {
	if b := d.data; off < len(b) {
		c := b[off]
		if c < 0x80 {
			return uint64(c), off + 1
		}
		if off+1 < len(b) && b[off+1] < 0x80 {
			return uint64(c&0x7f) | uint64(b[off+1])<<7, off + 2
		}
	}
	return d.longUint64(off)
}

//go:noinline
func (d *Decoder) longUint64(off int) (uint64, int) {
	b := d.data
	if off <= len(b)-8 {
		word := binary.LittleEndian.Uint64(b[off:])
		if n := varintIn(word); n > 0 {
			return joined(word, n), off + n
		}
	}
	if off < len(b) {
		if v, n := protowire.ConsumeVarint(b[off:]); n > 0 {
			return v, off + n
		}
		if len(b)-off >= 10 {
			return 0, d.fail(Malformed, off)
		}
	}
	return 0, d.fail(Truncated, off)
}

// varintIn returns the number of bytes of the varint that 8 bytes begin with, the lowest byte first; 0 if the varint has more.
func varintIn(word uint64) int {
	ends := ^word & 0x8080808080808080
	if ends == 0 {
		return 0
	}
	return bits.TrailingZeros64(ends)/8 + 1
}

// joined returns the number of a varint of n bytes: it joins 7 bits of each.
func joined(word uint64, n int) uint64 {
	word &= 0x7f7f7f7f7f7f7f7f >> (64 - 8*n)
	word = word&0x007f007f007f007f | word&0x7f007f007f007f00>>1
	word = word&0x00003fff00003fff | word&0x3fff00003fff0000>>2
	return word&0x0fffffff | word&0x0fffffff00000000>>4
}

// Int32 reads an int32 or an enum.
func (d *Decoder) Int32(off int) (int32, int) {
	v, off := d.Uint64(off)
	return int32(v), off
}

// Int64 reads an int64.
func (d *Decoder) Int64(off int) (int64, int) {
	v, off := d.Uint64(off)
	return int64(v), off
}

// Uint32 reads a uint32.
func (d *Decoder) Uint32(off int) (uint32, int) {
	v, off := d.Uint64(off)
	return uint32(v), off
}

// Sint32 reads a sint32.
func (d *Decoder) Sint32(off int) (int32, int) {
	v, off := d.Uint64(off)
	return int32(protowire.DecodeZigZag(v & math.MaxUint32)), off
}

// Sint64 reads a sint64.
func (d *Decoder) Sint64(off int) (int64, int) {
	v, off := d.Uint64(off)
	return protowire.DecodeZigZag(v), off
}

// Bool reads a bool: every number but 0 is true.
func (d *Decoder) Bool(off int) (bool, int) {
	v, off := d.Uint64(off)
	return v != 0, off
}

// Fixed32 reads a fixed32.
func (d *Decoder) Fixed32(off int) (uint32, int) {
	if b := d.data; off <= len(b)-4 {
		return binary.LittleEndian.Uint32(b[off:]), off + 4
	}
	return 0, d.fail(Truncated, off)
}

// Fixed64 reads a fixed64.
func (d *Decoder) Fixed64(off int) (uint64, int) {
	if b := d.data; off <= len(b)-8 {
		return binary.LittleEndian.Uint64(b[off:]), off + 8
	}
	return 0, d.fail(Truncated, off)
}

// Sfixed32 reads an sfixed32.
func (d *Decoder) Sfixed32(off int) (int32, int) {
	v, off := d.Fixed32(off)
	return int32(v), off
}

// Sfixed64 reads an sfixed64.
func (d *Decoder) Sfixed64(off int) (int64, int) {
	v, off := d.Fixed64(off)
	return int64(v), off
}

// Float reads a float.
func (d *Decoder) Float(off int) (float32, int) {
	v, off := d.Fixed32(off)
	return math.Float32frombits(v), off
}

// Double reads a double.
func (d *Decoder) Double(off int) (float64, int) {
	v, off := d.Fixed64(off)
	return math.Float64frombits(v), off
}

// Enum reads an enum of its own type.
func Enum[E ~int32](d *Decoder, off int) (E, int) {
	v, off := d.Uint64(off)
	return E(v), off
}
