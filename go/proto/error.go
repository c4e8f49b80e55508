package proto

import (
	"errors"
	"fmt"
	"io"

	google "google.golang.org/protobuf/proto"
)

// Cause is the sort of a fault.
type Cause uint8

// All causes.
const (
	// Truncated: the rest of the message or of the submessage is too short for a value.
	Truncated Cause = iota + 1
	// Malformed: the number or the type of a field is none of the wire format, a group ends without a beginning or does not end, or a
	// number has more than 64 bits.
	Malformed
	// NotUTF8: a string is not UTF-8, although the field's file asks for that.
	NotUTF8
	// TooDeep: more submessages lie in each other than [Options] allow.
	TooDeep
	// TooLarge: the message has more than 2 GiB - 1, so that other implementations cannot read it; or more than 512 MiB where an int
	// has 32 bits.
	TooLarge
	// Foreign: google.golang.org/protobuf refused a submessage or an extension. [Error.Err] says why.
	Foreign
)

var causes = [...]string{
	Truncated: "the message ends too early",
	Malformed: "the bytes are no message of Protocol Buffers",
	NotUTF8:   "a string is not UTF-8",
	TooDeep:   "messages are nested too deeply",
	TooLarge:  "the message is too large to be read by others",
	Foreign:   "a submessage or an extension cannot be read",
}

// String gives the cause in a few words.
func (c Cause) String() string {
	if int(c) < len(causes) && causes[c] != "" {
		return causes[c]
	}
	return fmt.Sprintf("cause %d", uint8(c))
}

// Error gives the same words, so that a cause is an error of its own, for errors.Is.
func (c Cause) Error() string { return c.String() }

// Error is the error of a message that cannot be read or written. errors.Is finds its [Cause], proto.Error of
// google.golang.org/protobuf, and io.ErrUnexpectedEOF for a message that ends too early.
type Error struct {
	Cause Cause
	// Offset is the place in the message, in bytes.
	Offset int
	// Message is the full name of the message's type.
	Message string
	// Err is an error of google.golang.org/protobuf, or nil.
	Err error
}

// Error says what is wrong and where.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %s, at byte %d", e.Message, e.Cause, e.Offset)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the errors that errors.Is finds.
func (e *Error) Unwrap() []error {
	found := []error{e.Cause, google.Error}
	if e.Cause == Truncated {
		found = append(found, io.ErrUnexpectedEOF)
	}
	if e.Err != nil {
		found = append(found, e.Err)
	}
	return found
}

// errChanged is the error of a message that got another size while it was written.
var errChanged = errors.New("the message changed while it was written: write it while nobody else changes it")

// RequiredNotSet makes the error of a required field that is not set. Generated code calls it.
func RequiredNotSet(field string) error {
	return &requiredError{field}
}

// requiredError has the text of the error of google.golang.org/protobuf, and wraps proto.Error.
type requiredError struct {
	field string
}

func (e *requiredError) Error() string { return "required field " + e.field + " not set" }

func (e *requiredError) Unwrap() error { return google.Error }

func nameOf(m Codec) string { return string(m.ProtoReflect().Descriptor().FullName()) }
