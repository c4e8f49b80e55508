package proto

import (
	"sync"

	google "google.golang.org/protobuf/proto"
)

// Message is a message with code of protoc-gen-hone.
type Message interface {
	// SizePB returns the number of bytes that the message takes.
	SizePB() int
	// MarshalToPB writes the message so that it ends where b ends, and returns the offset where it begins. The content of b before
	// that offset is not defined. The offset is below 0 where b is too short, by so many bytes.
	//
	// Errors: the same as those of [Marshal].
	MarshalToPB(b []byte) (int, error)
	// UnmarshalPB reads data into the message and keeps the fields that the message had: a field that is there again replaces, extends
	// or merges as the specification says.
	//
	// Errors: an [Error], or an error of google.golang.org/protobuf that says which required field is not set.
	UnmarshalPB(data []byte) error
	Codec
}

// Codec has the methods by which generated code calls other generated code.
type Codec interface {
	google.Message
	// ReadPB reads fields from off up to end, or up to the end of the group of that number.
	ReadPB(d *Decoder, off, end int, group uint32) int
	// WritePB writes all fields so that they end at off, and returns the offset where they begin.
	WritePB(b []byte, off int) int
	// CheckPB returns the error of a required field that is not set, in this message or in a submessage.
	CheckPB() error
}

// Size returns the number of bytes that the message takes.
func Size(m Codec) int { return -m.WritePB(nil, 0) }

// leastScratch and mostScratch are the sizes, in bytes, of a buffer that messages are copied out of: at first, and at most.
const (
	leastScratch = 8 << 10
	mostScratch  = 256 << 10
)

var scratches = sync.Pool{New: func() any {
	b := make([]byte, leastScratch)
	return &b
}}

// Marshal writes a message. The message must not change meanwhile.
//
// # Errors
//
// The errors of google.golang.org/protobuf: a required field that is not set, a string that is not UTF-8. And [TooLarge].
func Marshal(m Codec) ([]byte, error) { return Append(nil, m) }

// Append writes a message behind to.
//
// # Errors
//
// The same as those of [Marshal].
func Append(to []byte, m Codec) ([]byte, error) {
	scratch := scratches.Get().(*[]byte)
	start, err := MarshalTo(*scratch, m)
	if err == nil && start < 0 {
		size := len(*scratch) - start
		if size > mostScratch {
			scratches.Put(scratch)
			return appendLarge(to, m, size)
		}
		*scratch = make([]byte, min(size+size/4, mostScratch))
		start, err = MarshalTo(*scratch, m)
	}
	if err == nil && start < 0 {
		err = errChanged
	}
	if err == nil {
		to = append(to, (*scratch)[start:]...)
	}
	scratches.Put(scratch)
	return to, err
}

// appendLarge writes a message of a known size, too long for a scratch buffer, directly behind to.
func appendLarge(to []byte, m Codec, size int) ([]byte, error) {
	before := len(to)
	if cap(to)-before < size {
		to = append(make([]byte, 0, before+size), to...)
	}
	start, err := MarshalTo(to[before:before+size], m)
	if err == nil && start != 0 {
		err = errChanged
	}
	if err != nil {
		return to, err
	}
	return to[:before+size], nil
}

// MarshalTo writes a message so that it ends where b ends, and returns the offset where it begins. MarshalToPB of generated code
// calls it.
func MarshalTo(b []byte, m Codec) (int, error) {
	start := m.WritePB(b, len(b))
	if start < invalid/2 || len(b)-start > mostBytes {
		return 0, whyNot(m)
	}
	return start, m.CheckPB()
}

// whyNot returns the reason why a message cannot be written. google.golang.org/protobuf knows the field's name.
//
//go:noinline
func whyNot(m Codec) error {
	if _, err := google.Marshal(m); err != nil {
		return err
	}
	return &Error{Cause: TooLarge, Message: nameOf(m)}
}

var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// defaults are the options of functions that take none.
var defaults Options

// Unmarshal reads data into a message. UnmarshalPB of generated code calls it.
func Unmarshal(data []byte, m Codec) error { return unmarshal(&defaults, data, m) }

// UnmarshalWith is Unmarshal with other options.
func UnmarshalWith(options Options, data []byte, m Codec) error { return unmarshal(&options, data, m) }

func unmarshal(options *Options, data []byte, m Codec) error {
	d := decoders.Get().(*Decoder)
	d.begin(data, options)
	end := m.ReadPB(d, 0, len(data), 0)
	if end != len(data) || d.cause != 0 {
		return d.refuse(m, options)
	}
	d.end(options)
	decoders.Put(d)
	return m.CheckPB()
}
