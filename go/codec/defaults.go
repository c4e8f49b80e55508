package codec

import (
	"reflect"
	"runtime"
	"strings"

	"hone/go/raw"
)

// defaulter is a struct with defaults.
type defaulter interface{ InitDefault() }

var defaulterType = reflect.TypeFor[defaulter]()

// defaults are the values that a struct's InitDefault sets.
type defaults struct {
	// standard is a struct with its default values.
	standard raw.Ref
	// areSet says that some default is not the zero value. Many structs have InitDefault but no defaults to set.
	areSet bool
}

// defaults returns the defaults of a struct. They are made when a struct of its type is first made or written. InitDefault may call
// this package itself, for other types and for its own, so it is called without any lock. Several goroutines may make the defaults
// at once; the first ones are kept.
func (s *structure) defaults() *defaults {
	if known := s.standard.Load(); known != nil {
		return known
	}
	return s.makeDefaults()
}

// mostNested is the number of calls of InitDefault that may be nested by way of this package.
const mostNested = 100

// makeDefaults calls InitDefault. An InitDefault that writes its own type, which needs the same defaults, would never end: so after
// mostNested nested calls the type counts as one without defaults.
//
//go:noinline
func (s *structure) makeDefaults() *defaults {
	r := raw.New(s.goType)
	if nested() > mostNested {
		return &defaults{standard: r}
	}
	s.callInitDefault(r)
	s.standard.CompareAndSwap(nil, &defaults{standard: r, areSet: !r.Value(s.goType).IsZero()})
	return s.standard.Load()
}

// nested returns the number of calls of makeDefaults that this goroutine is in.
func nested() (n int) {
	var callers [256]uintptr
	for skipped := 0; ; skipped += len(callers) {
		some := runtime.Callers(skipped, callers[:])
		frames := runtime.CallersFrames(callers[:some])
		for more := some > 0; more; {
			var frame runtime.Frame
			if frame, more = frames.Next(); strings.HasSuffix(frame.Function, ".makeDefaults") {
				n++
			}
		}
		if some < len(callers) {
			return n
		}
	}
}

// initDefault sets the defaults of a struct.
func (s *structure) initDefault(r raw.Ref) {
	if s.defaults().areSet {
		s.callInitDefault(r)
	}
}

func (s *structure) callInitDefault(r raw.Ref) {
	r.Value(s.goType).Addr().Interface().(defaulter).InitDefault()
}
