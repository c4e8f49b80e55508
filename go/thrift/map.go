package thrift

import (
	"math/bits"

	"hone/go/raw"
)

// MapHead reads the head of a map at off, with keys and values of these types. It returns the number of pairs and the offset of the
// first one. An empty map may claim any types.
func (d *Decoder) MapHead(off int, wantKey, wantValue Type) (n, at int) {
	if off+6 <= len(d.message) && raw.Uint16(d.message, off) == uint16(wantKey)<<8|uint16(wantValue) {
		n, at = int(int32(raw.Uint32(d.message, off+2))), off+6
		// A negative n is huge as an unsigned number, also in the product, and no product is too large for 64 bits.
		if uint64(n)*uint64(least[wantKey]+least[wantValue]) <= uint64(len(d.message)-at) {
			return n, at
		}
	}
	return d.otherMapHead(off, wantKey, wantValue)
}

// otherMapHead is MapHead for a head that is empty, or wrong.
//
//go:noinline
func (d *Decoder) otherMapHead(off int, wantKey, wantValue Type) (n, at int) {
	key, value, n, at := d.mapHead(off)
	if key == wantKey && value == wantValue || n <= 0 {
		return n, at
	}
	d.fail(WrongType, off)
	return 0, off
}

// Pairs allocates a map for the n pairs of the map that begins at off.
//
//go:noinline
func Pairs[K comparable, V any](d *Decoder, n, off int) map[K]V {
	if d.AllocatePairs(n, raw.SizeOf[K](), raw.SizeOf[V](), off) {
		return make(map[K]V, n)
	}
	return map[K]V{}
}

// mapBytes is the memory of a map besides its places, rounded up as Go's allocator does.
const mapBytes = 64

// pairBytes returns the bytes that a key and a value of these sizes take beside each other, with the gaps that align the key, the
// value and the next pair. It takes the alignment to be the largest power of two that divides the size, up to 8.
func pairBytes(key, value int) int {
	ofValue := max(1, min(value&-value, 8))
	ofBoth := max(ofValue, min(key&-key, 8))
	return upTo(upTo(key, ofValue)+value, ofBoth)
}

// upTo returns a size rounded up to a multiple of a power of two.
func upTo(bytes, power int) int { return (bytes + power - 1) &^ (power - 1) }

// mapPlaces returns about how many places for pairs a map of n pairs has; each takes a byte besides (internal/runtime/maps of Go
// 1.24 and later). There are none for an empty map, or 8, or a power of two of which seven in eight are used. Where a map has more
// places than one table, some tables are split in two before all are full.
func mapPlaces(n int) int {
	switch {
	case n == 0:
		return 0
	case n <= 8:
		return 8
	case n <= 896:
		return 1 << bits.Len(uint(n*8/7-1))
	}
	return 1 << bits.Len(uint(n+n/4))
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
