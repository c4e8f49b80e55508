package thrift

import (
	"math"

	"hone/go/raw"
)

// broken is the key that follows a fault. No field has this key: the key of a field is a type and an id, 24 bits.
const broken = 1 << 24

// Decoder reads one message of the Binary protocol. Generated code calls its methods; other code calls [Unmarshal].
//
// Its methods for fields take the offset where a field begins, and return the field's value, the offset behind it and the key of
// the field that follows. A key is the type and the id of a field, type<<16 | id. Where the struct ends the key has type 0, a stop.
// The Decoder remembers the first fault of a message. From then on the message is empty, and every key is one that no field has, so
// that every loop over fields or elements ends. So generated code has no branch for errors at all.
//
// A Decoder is used by one goroutine. It reads one message after the other.
type Decoder struct {
	// message is the message that is read, and empty after a fault.
	message []byte
	// window is a copy of a part of the message, which begins at the message's offset windowAt. Strings are slices of the window.
	window   string
	windowAt int
	// lastFar is the offset of the last string that was in no window before, below 0 if there was none. hits counts the strings since
	// then that were in the window. windowSize is the length of the next window, most the longest length of a window.
	lastFar, hits, windowSize, most int
	// room is the number of bytes that may still be allocated.
	room int64
	// depth says how many more values of types that contain themselves may lie in each other.
	depth int
	fault Fault
	// absent is the number of the required field, counted from 0, that the struct lacks, after the fault [Missing].
	absent int
	rest
	batches
}

// begin starts to read a message from the start of these bytes. It keeps the batches of the message before, and also the last
// window, though no string is taken from that. begin stores pointers only where they change: while the garbage collector runs, each
// store takes longer.
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

// nowhere is the offset of a window that no string of a message lies in.
const nowhere = math.MaxInt

// end lets go of a long message; a short one is let go when the next message begins. The rest is already empty.
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

// Options say how a message is read. Most callers want the zero value.
type Options struct {
	// Texts says where the memory of strings is.
	Texts Texts
	// Limits are the limits of a message: [DefaultLimits] if they are zero.
	Limits Limits
}

// LimitsInForce returns the Limits of the options, or [DefaultLimits] if these are zero.
func (o Options) LimitsInForce() Limits {
	if o.Limits == (Limits{}) {
		return DefaultLimits
	}
	return o.Limits
}

// Reader is a struct that generated code can read. ReadThrift reads the fields from off on, up to the stop. off is behind the
// header of the field that holds the struct. ReadThrift returns the offset behind the stop.
type Reader interface {
	ReadThrift(d *Decoder, off int) int
}

// Key reads the key of the field at off. At a stop the type in the key is 0, whatever its other bits are.
func (d *Decoder) Key(off int) uint32 {
	if off+4 > len(d.message) {
		return d.lastKey(off)
	}
	return raw.Uint32(d.message, off) >> 8
}

// lastKey is Key where fewer than 4 bytes remain: a field takes more bytes, so only a stop can be there.
//
//go:noinline
func (d *Decoder) lastKey(off int) uint32 {
	if off < len(d.message) && d.message[off] == byte(Stop) {
		return 0
	}
	return d.fail(Truncated, off)
}

// fail remembers a fault, unless there was an earlier one, and makes the message empty.
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
