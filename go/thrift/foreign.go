package thrift

import "reflect"

// The functions of this file are for code that reads messages without having been generated: package codec.

// Remaining is how many bytes of the message stand from off on; none after a fault.
func (d *Decoder) Remaining(off int) int { return max(len(d.message)-off, 0) }

// Room is how many bytes may still be allocated.
func (d *Decoder) Room() int { return d.room }

// Allocate counts bytes that are about to be allocated for what stands at off, and says whether they may be.
func (d *Decoder) Allocate(bytes, off int) bool { return d.allocate(bytes, off) }

// AllocatePairs counts a map of n pairs, each of which takes so many bytes, and says whether it may be allocated.
func (d *Decoder) AllocatePairs(n, pairBytes, off int) bool {
	return d.allocate(tableBytes(n, pairBytes), off)
}

// SkipField gives the offset behind a field that nobody wants, and its bytes with its header; none after a fault.
func (d *Decoder) SkipField(off int, key uint32) (field []byte, end int) {
	if d.fault != 0 {
		return nil, off
	}
	if end = d.skipField(off, key); d.fault != 0 {
		return nil, off
	}
	return d.message[off:end], end
}

// Lacking refuses a struct that ends at off without all of its required fields. Bits of seen and required stand for these.
func (d *Decoder) Lacking(off int, seen, required Seen) { d.missing(off, seen, required) }

// NewProtocolError tells what is wrong with a message for a struct of this type, a pointer.
func NewProtocolError(of reflect.Type, fault Fault, path []Step) *ProtocolError {
	return &ProtocolError{Fault: fault, Path: path, of: of}
}

// Moved is the same error of a message for a struct of this type, a pointer, at another offset.
func (e *ProtocolError) Moved(of reflect.Type, off int) *ProtocolError {
	moved := *e
	moved.Fault, moved.of = NewFault(e.Fault.Cause(), off), of
	return &moved
}
