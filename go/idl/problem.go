package idl

import (
	"fmt"
	"sort"
	"strings"
)

// Severity tells errors from warnings.
type Severity uint8

// The severities. Nothing should be generated from a program with errors.
const (
	Error Severity = iota
	Warning
)

func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// MarshalText writes the severity as a word.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Problem is one thing that is wrong, where, and how it is mended.
type Problem struct {
	Severity Severity `json:"severity"`
	Path     string   `json:"path"`
	Position
	// Text says what is wrong, Mend what to do about it (may be empty).
	Text string `json:"text"`
	Mend string `json:"mend,omitempty"`
}

// String is "path:line:column: error: text; mend".
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.Path)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	fmt.Fprintf(&b, ": %s: %s", p.Severity, p.Text)
	if p.Mend != "" {
		b.WriteString("; ")
		b.WriteString(p.Mend)
	}
	return b.String()
}

// Problems are errors and warnings, in the order of the sources.
type Problems []Problem

// HasErrors is true where at least one is an error.
func (ps Problems) HasErrors() bool {
	for _, p := range ps {
		if p.Severity == Error {
			return true
		}
	}
	return false
}

// String holds one problem a line.
func (ps Problems) String() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// reporter collects the problems of one file up to the limits.
type reporter struct {
	path     string
	problems Problems
}

func (r *reporter) add(s Severity, at Position, text, mend string) {
	switch r.told(s) {
	case MaxProblems:
		r.problems = append(r.problems, Problem{s, r.path, at, fmt.Sprintf("too many %ss", s), "mend those above first"})
	default:
		r.problems = append(r.problems, Problem{s, r.path, at, text, mend})
	}
}

// told is how many problems of a severity there are. Warnings do not count as errors: many of them make no file wrong, and hide
// no error.
func (r *reporter) told(s Severity) (count int) {
	for i := range r.problems {
		if r.problems[i].Severity == s {
			count++
		}
	}
	return count
}

// full is true where no error is told any more.
func (r *reporter) full() bool { return r.told(Error) > MaxProblems }

func (r *reporter) errorf(at Position, mend, format string, args ...any) {
	r.tellf(Error, at, mend, format, args...)
}

func (r *reporter) warnf(at Position, mend, format string, args ...any) {
	r.tellf(Warning, at, mend, format, args...)
}

// tellf tells of a problem of a severity, until there are too many of these or of errors.
func (r *reporter) tellf(s Severity, at Position, mend, format string, args ...any) {
	if r.told(s) <= MaxProblems && !r.full() {
		r.add(s, at, fmt.Sprintf(format, args...), mend)
	}
}

// inOrder sorts by place and keeps the order of equals.
func (r *reporter) inOrder() Problems {
	sort.SliceStable(r.problems, func(i, j int) bool {
		a, b := r.problems[i].Position, r.problems[j].Position
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	return r.problems
}
