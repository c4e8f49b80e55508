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

// Problem says what is wrong, where, and how to mend it.
type Problem struct {
	Severity Severity `json:"severity"`
	Path     string   `json:"path"`
	Position
	// Text says what is wrong, and Mend says what to do about it (Mend may be empty).
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

// HasErrors reports whether at least one problem is an error.
func (ps Problems) HasErrors() bool {
	for _, p := range ps {
		if p.Severity == Error {
			return true
		}
	}
	return false
}

// String returns the problems, one a line.
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

// told returns the number of reported problems of a severity. Warnings do not count as errors: a file with many of them is still
// right, and they hide no error.
func (r *reporter) told(s Severity) (count int) {
	for i := range r.problems {
		if r.problems[i].Severity == s {
			count++
		}
	}
	return count
}

// full reports whether no more errors are reported.
func (r *reporter) full() bool { return r.told(Error) > MaxProblems }

func (r *reporter) errorf(at Position, mend, format string, args ...any) {
	r.tellf(Error, at, mend, format, args...)
}

func (r *reporter) warnf(at Position, mend, format string, args ...any) {
	r.tellf(Warning, at, mend, format, args...)
}

// tellf reports a problem of a severity, unless there are too many of that severity or too many errors.
func (r *reporter) tellf(s Severity, at Position, mend, format string, args ...any) {
	if r.told(s) <= MaxProblems && !r.full() {
		r.add(s, at, fmt.Sprintf(format, args...), mend)
	}
}

// inOrder sorts the problems by place, and keeps the order of problems at the same place.
func (r *reporter) inOrder() Problems {
	sort.SliceStable(r.problems, func(i, j int) bool {
		a, b := r.problems[i].Position, r.problems[j].Position
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	return r.problems
}
