package thrift

import "math/bits"

// rest is the state of a decoder that reads a struct with fields in another order than its code has, or with fields that its code
// does not know.
//
// Generated code asks for each field once, in the order of ids. Where it meets another field, it asks for the rest: Rest reads the
// struct again from that field on, with the same code, as often as needed. A field that stops that code at once is unknown, and
// Rest skips it.
type rest struct {
	// of is the struct that is read again. Where its code asks for the rest in turn, one turn ends.
	of Reader
	// off and key say where the last turn ended; off is -1 if the turn ended at the stop.
	off int
	key uint32
	// seen has a bit for each required field that was seen in any turn. more takes its place in structs with more required fields than
	// a word has bits.
	seen uint64
	more []Seen
}

// Seen has a bit for each required field of a struct; it is set once the field has been read.
type Seen = uint64

// UnknownKeeper is a struct that keeps the fields that its code does not know.
type UnknownKeeper interface {
	// KeepUnknown takes a field with its header. The bytes are part of the message.
	KeepUnknown(field []byte)
}

// Enter is Key for the first field of a struct that may contain itself. It counts one more struct that lies in others.
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

// Rest reads the rest of a struct. Generated code calls it when it meets the key of another field than it asked for, or the stop
// without all of the required fields. seen and required have a bit for each of these. Rest returns the offset behind the struct.
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

// RestOfMany is Rest for a struct that has more required fields than a word has bits: seen and required are several words of 64
// bits, of which the last may use fewer.
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

// turns reads a struct again from off on, until it comes to the stop. isWhole says that the last turn alone found all required
// fields, and passed the stop; otherwise the caller still has to pass the stop.
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

// afterTurn returns the offset and the key that the next turn begins with. It skips a field that ended the turn at once.
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

// keep gives a field to a struct that keeps unknown fields. It counts five times the field's length: most structs append the field
// to those before, and a slice that grows by a quarter at a time has taken five times its length in the end.
func (d *Decoder) keep(keeper UnknownKeeper, off, end int) {
	if d.fault == 0 && d.allocate(end-off, 5, off) {
		keeper.KeepUnknown(d.message[off:end])
	}
}
