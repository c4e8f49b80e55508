package thrift

import (
	"io"
	"strconv"
)

// Fault says what is wrong with a message and where: the cause in the lowest 8 bits, the offset above. 0 is no fault.
type Fault uint64

// Cause is the sort of a fault.
type Cause uint8

// All causes.
const (
	// Truncated: the rest of the message is too short for a value, or for as many values as it claims.
	Truncated Cause = iota + 1
	// Negative: a length or a count below zero.
	Negative
	// UnknownType: a type that the protocol does not have.
	UnknownType
	// WrongType: the elements have another type than the field.
	WrongType
	// TooDeep: more values lie in each other than [Limits] allow.
	TooDeep
	// TooLarge: the message needs more memory than [Limits] allow.
	TooLarge
	// Missing: a required field is missing.
	Missing
	// Trailing: bytes follow the message's end.
	Trailing
	// WrongVersion: the message belongs to another protocol.
	WrongVersion
	// Overlong: a number has more bytes than its type allows, in protocols whose numbers differ in length.
	Overlong
)

var causes = [...]string{
	Truncated:    "the message ends too early",
	Negative:     "negative length",
	UnknownType:  "unknown type",
	WrongType:    "elements of another type",
	TooDeep:      "nested too deeply",
	TooLarge:     "more memory than the limits allow",
	Missing:      "required field is not set",
	Trailing:     "bytes follow the end of the message",
	WrongVersion: "another protocol or version",
	Overlong:     "a number of more bytes than its type has",
}

// String gives the cause in a few words.
func (c Cause) String() string {
	if int(c) < len(causes) && causes[c] != "" {
		return causes[c]
	}
	return "cause " + strconv.Itoa(int(c))
}

// Error gives the same words, so that a cause is an error of its own, for errors.Is.
func (c Cause) Error() string { return c.String() }

// NewFault makes a fault at an offset.
func NewFault(cause Cause, off int) Fault { return Fault(off)<<8 | Fault(cause) }

// Cause returns the cause.
func (f Fault) Cause() Cause { return Cause(f) }

// Offset returns the fault's place in the message, in bytes.
func (f Fault) Offset() int { return int(f >> 8) }

// causes returns the errors that errors.Is finds: the cause, and io.ErrUnexpectedEOF beside it where the message ends too early.
func (f Fault) causes() []error {
	if f.Cause() == Truncated {
		return []error{Truncated, io.ErrUnexpectedEOF}
	}
	return []error{f.Cause()}
}

// TypeId gives the kind of Apache Thrift's TProtocolException.
func (f Fault) TypeId() int {
	switch f.Cause() {
	case Negative:
		return NegativeSize
	case TooLarge:
		return SizeLimit
	case TooDeep:
		return DepthLimit
	case WrongVersion:
		return BadVersion
	}
	return InvalidData
}
