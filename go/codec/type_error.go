package codec

import (
	"fmt"
	"reflect"
)

// TypeError is a Go type that no message can be read into or written from.
type TypeError struct {
	// Struct is the struct that has the field, or the type itself where it is none.
	Struct reflect.Type
	// Field is the field's name in Go, or "".
	Field string
	// Problem is what is wrong, and Mend what to do about it.
	Problem, Mend string
}

// Error says all of it in one line.
func (e *TypeError) Error() string {
	place := "nothing"
	if e.Struct != nil {
		place = e.Struct.String()
	}
	if e.Field != "" {
		place += "." + e.Field
	}
	return fmt.Sprintf("codec: %s: %s: %s", place, e.Problem, e.Mend)
}

// problem is one of a field's type or tag, before it is known whose.
func problem(mend, format string, arguments ...any) *TypeError {
	return &TypeError{Problem: fmt.Sprintf(format, arguments...), Mend: mend}
}
