package thrift

import (
	"reflect"
	"strings"
)

// The functions of this file are for packages codec and generic, which read messages by code that is not generated.

// Remaining returns the number of bytes of the message from off on; 0 after a fault.
func (d *Decoder) Remaining(off int) int { return max(len(d.message)-off, 0) }

// Part returns the bytes of the message from start to end, as a part of the message and not as a copy; nil after a fault.
func (d *Decoder) Part(start, end int) []byte {
	if d.fault == 0 && start <= end && end <= len(d.message) {
		return d.message[start:end:end]
	}
	return nil
}

// SkipString returns the offset behind a string or bytes at off, and copies nothing.
func (d *Decoder) SkipString(off int) (end int) {
	n, at := d.length(off)
	return at + n
}

// Refuse records a fault of the message at off, unless there was an earlier one.
func (d *Decoder) Refuse(cause Cause, off int) { d.fail(cause, off) }

// Allocate counts n values of so many bytes, which are about to be allocated for the value at off, and says whether they may be
// allocated.
func (d *Decoder) Allocate(n, bytes, off int) bool { return d.allocate(n, bytes, off) }

// AllocatePairs counts a map of n pairs, whose keys and values take so many bytes, and says whether the map may be allocated.
func (d *Decoder) AllocatePairs(n, key, value, off int) bool {
	return d.allocate(mapPlaces(n), pairBytes(key, value)+1, off) && d.allocate(1, mapBytes, off)
}

// SkipField returns the offset behind a field that its struct does not have. The keeper is given the field, if there is a keeper.
func (d *Decoder) SkipField(off int, key uint32, keeper UnknownKeeper) (end int) {
	if end = d.skipField(off, key); keeper != nil {
		d.keep(keeper, off, end)
	}
	return end
}

// Lacking records that a struct that ends at off lacks some of its required fields. seen and required have a bit for each of these
// fields.
func (d *Decoder) Lacking(off int, seen, required Seen) { d.missing(off, seen, required) }

// IsPair reports whether a type is a [Pair].
func IsPair(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[Step]().PkgPath() && strings.HasPrefix(t.Name(), "Pair[")
}

// NewProtocolError makes the error of a message for a struct of this type, a pointer type.
func NewProtocolError(of reflect.Type, fault Fault, path []Step) *ProtocolError {
	return &ProtocolError{Fault: fault, Path: path, of: of}
}

// Moved returns the same error, but for a message for a struct of this type, a pointer type, and at another offset.
func (e *ProtocolError) Moved(of reflect.Type, off int) *ProtocolError {
	moved := *e
	moved.Fault, moved.of = NewFault(e.Fault.Cause(), off), of
	return &moved
}
