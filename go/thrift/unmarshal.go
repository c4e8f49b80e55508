package thrift

import (
	"reflect"
	"sync"
)

// decoders are those that nobody uses: what is left of their batches serves the next message.
var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// Unmarshal reads a message of the Binary protocol into a struct: all of the message, and nothing else.
//
// # Errors
//
// A [ProtocolError]. The struct then holds what came before the fault.
func Unmarshal(message []byte, into Reader) error {
	return UnmarshalWith(Options{}, message, into)
}

// UnmarshalWith is Unmarshal by other options.
func UnmarshalWith(options Options, message []byte, into Reader) error {
	_, err := unmarshal(options, message, into, true)
	return err
}

// UnmarshalPrefix reads the struct that these bytes begin with, and gives how many it took.
//
// # Errors
//
// As those of [Unmarshal].
func UnmarshalPrefix(message []byte, into Reader) (int, error) {
	return unmarshal(Options{}, message, into, false)
}

func unmarshal(options Options, message []byte, into Reader, isWhole bool) (int, error) {
	d := decoders.Get().(*Decoder)
	d.begin(message, options)
	end := into.ReadThrift(d, 0)
	if isWhole && d.fault == 0 && end != len(message) {
		d.fail(Trailing, end)
	}
	var err error
	if d.fault != 0 {
		end, err = d.fault.Offset(), newError(reflect.TypeOf(into), message, d)
	}
	d.end()
	decoders.Put(d)
	return end, err
}
