package codec

import (
	"math"

	"hone/go/thrift"
)

// NewExtent implements [thrift.ExtentFinder].
func (p Compact) NewExtent() thrift.Extent { return &compactExtent{depth: p.deepest()} }

// Length implements [thrift.Protocol].
func (p Compact) Length(message []byte) (int, error) { return p.NewExtent().Length(message) }

// compactExtent goes through a message of the Compact protocol by a stack of its own, so that it can stop anywhere.
type compactExtent struct {
	// off is behind what has been looked at.
	off   int
	depth int
	// open are the values that off is in, the innermost last.
	open      []openValue
	hasHeader bool
}

// openValue is a struct, or values of a container that are still to come: count times these types in turn.
type openValue struct {
	isStruct bool
	kinds    [2]byte
	perTurn  int
	count    int
}

// fixedCompact is how many bytes an element of a type takes, where all take the same.
var fixedCompact = [16]int{compactTrue: 1, compactFalse: 1, compactI8: 1, compactDouble: 8, compactUUID: 16}

// Length implements [thrift.Extent].
func (e *compactExtent) Length(message []byte) (int, error) {
	isThere, fault := e.hasHeader, thrift.Fault(0)
	if !e.hasHeader {
		isThere, fault = e.header(message)
	}
	for isThere && len(e.open) > 0 {
		isThere, fault = e.next(message)
	}
	switch {
	case fault != 0:
		return 0, &thrift.HeaderError{Fault: fault}
	case !isThere:
		return 0, nil
	}
	return e.off, nil
}

// header goes behind a message's header.
func (e *compactExtent) header(message []byte) (isThere bool, fault thrift.Fault) {
	c := expander{in: message}
	c.header()
	switch {
	case c.fault.Cause() == thrift.Truncated:
		return false, 0
	case c.fault != 0:
		return false, c.fault
	}
	e.off, e.hasHeader = c.off, true
	e.open = append(e.open, openValue{isStruct: true})
	return true, 0
}

// next takes one step: a field, a value, or as many values as are there of those that all take the same bytes.
func (e *compactExtent) next(message []byte) (isThere bool, fault thrift.Fault) {
	top := &e.open[len(e.open)-1]
	if top.isStruct {
		return e.field(message)
	}
	if top.count == 0 {
		e.open = e.open[:len(e.open)-1]
		return true, 0
	}
	if size := top.turnBytes(); size > 0 {
		turns := min(top.count/top.perTurn, (len(message)-e.off)/size)
		e.off += turns * size
		top.count -= turns * top.perTurn
		return turns > 0, 0
	}
	// The count goes down, so that an even one is before a map's key.
	kind, at := top.kinds[top.count%top.perTurn], len(e.open)-1
	if isThere, fault = e.value(message, kind, e.off); isThere {
		e.open[at].count--
	}
	return isThere, fault
}

// turnBytes is how many bytes one turn of values takes, or 0 if that differs.
func (v *openValue) turnBytes() int {
	size := 0
	for _, kind := range v.kinds[:v.perTurn] {
		if fixedCompact[kind] == 0 {
			return 0
		}
		size += fixedCompact[kind]
	}
	return size
}

func (e *compactExtent) field(message []byte) (isThere bool, fault thrift.Fault) {
	if e.off >= len(message) {
		return false, 0
	}
	head, off := message[e.off], e.off+1
	kind := head & 0x0f
	if kind == 0 {
		e.off = off
		e.open = e.open[:len(e.open)-1]
		return true, 0
	}
	if head>>4 == 0 {
		if _, off, fault = varintAt(message, off, 5); off == 0 {
			return false, fault
		}
	}
	if kind == compactTrue || kind == compactFalse {
		return e.move(message, off), 0
	}
	return e.value(message, kind, off)
}

// value goes behind a value at off, or into it.
func (e *compactExtent) value(message []byte, kind byte, off int) (isThere bool, fault thrift.Fault) {
	switch kind {
	case compactI16, compactI32:
		return e.number(message, off, 5)
	case compactI64:
		return e.number(message, off, 10)
	case compactBinary:
		n, end, fault := lengthAt(message, off)
		return end > 0 && e.move(message, end+n), fault
	case compactStruct, compactList, compactSet, compactMap:
		if len(e.open) >= e.depth {
			return false, thrift.NewFault(thrift.TooDeep, off)
		}
		return e.into(message, kind, off)
	}
	if fixedCompact[kind] == 0 {
		return false, thrift.NewFault(thrift.UnknownType, off)
	}
	return e.move(message, off+fixedCompact[kind]), 0
}

// move goes to an offset, if the message is that long.
func (e *compactExtent) move(message []byte, off int) bool {
	if off > len(message) {
		return false
	}
	e.off = off
	return true
}

func (e *compactExtent) number(message []byte, off, most int) (isThere bool, fault thrift.Fault) {
	_, end, fault := varintAt(message, off, most)
	return end > 0 && e.move(message, end), fault
}

// into goes into a struct or a container at off.
func (e *compactExtent) into(message []byte, kind byte, off int) (isThere bool, fault thrift.Fault) {
	values, end := openValue{isStruct: true}, off
	switch kind {
	case compactMap:
		values, end, fault = mapAt(message, off)
	case compactList, compactSet:
		values, end, fault = listAt(message, off)
	}
	if fault != 0 || end > len(message) || !values.isStruct && end == 0 {
		return false, fault
	}
	for _, of := range values.kinds[:values.perTurn] {
		if values.count > 0 && leastCompact[of] == 0 {
			return false, thrift.NewFault(thrift.UnknownType, off)
		}
	}
	e.off = end
	e.open = append(e.open, values)
	return true, 0
}

// listAt is a list at an offset, and the offset of its elements; 0 if they are not there yet.
func listAt(message []byte, off int) (openValue, int, thrift.Fault) {
	if off >= len(message) {
		return openValue{}, 0, 0
	}
	values := openValue{kinds: [2]byte{message[off] & 0x0f}, perTurn: 1, count: int(message[off] >> 4)}
	if values.count < 15 {
		return values, off + 1, 0
	}
	n, end, fault := lengthAt(message, off+1)
	values.count = n
	return values, end, fault
}

// mapAt is a map at an offset, and the offset of its entries; 0 if they are not there yet.
func mapAt(message []byte, off int) (openValue, int, thrift.Fault) {
	n, end, fault := lengthAt(message, off)
	values := openValue{perTurn: 2, count: 2 * n}
	if n == 0 || fault != 0 {
		return values, end, fault
	}
	if n > math.MaxInt32/2 {
		return values, 0, thrift.NewFault(thrift.TooLarge, off)
	}
	if end >= len(message) {
		return values, 0, 0
	}
	values.kinds = [2]byte{message[end] >> 4, message[end] & 0x0f}
	return values, end + 1, 0
}

// varintAt is a number at an offset, and the offset behind it; 0 if it is not there yet, or wrong.
func varintAt(message []byte, off, most int) (uint64, int, thrift.Fault) {
	c := expander{in: message, off: min(off, len(message))}
	value := c.varint(most)
	switch {
	case c.fault.Cause() == thrift.Truncated:
		return 0, 0, 0
	case c.fault != 0:
		return 0, 0, c.fault
	}
	return value, c.off, 0
}

// lengthAt is a length or a count at an offset, and the offset behind it; 0 if it is not there yet, or wrong.
func lengthAt(message []byte, off int) (int, int, thrift.Fault) {
	value, end, fault := varintAt(message, off, 5)
	if int32(value) < 0 {
		return 0, 0, thrift.NewFault(thrift.Negative, off)
	}
	return int(int32(value)), end, fault
}
