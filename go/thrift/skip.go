package thrift

import "hone/go/raw"

// skipField returns the offset behind a field that the struct does not have.
func (d *Decoder) skipField(off int, key uint32) int {
	return d.skip(Type(key>>16), off+3, d.depth)
}

// skip returns the offset behind a value, inside which values may be nested depth deep.
func (d *Decoder) skip(t Type, off, depth int) int {
	if n := int(fixed[t]); n > 0 {
		return d.skipBytes(n, off)
	}
	if depth == 0 {
		d.fail(TooDeep, off)
		return off
	}
	switch t {
	case String:
		n, at := d.length(off)
		return at + n
	case Struct:
		key := d.Key(off)
		for ; key>>16 != 0 && key != broken; key = d.Key(off) {
			off = d.skip(Type(key>>16), off+3, depth-1)
		}
		return off + 1
	case List, Set:
		element, n, off := d.listHead(off)
		return d.skipAll(n, off, depth-1, element)
	case Map:
		key, value, n, off := d.mapHead(off)
		return d.skipAll(n, off, depth-1, key, value)
	}
	d.fail(UnknownType, off)
	return off
}

func (d *Decoder) skipBytes(n, off int) int {
	if n <= len(d.message)-off {
		return off + n
	}
	d.fail(Truncated, off)
	return off
}

// skipAll skips n turns of values of these types, one after the other.
func (d *Decoder) skipAll(n, off, depth int, types ...Type) int {
	bytes := 0
	for _, t := range types {
		if fixed[t] == 0 {
			bytes = -1
			break
		}
		bytes += int(fixed[t])
	}
	if bytes > 0 {
		return d.skipBytes(n*bytes, off)
	}
	for range n {
		for _, t := range types {
			off = d.skip(t, off, depth)
		}
		if d.fault != 0 {
			break
		}
	}
	return off
}

// listHead reads the type of the elements of a list or a set, and their number. The rest of the message has room for that many
// elements, or the head is refused.
func (d *Decoder) listHead(off int) (element Type, n, at int) {
	if off+5 <= len(d.message) {
		element, n = Type(raw.Uint8(d.message, off)), int(int32(raw.Uint32(d.message, off+1)))
		at = off + 5
		return element, d.count(n, at, int(least[element]), least[element] > 0), at
	}
	d.fail(Truncated, off)
	return 0, 0, off
}

// mapHead reads the types of a map's keys and values, and the number of pairs.
func (d *Decoder) mapHead(off int) (key, value Type, n, at int) {
	if off+6 <= len(d.message) {
		key, value = Type(raw.Uint8(d.message, off)), Type(raw.Uint8(d.message, off+1))
		n, at = int(int32(raw.Uint32(d.message, off+2))), off+6
		areKnown := least[key] > 0 && least[value] > 0
		return key, value, d.count(n, at, int(least[key])+int(least[value]), areKnown), at
	}
	d.fail(Truncated, off)
	return 0, 0, 0, off
}

// count returns n, if the rest of the message has room for so many elements of at least so many bytes.
func (d *Decoder) count(n, at, least int, areKnown bool) int {
	// A negative n is huge as an unsigned number, also in the product, and no product is too large for 64 bits.
	if areKnown && uint64(n)*uint64(least) <= uint64(len(d.message)-at) {
		return n
	}
	d.noCount(n, at, areKnown)
	return 0
}

// noCount records what is wrong with a count. An unknown type without elements is not wrong.
//
//go:noinline
func (d *Decoder) noCount(n, at int, areKnown bool) {
	switch {
	case n == 0:
	case n < 0:
		d.fail(Negative, at-4)
	case !areKnown:
		d.fail(UnknownType, at-4)
	default:
		d.fail(Truncated, at-4)
	}
}
