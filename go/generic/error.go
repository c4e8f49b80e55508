package generic

import (
	"fmt"
	"strconv"
	"strings"

	"hone/go/idl"
)

// Error says that JSON text or a value of Go is no message of the IDL, or that a message cannot be read.
type Error struct {
	// Path leads to the wrong value: "args.user.name".
	Path string
	// Problem says what is wrong. Mend says what to do about it; it may be "".
	Problem, Mend string
	// Position is the line and the column of the wrong value in the JSON text; the zero value if there is no text.
	idl.Position
	// Offset is the number of bytes before the wrong value in the JSON text or in the message; below 0 if it is not known.
	Offset int
	// Cause is the error of the protocol, or nil.
	Cause error
}

// Error returns the whole error in one line.
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

// Unwrap returns the error of the protocol.
func (e *Error) Unwrap() error { return e.Cause }

// step is one step into a value: to a field, to a map's key, or to an element.
type step struct {
	name  string
	isKey bool
	// index is the index of an element; -1 for other steps.
	index int
}

func fieldStep(name string) step { return step{name: name, index: -1} }
func keyStep(name string) step   { return step{name: name, isKey: true, index: -1} }
func elementStep(index int) step { return step{index: index} }

// steps are the steps of a path, the last one first: each caller adds its step while the error returns to it from the value inside.
type steps []step

// mostSteps is the number of steps of a path that an error shows. Of a longer path it shows the first and the last half of that number.
const mostSteps = 32

// text returns the path as text, after a root, which may be "".
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

// fault says what is wrong with a value that is to be written.
type fault struct {
	problem, mend string
	path          steps
	// isName is true if the name in an object is wrong, not the value under that name.
	isName bool
}

func faultf(mend, format string, arguments ...any) *fault {
	return &fault{problem: fmt.Sprintf(format, arguments...), mend: mend}
}

// in adds a step that leads to the wrong value.
func (f *fault) in(s step) *fault {
	f.path = append(f.path, s)
	return f
}

// mendOr returns the suggestion if there is one, else the other text.
func mendOr(suggestion, other string) string {
	if suggestion != "" {
		return suggestion
	}
	return other
}
