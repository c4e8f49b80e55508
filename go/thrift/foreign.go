package thrift

import (
	"reflect"
	"strings"
)

// The functions of this file are for code that reads messages without having been generated: packages codec and generic.

// Remaining is how many bytes of the message stand from off on; none after a fault.
func (d *Decoder) Remaining(off int) int { return max(len(d.message)-off, 0) }

// Part is the bytes of the message from start to end, which are the message's own; none after a fault.
func (d *Decoder) Part(start, end int) []byte {
	if d.fault == 0 && start <= end && end <= len(d.message) {
		return d.message[start:end:end]
	}
	return nil
}

// SkipString gives the offset behind a string or bytes at off, of which nothing is copied.
func (d *Decoder) SkipString(off int) (end int) {
	n, at := d.length(off)
	return at + n
}

// Refuse says what is wrong with the message at off, unless something was wrong before.
func (d *Decoder) Refuse(cause Cause, off int) { d.fail(cause, off) }

// Allocate counts n values of so many bytes that are about to be allocated for what stands at off, and says whether they may be.
func (d *Decoder) Allocate(n, bytes, off int) bool { return d.allocate(n, bytes, off) }

// AllocatePairs counts a map of n pairs, whose keys and values take so many bytes, and says whether it may be allocated.
func (d *Decoder) AllocatePairs(n, key, value, off int) bool {
	return d.allocate(mapPlaces(n), pairBytes(key, value)+1, off) && d.allocate(1, mapBytes, off)
}

// SkipField gives the offset behind a field that its struct does not have, which the keeper is given; nil keeps nothing.
func (d *Decoder) SkipField(off int, key uint32, keeper UnknownKeeper) (end int) {
	if end = d.skipField(off, key); keeper != nil {
		d.keep(keeper, off, end)
	}
	return end
}

// Lacking refuses a struct that ends at off without all of its required fields. Bits of seen and required stand for these.
func (d *Decoder) Lacking(off int, seen, required Seen) { d.missing(off, seen, required) }

// IsPair is whether a type is a [Pair].
func IsPair(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[Step]().PkgPath() && strings.HasPrefix(t.Name(), "Pair[")
}

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
