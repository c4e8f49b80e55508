package thrift

import (
	"math"

	"hone/go/raw"
)

// broken is the key that follows a fault. No field has it: keys are a type and an id, 24 bits.
const broken = 1 << 24

// Decoder reads one message of the Binary protocol. Generated code calls it; others call [Unmarshal].
//
// Its methods for fields take the offset where a field begins, and give its value, the offset behind it and the key of the
// field that follows. A key is the type and the id of a field, type<<16 | id, and of type 0, a stop, where the struct ends. What is wrong
// with a message is remembered once; from then on the message is empty, every key is one that no field has, and
// whoever reads comes to an end. So generated code has no branch for errors at all.
//
// A Decoder is used by one goroutine. It reads one message after the other.
type Decoder struct {
	// message is what is read, and nothing after a fault.
	message []byte
	// window is a copy of a part of the message, which begins at windowAt. Strings are parts of it.
	window   string
	windowAt int
	// lastFar is where the last string began that was in no window before, below 0 if there was none, and hits are how many have been in one since. windowSize is how
	// long the next window is to be, most how long at most.
	lastFar, hits, windowSize, most int
	// room is how many bytes may still be allocated.
	room int64
	// depth is how many values of types that contain themselves may still lie in each other.
	depth int
	fault Fault
	// absent is which of a struct's required fields was not there, counted from 0, after that fault.
	absent int
	rest
	batches
}

// begin reads a message from the start of these bytes. Batches stay from the message before, and the last window does, of which
// nothing is taken. Pointers are stored only where they change: while memory is collected, each store takes longer.
func (d *Decoder) begin(message []byte, options *Options) {
	limits := options.LimitsInForce()
	d.message = message
	d.windowAt, d.lastFar, d.hits, d.most = nowhere, -1, 0, mostWindow
	d.room = int64(limits.Bytes(len(message)))
	d.depth = limits.Depth
	d.fault = 0
	switch options.Texts {
	case Apart:
		d.most = 0
	case Borrowed:
		d.window, d.windowAt = raw.String(message, 0, len(message)), 0
	}
}

// nowhere is where a window begins that no string of a message lies in.
const nowhere = math.MaxInt

// end lets go of the message; of a short one with the next. What is left of the rest ended with it.
func (d *Decoder) end(options *Options) {
	if d.lastFar >= 0 {
		d.adapt(len(d.message))
	}
	if len(d.message) > mostWindow || options.Texts == Borrowed {
		d.message = nil
	}
	if options.Texts == Borrowed {
		d.window = ""
	}
}

// Options say how a message is read. The zero value is what most want.
type Options struct {
	// Texts says where strings live.
	Texts Texts
	// Limits are [DefaultLimits] if nothing is said.
	Limits Limits
}

// LimitsInForce are its limits, or [DefaultLimits] if it says nothing.
func (o Options) LimitsInForce() Limits {
	if o.Limits == (Limits{}) {
		return DefaultLimits
	}
	return o.Limits
}

// Reader is what generated code does to read a struct: fields from off on, which is behind the header of the
// field that holds it, to its stop. It gives the offset behind that.
type Reader interface {
	ReadThrift(d *Decoder, off int) int
}

// Key is the key of the field at off: of type 0 for a stop, whatever its other bits are.
func (d *Decoder) Key(off int) uint32 {
	if off+4 > len(d.message) {
		return d.lastKey(off)
	}
	return raw.Uint32(d.message, off) >> 8
}

// lastKey is the same where fewer than 4 bytes remain: a field takes more, so that only a stop can stand there.
//
//go:noinline
func (d *Decoder) lastKey(off int) uint32 {
	if off < len(d.message) && d.message[off] == byte(Stop) {
		return 0
	}
	return d.fail(Truncated, off)
}

// fail remembers what is wrong, unless something was wrong before, and makes the message an empty one.
//
//go:noinline
func (d *Decoder) fail(cause Cause, off int) uint32 {
	if d.fault == 0 {
		d.fault = NewFault(cause, off)
		d.message = nil
		d.window = ""
	}
	return broken
}
