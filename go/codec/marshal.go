package codec

import (
	"errors"
	"reflect"
	"sync"

	"hone/go/raw"
	"hone/go/thrift"
)

// Check reports whether a struct's type can be read and written, for programs that want to know when they start.
//
// # Errors
//
// A [TypeError].
func Check(v any) error {
	t := reflect.TypeOf(v)
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return &TypeError{Problem: "a message is a struct", Mend: "give a pointer to a struct with tags"}
	}
	_, err := structureOf(t)
	return err
}

// Marshal writes a struct, or the struct that a pointer points to, as a message of the Binary protocol. The struct must not change
// meanwhile.
//
// # Errors
//
// A [TypeError], or [thrift.ErrLength].
func Marshal(v any) (message []byte, err error) {
	s, from, err := given(v)
	if err != nil {
		return nil, err
	}
	defer thrift.RecoverLength(&err)
	return thrift.MarshalFunc(func(b []byte, off int) int { return s.write(b, off, from) }), nil
}

// Append writes a struct behind these bytes, and may use all of the array that they lie in.
//
// # Errors
//
// The same as those of [Marshal].
func Append(to []byte, v any) (message []byte, err error) {
	s, from, err := given(v)
	if err != nil {
		return to, err
	}
	message = to
	defer thrift.RecoverLength(&err)
	return thrift.AppendFunc(to, func(b []byte, off int) int { return s.write(b, off, from) }), nil
}

// Size returns the number of bytes that [Marshal] writes.
//
// # Errors
//
// The same as those of [Marshal].
func Size(v any) (size int, err error) {
	s, from, err := given(v)
	if err != nil {
		return 0, err
	}
	defer thrift.RecoverLength(&err)
	return s.write(nil, 0, from), nil
}

// writer presents a struct to package thrift.
type writer struct {
	of   *structure
	from raw.Ref
}

// WriteThrift implements [thrift.Writer].
func (w writer) WriteThrift(b []byte, off int) int { return w.of.write(b, off, w.from) }

// given returns the structure and the place of the struct that a caller wants to write.
func given(v any) (*structure, raw.Ref, error) {
	value := reflect.ValueOf(v)
	switch value.Kind() {
	case reflect.Invalid:
		return nil, raw.Ref{}, Check(v)
	case reflect.Pointer:
		s, err := structureOf(value.Type().Elem())
		return s, raw.Of(value), err
	}
	s, err := structureOf(value.Type())
	if err != nil {
		return nil, raw.Ref{}, err
	}
	copied := reflect.New(value.Type())
	copied.Elem().Set(value)
	return s, raw.Of(copied), nil
}

// Unmarshal reads a message of the Binary protocol into the struct that a pointer points to: all of the message, and nothing else.
//
// # Errors
//
// A [TypeError], or a [thrift.ProtocolError]. With a ProtocolError the struct holds the values before the fault.
func Unmarshal(b []byte, v any) error { return UnmarshalWith(thrift.Options{}, b, v) }

// readers are readers that nobody uses at present.
var readers = sync.Pool{New: func() any { return new(reader) }}

// UnmarshalWith is Unmarshal with other options.
func UnmarshalWith(options thrift.Options, b []byte, v any) error {
	_, err := unmarshal(v, func(into thrift.Reader) (int, error) {
		return 0, thrift.UnmarshalWith(options, b, into)
	})
	return err
}

// UnmarshalPrefix reads the struct that these bytes begin with, and returns the number of bytes that it took.
//
// # Errors
//
// The same as those of [Unmarshal].
func UnmarshalPrefix(b []byte, v any) (int, error) {
	return unmarshal(v, func(into thrift.Reader) (int, error) { return thrift.UnmarshalPrefix(b, into) })
}

func unmarshal(v any, read func(thrift.Reader) (int, error)) (int, error) {
	value := reflect.ValueOf(v)
	if value.Kind() != reflect.Pointer || value.IsNil() {
		return 0, &TypeError{Struct: reflect.TypeOf(v), Problem: "a message cannot be read into it", Mend: "give a pointer to a struct"}
	}
	s, err := structureOf(value.Type().Elem())
	if err != nil {
		return 0, err
	}
	r := readers.Get().(*reader)
	r.of, r.into = s, raw.Of(value)
	n, err := read(r)
	r.d, r.of, r.into = nil, nil, raw.Ref{}
	readers.Put(r)
	var fault *thrift.ProtocolError
	if err != nil && errors.As(err, &fault) {
		err = fault.Moved(value.Type(), fault.Fault.Offset())
	}
	return n, err
}
