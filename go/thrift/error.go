package thrift

import (
	"fmt"
	"math/bits"
	"reflect"
	"strconv"
	"strings"
)

// The kinds of protocol exceptions that Apache Thrift knows, as [ProtocolError.TypeId] gives them.
const (
	UnknownProtocolException = 0
	InvalidData              = 1
	NegativeSize             = 2
	SizeLimit                = 3
	BadVersion               = 4
	NotImplemented           = 5
	DepthLimit               = 6
)

// ProtocolError is the error of a message that cannot be read. Its text is made when Error is called.
//
// errors.Is finds its [Cause], and io.ErrUnexpectedEOF for a message that ends too early.
type ProtocolError struct {
	// Fault says what is wrong and where.
	Fault Fault
	// Path leads from the message's struct to the value at the fault: ids of fields, and indexes of elements.
	Path []Step
	// of is the type of the message's struct, a pointer type.
	of reflect.Type
	// missing is the number, counted from 0, of the required field that the struct at the end of the path lacks.
	missing int
}

// Step is one step into a message.
type Step struct {
	// Index is the index of an element, or of a pair of a map; -1 where the step is to a field.
	Index int
	// Field is the id of a field, if Index is -1.
	Field int16
	// IsKey says that the step is to the key of a pair, not to its value.
	IsKey bool
}

// newError makes the error of a message for a struct of this type.
func newError(of reflect.Type, message []byte, d *Decoder) *ProtocolError {
	return &ProtocolError{
		Fault:   d.fault,
		Path:    pathTo(d.fault.Offset(), message),
		of:      of,
		missing: d.absent,
	}
}

// missing remembers the first required field that is not there.
func (d *Decoder) missing(off int, seen, required uint64) {
	d.missingNth(off, bits.TrailingZeros64(required&^seen))
}

// missingNth remembers that the nth of the required fields is not there.
func (d *Decoder) missingNth(off, n int) {
	if d.fail(Missing, off); d.fault == NewFault(Missing, off) {
		d.absent = n
	}
}

// TypeId gives the kind of Apache Thrift's TProtocolException.
func (e *ProtocolError) TypeId() int { return e.Fault.TypeId() }

// Unwrap returns the cause, and io.ErrUnexpectedEOF beside it where the message ends too early.
func (e *ProtocolError) Unwrap() []error { return e.Fault.causes() }

// Error says what is wrong, with the structs and fields around the fault, as Apache Thrift does.
func (e *ProtocolError) Error() string {
	var text strings.Builder
	of := e.of
	for _, step := range e.Path {
		if step.Index >= 0 {
			if step.IsKey {
				text.WriteString("key of ")
			}
			fmt.Fprintf(&text, "element %d error: ", step.Index)
			of = elementOf(of, step.IsKey)
			continue
		}
		name, next := fieldOf(of, step.Field)
		fmt.Fprintf(&text, "%v read field %d '%s' error: ", of, step.Field, name)
		of = next
	}
	if isStruct(of) && e.Fault.Cause() != Missing {
		fmt.Fprintf(&text, "%v read field begin error: ", of)
	}
	text.WriteString(e.Fault.Cause().String())
	if e.Fault.Cause() == Missing {
		fmt.Fprintf(&text, ": %s", requiredOf(of, e.missing))
	}
	text.WriteString(" (at byte " + strconv.Itoa(e.Fault.Offset()) + ")")
	return text.String()
}

// fieldOf returns the name and the type of a field of a struct. Where it does not know the type, that is nil.
func fieldOf(of reflect.Type, id int16) (string, reflect.Type) {
	for tag, field := range fieldsOf(of) {
		if number, err := strconv.ParseInt(tag.ID, 10, 16); err == nil && int16(number) == id {
			return tag.Name, field
		}
	}
	return "unknown", nil
}

// requiredOf returns the name of a struct's nth required field.
func requiredOf(of reflect.Type, n int) string {
	for tag := range fieldsOf(of) {
		if tag.Requiredness == "required" {
			if n == 0 {
				return tag.Name
			}
			n--
		}
	}
	return "unknown"
}

func isStruct(of reflect.Type) bool {
	return of != nil && of.Kind() == reflect.Pointer && of.Elem().Kind() == reflect.Struct
}

// elementOf returns the type of a container's elements, or of a map's keys or values; nil if it is not known.
func elementOf(of reflect.Type, isKey bool) reflect.Type {
	if of == nil {
		return nil
	}
	switch of.Kind() {
	case reflect.Map:
		if isKey {
			return of.Key()
		}
		return of.Elem()
	case reflect.Slice:
		element := of.Elem()
		if !IsPair(element) {
			return element
		}
		if isKey {
			return element.Field(0).Type
		}
		return element.Field(1).Type
	}
	return nil
}

// fieldsOf goes over a struct's fields by their tags.
func fieldsOf(of reflect.Type) func(yield func(Tag, reflect.Type) bool) {
	return func(yield func(Tag, reflect.Type) bool) {
		if of != nil && of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of == nil || of.Kind() != reflect.Struct {
			return
		}
		for i := range of.NumField() {
			field := of.Field(i)
			if tag, isField := TagOf(field); isField && !yield(tag, field.Type) {
				return
			}
		}
	}
}
