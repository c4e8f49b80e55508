package codec

import (
	"math"

	"hone/go/thrift"
)

// NewExtent implements [thrift.Protocol].
func (p Compact) NewExtent() *thrift.Extent {
	return thrift.NewExtent(compactForm{}, p.Options.LimitsInForce().Nesting())
}

// Length returns the number of bytes of the message that the given bytes begin with; 0 if the message is not complete yet.
//
// # Errors
//
// A [thrift.HeaderError].
func (p Compact) Length(message []byte) (int, error) { return p.NewExtent().Length(message) }

// compactForm is the [thrift.Form] of the Compact protocol.
type compactForm struct{}

// fixedCompact is the number of bytes of an element of a type, where all elements of the type take the same; 0 elsewhere.
var fixedCompact = [256]int8{compactTrue: 1, compactFalse: 1, compactI8: 1, compactDouble: 8, compactUUID: 16}

func (compactForm) Fixed(of byte) int { return int(fixedCompact[of]) }

func (compactForm) Header(message []byte) (end int, fault thrift.Fault) {
	c := expander{in: message}
	c.header()
	return c.behind()
}

// Field reads the head of a field. A bool is part of the head: its one byte is the head's last.
func (compactForm) Field(message []byte, off int) (of byte, end int, fault thrift.Fault) {
	head, end := message[off], off+1
	of = head & 0x0f
	if of != 0 && head>>4 == 0 {
		if _, end, fault = varintAt(message, end, 5); end == 0 {
			return of, 0, fault
		}
	}
	if of == compactTrue || of == compactFalse {
		end--
	}
	return of, end, 0
}

func (compactForm) Value(message []byte, of byte, off int) (inside thrift.Inside, end int, fault thrift.Fault) {
	switch of {
	case compactI16, compactI32:
		_, end, fault = varintAt(message, off, 5)
		return inside, end, fault
	case compactI64:
		_, end, fault = varintAt(message, off, 10)
		return inside, end, fault
	case compactBinary:
		length, end, fault := lengthAt(message, off)
		if end == 0 {
			return inside, 0, fault
		}
		return inside, end + length, 0
	case compactStruct:
		return thrift.Inside{IsStruct: true}, off, 0
	case compactList, compactSet:
		inside, end, fault = listAt(message, off)
	case compactMap:
		inside, end, fault = mapAt(message, off)
	default:
		return inside, 0, thrift.NewFault(thrift.UnknownType, off)
	}
	for _, kind := range inside.Types[:inside.PerTurn] {
		if end > 0 && inside.Count > 0 && leastCompact[kind] == 0 {
			return inside, 0, thrift.NewFault(thrift.UnknownType, off)
		}
	}
	return inside, end, fault
}

// listAt reads the head of a list at an offset, and returns the offset of the list's elements; 0 if the head is not complete yet.
func listAt(message []byte, off int) (thrift.Inside, int, thrift.Fault) {
	if off >= len(message) {
		return thrift.Inside{}, 0, 0
	}
	values := thrift.Inside{Types: [2]byte{message[off] & 0x0f}, PerTurn: 1, Count: int(message[off] >> 4)}
	if values.Count < 15 {
		return values, off + 1, 0
	}
	n, end, fault := lengthAt(message, off+1)
	values.Count = n
	return values, end, fault
}

// mapAt reads the head of a map at an offset, and returns the offset of the map's entries; 0 if the head is not complete yet.
func mapAt(message []byte, off int) (thrift.Inside, int, thrift.Fault) {
	n, end, fault := lengthAt(message, off)
	values := thrift.Inside{PerTurn: 2, Count: 2 * n}
	switch {
	case n == 0 || fault != 0:
		return values, end, fault
	case n > math.MaxInt32/2:
		return values, 0, thrift.NewFault(thrift.TooLarge, off)
	case end >= len(message):
		return values, 0, 0
	}
	values.Types = [2]byte{message[end] >> 4, message[end] & 0x0f}
	return values, end + 1, 0
}

// varintAt reads a number at an offset, and returns the offset behind it; 0 if the number is not complete yet, or wrong.
func varintAt(message []byte, off, most int) (value uint64, end int, fault thrift.Fault) {
	c := expander{in: message, off: min(off, len(message))}
	value = c.varint(most)
	end, fault = c.behind()
	return value, end, fault
}

// behind returns the offset behind all that has been read; 0 if that is not complete yet, or wrong.
func (c *expander) behind() (end int, fault thrift.Fault) {
	switch {
	case c.fault.Cause() == thrift.Truncated:
		return 0, 0
	case c.fault != 0:
		return 0, c.fault
	}
	return c.off, 0
}

// lengthAt reads a length or a count at an offset, and returns the offset behind it; 0 if it is not complete yet, or wrong.
func lengthAt(message []byte, off int) (length, end int, fault thrift.Fault) {
	value, end, fault := varintAt(message, off, 5)
	if int32(value) < 0 {
		return 0, 0, thrift.NewFault(thrift.Negative, off)
	}
	return int(int32(value)), end, fault
}
