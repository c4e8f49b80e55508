package thrift

import "math/bits"

// rest is what a decoder remembers while a struct is read whose fields come in another order than that of its code, or
// that has fields its code does not know.
//
// Generated code asks for each field once, in the order of ids. Where another one stands, it asks for the rest: that reads
// the struct again from there, with the same code, as often as it takes. A field that stops it at once is unknown, and skipped.
type rest struct {
	// of is the struct that is read again; its own request for the rest ends a turn.
	of Reader
	// off and key are where the last turn ended, before 0 if at its stop.
	off int
	key uint32
	// seen has the required fields that were seen in all turns. more takes its place in structs with more of them than a word
	// has bits.
	seen uint64
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
	if d.depth >= 0 {
		return d.Key(off)
	}
	return d.fail(TooDeep, off)
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
		d.rest.off, d.rest.key = off, key
		d.rest.seen |= seen
		return off
	}
	outer := d.rest
	defer func() { d.rest = outer }()
	d.rest = rest{of: of, seen: seen}
	end, isWhole := d.turns(of, off, key)
	if isWhole || d.fault != 0 {
		return end
	}
	if d.rest.seen != required {
		d.missing(end, d.rest.seen, required)
	}
	return end + 1
}

// RestOfMany is Rest for a struct that has more required fields than a word has bits: several words, all but the last of 64.
//
//go:noinline
func (d *Decoder) RestOfMany(of Reader, off int, key uint32, seen, required []Seen) int {
	if d.rest.of == of {
		d.rest.off, d.rest.key = off, key
		for i, more := range seen {
			d.rest.more[i] |= more
		}
		return off
	}
	outer := d.rest
	defer func() { d.rest = outer }()
	d.rest = rest{of: of, more: append([]Seen(nil), seen...)}
	end, isWhole := d.turns(of, off, key)
	if isWhole || d.fault != 0 {
		return end
	}
	for i, seen := range d.rest.more {
		if absent := required[i] &^ seen; absent != 0 {
			d.missingNth(end, 64*i+bits.TrailingZeros64(absent))
			break
		}
	}
	return end + 1
}

// turns reads a struct again from off on, until it comes to its stop. Whole is one that has all that is required in its last
// turn alone; of any other the stop is still to be passed.
func (d *Decoder) turns(of Reader, off int, key uint32) (end int, isWhole bool) {
	for key>>16 != 0 && d.fault == 0 {
		d.rest.off = -1
		end := of.ReadThrift(d, off)
		if d.rest.off < 0 {
			return end, true
		}
		off, key = d.afterTurn(of, off, end)
	}
	return off, false
}

// afterTurn gives the offset and the key that the next turn begins with. A field that ended the turn at once is skipped.
func (d *Decoder) afterTurn(of Reader, off, end int) (int, uint32) {
	if d.rest.off != off {
		return end, d.rest.key
	}
	end = d.skipField(off, d.rest.key)
	if keeper, ok := of.(UnknownKeeper); ok {
		d.keep(keeper, off, end)
	}
	return end, d.Key(end)
}

// keep gives a field to a struct that keeps it. Most append it to those before, and a slice that grows by a quarter at a time has taken
// five times its length in the end.
func (d *Decoder) keep(keeper UnknownKeeper, off, end int) {
	if d.fault == 0 && d.allocate(end-off, 5, off) {
		keeper.KeepUnknown(d.message[off:end])
	}
}
