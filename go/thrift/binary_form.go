package thrift

import (
	"math"

	"hone/go/raw"
)

// NewExtent implements [Protocol].
func (p Binary) NewExtent() *Extent {
	return NewExtent(binaryForm{}, p.Options.LimitsInForce().Nesting())
}

// Length returns the number of bytes of the message that the given bytes begin with; 0 if the message is not complete yet.
//
// # Errors
//
// A [HeaderError].
func (p Binary) Length(message []byte) (int, error) { return p.NewExtent().Length(message) }

// binaryForm is the [Form] of the Binary protocol.
type binaryForm struct{}

// Header finds the end of a message's header, with a version or without.
func (binaryForm) Header(message []byte) (end int, fault Fault) {
	if len(message) < 4 {
		return 0, 0
	}
	first, nameAt, extra := raw.Uint32(message, 0), 4, 4
	switch {
	case first <= maxNameBytes && first > 0:
		nameAt, extra = 0, 5
	case first&versionMask != version1:
		return 0, NewFault(WrongVersion, 0)
	}
	length, end, fault := lengthAt(message, nameAt)
	switch {
	case length > maxNameBytes:
		return 0, NewFault(WrongVersion, 0)
	case fault != 0 || end == 0:
		return 0, fault
	}
	return end + length + extra, 0
}

func (binaryForm) Field(message []byte, off int) (of byte, end int, fault Fault) {
	if message[off] == byte(Stop) {
		return 0, off + 1, 0
	}
	return message[off], off + 3, 0
}

func (binaryForm) Fixed(of byte) int { return int(fixed[of]) }

func (binaryForm) Value(message []byte, of byte, off int) (inside Inside, end int, fault Fault) {
	switch Type(of) {
	case String:
		length, end, fault := lengthAt(message, off)
		if end == 0 {
			return inside, 0, fault
		}
		return inside, end + length, 0
	case Struct:
		return Inside{IsStruct: true}, off, 0
	case List, Set:
		return container(message, off, 1)
	case Map:
		return container(message, off, 2)
	}
	return inside, 0, NewFault(UnknownType, off)
}

// container reads the head of a list, a set or a map at off.
func container(message []byte, off, perTurn int) (inside Inside, end int, fault Fault) {
	count, end, fault := lengthAt(message, off+perTurn)
	if end == 0 {
		return inside, 0, fault
	}
	if count > math.MaxInt32/perTurn {
		return inside, 0, NewFault(TooLarge, off)
	}
	inside = Inside{PerTurn: perTurn, Count: count * perTurn}
	for i := range perTurn {
		inside.Types[i] = message[off+i]
		if count > 0 && least[inside.Types[i]] == 0 {
			return inside, 0, NewFault(UnknownType, off)
		}
	}
	return inside, end, 0
}

// lengthAt reads a length or a count at off, and returns it with the offset behind it: 0 if it is not there yet, or wrong.
func lengthAt(message []byte, off int) (length, end int, fault Fault) {
	if off+4 > len(message) {
		return 0, 0, 0
	}
	length = int(int32(raw.Uint32(message, off)))
	if length < 0 {
		return 0, 0, NewFault(Negative, off)
	}
	return length, off + 4, 0
}
