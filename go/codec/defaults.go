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

// defaults are what a struct's InitDefault sets.
type defaults struct {
	// standard is a struct with its defaults.
	standard raw.Ref
	// areSet is whether any is more than the zero value. Many structs have a method for defaults and none to set.
	areSet bool
}

// defaults are asked for when a struct is first made, or written: InitDefault may call this package itself, for other types and for its
// own, so that it is called without any lock. Several goroutines may make them at once, and the first one's stay.
func (s *structure) defaults() *defaults {
	if known := s.standard.Load(); known != nil {
		return known
	}
	return s.makeDefaults()
}

// mostNested is how many InitDefault may call each other by way of this package.
const mostNested = 100

// makeDefaults calls InitDefault. Where that writes its own type, whose defaults it is to say, no end would come: to the last of so many in
// each other the type is one without defaults.
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

// nested is how many calls of makeDefaults this goroutine is in.
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
