package thrift

import "hone/go/raw"

// Extent finds where a message ends that comes in parts. No byte is looked at twice, however many parts there are.
type Extent interface {
	// Length is how many bytes the message takes that these begin with, 0 if it is not there as a whole yet. The bytes are
	// those of the call before, and more.
	Length(message []byte) (int, error)
}

// ExtentFinder is a [Protocol] whose messages need not be looked through again for each part of them that comes.
type ExtentFinder interface {
	// NewExtent is for one message.
	NewExtent() Extent
}

// NewExtent implements [ExtentFinder].
func (p Binary) NewExtent() Extent {
	limits := p.Options.Limits
	if limits == (Limits{}) {
		limits = DefaultLimits
	}
	return &binaryExtent{depth: limits.Depth}
}

// binaryExtent goes through a message of the Binary protocol by a stack of its own, so that it can stop anywhere.
type binaryExtent struct {
	// off is behind what has been looked at.
	off   int
	depth int
	// open are the values that off is in, the innermost last.
	open []openValue
	// hasHeader is whether the message's header has been looked at.
	hasHeader bool
}

// openValue is a struct, or values of a container that are still to come: count times these types in turn.
type openValue struct {
	isStruct bool
	types    [2]Type
	perTurn  int
	count    int
}

// Length implements [Extent].
func (e *binaryExtent) Length(message []byte) (int, error) {
	if !e.hasHeader {
		if isThere, fault := e.header(message); !isThere || fault != 0 {
			return 0, headerError(fault)
		}
	}
	for len(e.open) > 0 {
		if isThere, fault := e.next(message); !isThere || fault != 0 {
			return 0, headerError(fault)
		}
	}
	return e.off, nil
}

func headerError(fault Fault) error {
	if fault == 0 {
		return nil
	}
	return &HeaderError{fault}
}

// header goes behind a message's header, with a version or without.
func (e *binaryExtent) header(message []byte) (isThere bool, fault Fault) {
	if len(message) < 4 {
		return false, 0
	}
	first, nameAt, extra := raw.Uint32(message, 0), 4, 4
	switch {
	case first <= maxNameBytes && first > 0:
		nameAt, extra = 0, 5
	case first&versionMask != version1:
		return false, newFault(WrongVersion, 0)
	}
	if len(message) < nameAt+4 {
		return false, 0
	}
	length, fault := lengthAt(message, nameAt)
	if length > maxNameBytes {
		return false, newFault(WrongVersion, 0)
	}
	if fault != 0 || !e.move(message, nameAt+4+length+extra) {
		return false, fault
	}
	e.hasHeader = true
	e.open = append(e.open, openValue{isStruct: true})
	return true, 0
}

// next takes one step: a field, a value, or as many values as are there of those that all take the same bytes.
func (e *binaryExtent) next(message []byte) (isThere bool, fault Fault) {
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
	kind := top.types[top.count%top.perTurn]
	at := len(e.open) - 1
	isThere, fault = e.value(message, kind, e.off)
	if isThere {
		e.open[at].count--
	}
	return isThere, fault
}

// turnBytes is how many bytes one turn of values takes, or 0 if that differs.
func (v *openValue) turnBytes() int {
	size := 0
	for _, kind := range v.types[:v.perTurn] {
		if fixed[kind] == 0 {
			return 0
		}
		size += int(fixed[kind])
	}
	return size
}

func (e *binaryExtent) field(message []byte) (isThere bool, fault Fault) {
	if e.off >= len(message) {
		return false, 0
	}
	kind := Type(message[e.off])
	if kind == Stop {
		e.off++
		e.open = e.open[:len(e.open)-1]
		return true, 0
	}
	return e.value(message, kind, e.off+3)
}

// value goes behind a value at off, or into it.
func (e *binaryExtent) value(message []byte, kind Type, off int) (isThere bool, fault Fault) {
	switch {
	case fixed[kind] > 0:
		return e.move(message, off+int(fixed[kind])), 0
	case least[kind] == 0:
		return false, newFault(UnknownType, off)
	case kind == String:
		n, fault := lengthAt(message, off)
		return n >= 0 && fault == 0 && e.move(message, off+4+n), fault
	case len(e.open) >= e.depth:
		return false, newFault(TooDeep, off)
	case kind == Struct:
		e.off = off
		e.open = append(e.open, openValue{isStruct: true})
		return true, 0
	}
	return e.container(message, kind, off)
}

// move goes to an offset, if the message is that long.
func (e *binaryExtent) move(message []byte, off int) bool {
	if off > len(message) {
		return false
	}
	e.off = off
	return true
}

// lengthAt is a length or a count, or -1 if it is not there yet.
func lengthAt(message []byte, off int) (int, Fault) {
	if off+4 > len(message) {
		return -1, 0
	}
	n := int(int32(raw.Uint32(message, off)))
	if n < 0 {
		return n, newFault(Negative, off)
	}
	return n, 0
}

// container goes into a list, a set or a map, whose head is at off.
func (e *binaryExtent) container(message []byte, kind Type, off int) (isThere bool, fault Fault) {
	perTurn := 1
	if kind == Map {
		perTurn = 2
	}
	n, fault := lengthAt(message, off+perTurn)
	if n < 0 {
		return false, fault
	}
	values := openValue{perTurn: perTurn, count: n * perTurn}
	for i := range perTurn {
		values.types[i] = Type(message[off+i])
		if n > 0 && least[values.types[i]] == 0 {
			return false, newFault(UnknownType, off)
		}
	}
	e.off = off + perTurn + 4
	e.open = append(e.open, values)
	return true, 0
}
