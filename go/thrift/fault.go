package thrift

import (
	"io"
	"strconv"
)

// Fault says what is wrong with a message and where: the cause in the lowest 8 bits, the offset above. 0 is none.
type Fault uint64

// Cause is what can be wrong with a message.
type Cause uint8

// All causes.
const (
	// Truncated: a value, or as many as are claimed, cannot stand in what remains of the message.
	Truncated Cause = iota + 1
	// Negative: a length or a count below zero.
	Negative
	// UnknownType: a type that the protocol does not have.
	UnknownType
	// WrongType: elements of another type than the field has.
	WrongType
	// TooDeep: more values in each other than [Limits] allow.
	TooDeep
	// TooLarge: more to allocate than [Limits] allow.
	TooLarge
	// Missing: a required field is not there.
	Missing
	// Trailing: bytes follow the message's end.
	Trailing
	// WrongVersion: the message is none of this protocol.
	WrongVersion
	// Overlong: a number of more bytes than its type has, in protocols whose numbers differ in length.
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

// String says the cause in a few words.
func (c Cause) String() string {
	if int(c) < len(causes) && causes[c] != "" {
		return causes[c]
	}
	return "cause " + strconv.Itoa(int(c))
}

// Error makes a cause an error of its own, for errors.Is.
func (c Cause) Error() string { return c.String() }

// NewFault is a fault at an offset.
func NewFault(cause Cause, off int) Fault { return Fault(off)<<8 | Fault(cause) }

// Cause is what is wrong.
func (f Fault) Cause() Cause { return Cause(f) }

// Offset is where in the message, in bytes.
func (f Fault) Offset() int { return int(f >> 8) }

// causes are what errors.Is finds: the cause, and io.ErrUnexpectedEOF beside it where the message ends too early.
func (f Fault) causes() []error {
	if f.Cause() == Truncated {
		return []error{Truncated, io.ErrUnexpectedEOF}
	}
	return []error{f.Cause()}
}

// TypeId is the kind of Apache Thrift's TProtocolException.
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
