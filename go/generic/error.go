package generic

import (
	"fmt"
	"strconv"
	"strings"

	"hone/go/idl"
)

// Error is JSON or a value of Go that is no message of the IDL, or a message that is none.
type Error struct {
	// Path leads to the value in question: "args.user.name".
	Path string
	// Problem tells the fault, and Mend the remedy, or "".
	Problem, Mend string
	// Position is where it stands in JSON text; the zero value where there is none.
	idl.Position
	// Offset is the number of bytes before the fault in JSON text, or in the message; below 0 if it is not known.
	Offset int
	// Cause is the error of the protocol, or nil.
	Cause error
}

// Error says all of it in one line.
func (e *Error) Error() string {
	var text strings.Builder
	if e.Path != "" {
		text.WriteString(e.Path + ": ")
	}
	text.WriteString(e.Problem)
	if e.Mend != "" {
		text.WriteString("; " + e.Mend)
	}
	switch {
	case e.Line > 0:
		fmt.Fprintf(&text, " (line %d, column %d, byte %d)", e.Line, e.Column, e.Offset)
	case e.Offset >= 0:
		fmt.Fprintf(&text, " (at byte %d)", e.Offset)
	}
	return text.String()
}

// Unwrap gives the error of the protocol.
func (e *Error) Unwrap() error { return e.Cause }

// step is one step into a value: to a field, to a map's key, or to an element.
type step struct {
	name  string
	isKey bool
	// index is that of an element, or -1.
	index int
}

func fieldStep(name string) step { return step{name: name, index: -1} }
func keyStep(name string) step   { return step{name: name, isKey: true, index: -1} }
func elementStep(index int) step { return step{index: index} }

// steps are a path, the last one first: each is added when what is wrong is told to whoever looked at the value around it.
type steps []step

// mostSteps is the number of steps of a path that an error shows: of longer paths, the first and the last half of this number.
const mostSteps = 32

// text is the path from a root, which may be "".
func (s steps) text(root string) string {
	text := []byte(root)
	for i := len(s) - 1; i >= 0; i-- {
		if i == len(s)-1-mostSteps/2 && len(s) > mostSteps {
			text = append(text, "..."...)
			i = mostSteps/2 - 1
		}
		switch one := s[i]; {
		case one.index >= 0:
			text = append(strconv.AppendInt(append(text, '['), int64(one.index), 10), ']')
		case one.isKey:
			text = append(strconv.AppendQuote(append(text, '['), one.name), ']')
		case len(text) > 0:
			text = append(append(text, '.'), one.name...)
		default:
			text = append(text, one.name...)
		}
	}
	return string(text)
}

// fault describes why a value cannot be written.
type fault struct {
	problem, mend string
	path          steps
	// isName is true if the name in the object is at fault, and not its value.
	isName bool
}

func faultf(mend, format string, arguments ...any) *fault {
	return &fault{problem: fmt.Sprintf(format, arguments...), mend: mend}
}

// in adds the step to the value that is wrong.
func (f *fault) in(s step) *fault {
	f.path = append(f.path, s)
	return f
}

// mendOr is the suggestion where there is one, else the other text.
func mendOr(suggestion, other string) string {
	if suggestion != "" {
		return suggestion
	}
	return other
}
