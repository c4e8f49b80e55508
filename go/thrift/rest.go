package thrift

import "math/bits"

// rest is what a decoder remembers while a struct is read whose fields come in another order than that of its code, or
// that has fields its code does not know.
//
// Generated code asks for each field once, in the order of the IDL. Where another one stands, it asks for the rest: that reads
// the struct again from there, with the same code, as often as it takes. A field that stops it at once is unknown, and skipped.
type rest struct {
	// of is the struct that is read again; its own request for the rest ends a turn.
	of Reader
	// off, key and seen are where that turn ended, and the required fields that it has seen.
	off  int
	key  uint32
	seen uint64
	// more takes the place of seen in structs with more required fields than a word has bits.
	more []Seen
}

// Seen has a bit for each required field of a struct that has been read.
type Seen = uint64

// UnknownKeeper is a struct that keeps fields its code does not know.
type UnknownKeeper interface {
	// KeepUnknown takes a field with its header. The bytes are the message's.
	KeepUnknown(field []byte)
}

// Enter is Key for the first field of a struct that may contain itself: one more that lies in others.
func (d *Decoder) Enter(off int) uint32 {
	d.depth--
	if d.depth < 0 {
		return d.fail(TooDeep, off)
	}
	return d.Key(off)
}

// Leave ends a struct that may contain itself, and gives the offset behind it.
func (d *Decoder) Leave(off int) int {
	d.depth++
	return off
}

// Rest reads what is left of a struct, whose code met the key of another field than it asked for, or its stop without all
// of its required fields. Bits of seen and required stand for these. It gives the offset behind the struct.
//
//go:noinline
func (d *Decoder) Rest(of Reader, off int, key uint32, seen, required uint64) int {
	if d.rest.of == of {
		d.rest.off, d.rest.key, d.rest.seen = off, key, seen
		return off
	}
	outer := d.rest
	defer func() { d.rest = outer }()
	for key>>16 != 0 && d.fault == 0 {
		end, isWhole := d.turn(of, off)
		if isWhole {
			return end
		}
		seen |= d.rest.seen
		off, key = d.afterTurn(of, off, end, key)
	}
	switch {
	case d.fault != 0:
		return off
	case seen != required:
		d.missing(off, seen, required)
	}
	return off + 1
}

// turn reads a struct again from off on. Whole is one that came to its stop, and has all that is required in this turn alone.
func (d *Decoder) turn(of Reader, off int) (end int, isWhole bool) {
	d.rest = rest{of: of, off: -1, more: d.rest.more[:0]}
	end = of.ReadThrift(d, off)
	return end, d.rest.off < 0
}

// afterTurn gives the offset and the key that the next turn begins with. A field that ended the turn at once is skipped.
func (d *Decoder) afterTurn(of Reader, off, end int, key uint32) (int, uint32) {
	if d.rest.off != off {
		return end, d.rest.key
	}
	end = d.skipField(off, key)
	if keeper, ok := of.(UnknownKeeper); ok && d.fault == 0 {
		keeper.KeepUnknown(d.message[off:end])
	}
	return end, d.Key(end)
}

// RestOfMany is Rest for a struct that has more required fields than a word has bits: several words, all but the last of 64.
// seen is changed.
//
//go:noinline
func (d *Decoder) RestOfMany(of Reader, off int, key uint32, seen, required []Seen) int {
	if d.rest.of == of {
		d.rest.off, d.rest.key = off, key
		d.rest.more = append(d.rest.more[:0], seen...)
		return off
	}
	outer := d.rest
	defer func() { d.rest = outer }()
	d.rest.more = nil
	for key>>16 != 0 && d.fault == 0 {
		end, isWhole := d.turn(of, off)
		if isWhole {
			return end
		}
		for i, more := range d.rest.more {
			seen[i] |= more
		}
		off, key = d.afterTurn(of, off, end, key)
	}
	if d.fault != 0 {
		return off
	}
	for i := range seen {
		if absent := required[i] &^ seen[i]; absent != 0 {
			d.missingNth(off, 64*i+bits.TrailingZeros64(absent))
			break
		}
	}
	return off + 1
}
