package codec

import (
	"fmt"
	"reflect"
)

// TypeError is the error of a Go type that has no messages.
type TypeError struct {
	// Struct is the struct that has the field, or the type itself where that is not a struct.
	Struct reflect.Type
	// Field is the field's name in Go, or "".
	Field string
	// Problem says what is wrong, and Mend says what to do about it.
	Problem, Mend string
}

// Error gives all of this in one line.
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

// problem makes the error of a field's type or tag, before the field is known.
func problem(mend, format string, arguments ...any) *TypeError {
	return &TypeError{Problem: fmt.Sprintf(format, arguments...), Mend: mend}
}
