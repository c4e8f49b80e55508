package proto

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// DefaultDepth is the number of messages, maps and groups that may lie in each other by default. It is that of
// google.golang.org/protobuf.
const DefaultDepth = protowire.DefaultRecursionLimit

// mostBytes is the longest message that all implementations can read.
const mostBytes = math.MaxInt32

// broken is the offset that follows a fault. It lies behind the end of any message, and small numbers can still be added to it.
const broken = math.MaxInt - 1<<16

// Options say how a message is read. Most callers want the zero value.
type Options struct {
	// Texts says where the memory of strings is.
	Texts Texts
	// Depth is the number of messages, maps and groups that may lie in each other; 0 means [DefaultDepth].
	Depth int
}

// Decoder reads one message. Generated code calls its methods; other code calls UnmarshalPB of a message, or [UnmarshalWith].
//
// Its methods take the offset where a value begins, which is behind the field's tag, and return the value and the offset behind it.
// The Decoder remembers the first fault of a message; from then on every offset is behind the end of any message. A value may reach
// beyond the end of its submessage, though never beyond that of the message: the code that reads the submessage finds that the
// reads missed the submessage's end.
//
// A Decoder is used by one goroutine. It reads one message after the other.
type Decoder struct {
	// data is the whole message.
	data []byte
	windows
	batches
	// depth says how many more messages, maps and groups may lie in each other.
	depth int
	// closed says that the message read last ended with the end of its group.
	closed bool
	// cause is what is wrong, 0 if nothing is, and at is the offset. err is the error of google.golang.org/protobuf.
	cause Cause
	at    int
	err   error
}

// begin starts to read a message. The message itself is one level of depth.
func (d *Decoder) begin(data []byte, options *Options) {
	d.data = data
	d.depth = options.Depth - 1
	if options.Depth == 0 {
		d.depth = DefaultDepth - 1
	}
	d.cause, d.closed = 0, false
	d.beginWindows(data, options.Texts)
	if d.depth < 0 {
		d.fail(TooDeep, 0)
		d.data = nil
	}
}

// end lets go of the message.
func (d *Decoder) end(options *Options) {
	d.endWindows(options.Texts)
	d.endBatches()
	d.data = nil
}

// refuse gives the decoder back, and returns the error of a message.
//
//go:noinline
func (d *Decoder) refuse(m Codec, options *Options) error {
	if d.cause == 0 {
		d.fail(Truncated, len(d.data))
	}
	err := &Error{Cause: d.cause, Offset: d.at, Message: nameOf(m), Err: d.err}
	d.err = nil
	d.end(options)
	decoders.Put(d)
	return err
}

// fail remembers a fault, unless there was an earlier one.
//
//go:noinline
func (d *Decoder) fail(cause Cause, off int) int {
	if d.cause == 0 {
		d.cause, d.at = cause, off
	}
	return broken
}

// Data returns the whole message, for code that looks at tags.
func (d *Decoder) Data() []byte { return d.data }

// LongTag reads a tag of more than one byte.
func (d *Decoder) LongTag(off int) (tag uint32, _ int) {
	if b := d.data; off+1 < len(b) && b[off+1] < 0x80 {
		return uint32(b[off]&0x7f) | uint32(b[off+1])<<7, off + 2
	}
	long, end := d.Uint64(off)
	if long>>3 > uint64(protowire.MaxValidNumber) {
		return 0, d.fail(Malformed, off)
	}
	return uint32(long), end
}

// Enter reads the length of a submessage or of a map's entry, and returns its start and end.
func (d *Decoder) Enter(off int) (start, end int) {
	start, end = d.extent(off)
	d.depth--
	if d.depth < 0 {
		off = d.fail(TooDeep, off)
		return off, off
	}
	return start, end
}

// Leave ends a submessage. off is the offset behind all that was read of it, and must be its end.
func (d *Decoder) Leave(off, end int) int {
	d.depth++
	if off == end {
		return off
	}
	return d.fail(Truncated, end)
}

// EnterGroup begins a group.
func (d *Decoder) EnterGroup(off int) int {
	d.depth--
	if d.depth < 0 {
		return d.fail(TooDeep, off)
	}
	return off
}

// LeaveGroup ends a group. The group's end tag must have been read.
func (d *Decoder) LeaveGroup(off int) int {
	d.depth++
	if !d.closed {
		return d.fail(Malformed, off)
	}
	d.closed = false
	return off
}

// extent reads a length, and returns the start and the end of the value of that length.
func (d *Decoder) extent(off int) (start, end int) {
	if b := d.data; off < len(b) && b[off] < 0x80 {
		start = off + 1
		end = start + int(b[off])
		if end <= len(b) {
			return start, end
		}
	} else if off+1 < len(b) && b[off+1] < 0x80 {
		start = off + 2
		end = start + int(b[off]&0x7f) + int(b[off+1])<<7
		if end <= len(b) {
			return start, end
		}
	}
	return d.longExtent(off)
}

//go:noinline
func (d *Decoder) longExtent(off int) (start, end int) {
	length, start := d.Uint64(off)
	if start <= len(d.data) && length <= uint64(len(d.data)-start) {
		return start, start + int(length)
	}
	off = d.fail(Truncated, off)
	return off, off
}

// Other keeps a field that the code does not know, or ends a group. off is behind the field's tag. Other returns the offset behind
// the field, and the end of the message.
func (d *Decoder) Other(unknown *[]byte, tag uint32, off, end int, group uint32) (int, int) {
	number := tag >> 3
	if tag&7 == uint32(protowire.EndGroupType) && number == group && group != 0 {
		d.closed = true
		return off, off
	}
	after := d.Skip(tag, off)
	if after < broken {
		*unknown = protowire.AppendVarint(*unknown, uint64(tag))
		*unknown = append(*unknown, d.data[off:after]...)
	}
	return after, end
}

// Skip returns the offset behind the value of a field that nobody keeps.
func (d *Decoder) Skip(tag uint32, off int) int {
	if off > len(d.data) || tag>>3 == 0 {
		return d.fail(Malformed, off)
	}
	n := protowire.ConsumeFieldValue(protowire.Number(tag>>3), protowire.Type(tag&7), d.data[off:])
	if n < 0 {
		return d.fail(Malformed, off)
	}
	return off + n
}
