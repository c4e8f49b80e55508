package thrift

import (
	"math/bits"

	"hone/go/raw"
)

// MapHead reads the head of a map with keys and values of these types at off: how many pairs there are, and where the first one is.
// An empty one may claim any types.
func (d *Decoder) MapHead(off int, wantKey, wantValue Type) (n, at int) {
	key, value, n, at := d.mapHead(off)
	if key == wantKey && value == wantValue || n <= 0 {
		return n, at
	}
	d.fail(WrongType, off)
	return 0, off
}

// Pairs is a map for the n pairs of the map that begins at off.
func Pairs[K comparable, V any](d *Decoder, n, off int) map[K]V {
	if d.AllocatePairs(n, raw.SizeOf[K]()+raw.SizeOf[V](), off) {
		return make(map[K]V, n)
	}
	return map[K]V{}
}

// tableBytes is about what a map of n pairs takes: places in powers of two, of which seven in eight are used, with a byte for
// each (internal/runtime/maps of Go 1.24 and later).
func tableBytes(n, pair int) int {
	places := 8
	if n > 8 {
		places = 1 << bits.Len(uint(n*8/7))
	}
	return places * (pair + 1)
}

// TextMap reads a map of strings to strings.
func (d *Decoder) TextMap(off int) (map[string]string, int) {
	n, at := d.MapHead(off, String, String)
	texts := Pairs[string, string](d, n, off)
	for range n {
		var key, value string
		key, at = d.TextElement(at)
		value, at = d.TextElement(at)
		if d.Broken() {
			break
		}
		texts[key] = value
	}
	return texts, at
}
