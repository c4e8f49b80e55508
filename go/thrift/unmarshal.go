package thrift

import (
	"reflect"
	"sync"
)

// decoders are decoders that nobody uses at present: the rest of their batches serves the next message.
var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// defaults are the options of functions that take none.
var defaults Options

// Unmarshal reads a message of the Binary protocol into a struct: all of the message, and nothing else. Fields that the message does not have stay as
// they are, and senders leave out optional fields that have their defaults: read into a struct with its defaults, as its function New makes it.
//
// # Errors
//
// A [ProtocolError]. The struct then holds the values before the fault.
func Unmarshal(message []byte, into Reader) error {
	_, err := unmarshal(&defaults, message, into, true)
	return err
}

// UnmarshalWith is Unmarshal with other options.
func UnmarshalWith(options Options, message []byte, into Reader) error {
	_, err := unmarshal(&options, message, into, true)
	return err
}

// UnmarshalPrefix reads the struct that these bytes begin with, and returns the number of bytes that it took.
//
// # Errors
//
// The same as those of [Unmarshal].
func UnmarshalPrefix(message []byte, into Reader) (int, error) {
	return unmarshal(&defaults, message, into, false)
}

func unmarshal(options *Options, message []byte, into Reader, isWhole bool) (int, error) {
	d := decoders.Get().(*Decoder)
	d.begin(message, options)
	end := into.ReadThrift(d, 0)
	if d.fault == 0 && (!isWhole || end == len(message)) {
		d.release(options)
		return end, nil
	}
	return d.refuse(options, message, into, end)
}

// refuse returns the error of a message that is wrong.
//
//go:noinline
func (d *Decoder) refuse(options *Options, message []byte, into Reader, end int) (int, error) {
	if d.fault == 0 {
		d.fail(Trailing, end)
	}
	end, err := d.fault.Offset(), newError(reflect.TypeOf(into), message, d)
	d.release(options)
	return end, err
}

// release lets go of the message, and keeps the decoder for another one.
func (d *Decoder) release(options *Options) {
	d.end(options)
	decoders.Put(d)
}
