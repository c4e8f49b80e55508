package proto

import (
	google "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// Timestamps and durations are in most schemas, but have no generated code of protoc-gen-hone: the functions of this file take its
// place. Both messages are seconds (field 1) and nanoseconds (field 2).

// readWellKnown reads a timestamp or a duration.
func (d *Decoder) readWellKnown(off, end int, group uint32, m google.Message, seconds *int64, nanos *int32) int {
	var unknown []byte
	for off < end {
		tag := uint32(d.data[off])
		off++
		if tag >= 0x80 {
			tag, off = d.LongTag(off - 1)
		}
		switch tag {
		case 0x8:
			*seconds, off = d.Int64(off)
		case 0x10:
			*nanos, off = d.Int32(off)
		default:
			off, end = d.Other(&unknown, tag, off, end, group)
		}
	}
	if len(unknown) > 0 {
		of := m.ProtoReflect()
		of.SetUnknown(append(of.GetUnknown(), unknown...))
	}
	return off
}

// putWellKnown writes a timestamp or a duration that is not nil.
func putWellKnown(b []byte, off int, m google.Message, seconds int64, nanos int32) int {
	off = PutUnknown(b, off, m.ProtoReflect().GetUnknown())
	if nanos != 0 {
		off = PutVarint(b, off, 0x10, uint64(nanos))
	}
	if seconds != 0 {
		off = PutVarint(b, off, 0x8, uint64(seconds))
	}
	return off
}

// readKnown reads a message for which the program has code, and says whether it has any.
func (d *Decoder) readKnown(off, end int, group uint32, m google.Message) (_ int, isKnown bool) {
	switch m := m.(type) {
	case *timestamppb.Timestamp:
		return d.readWellKnown(off, end, group, m, &m.Seconds, &m.Nanos), true
	case *durationpb.Duration:
		return d.readWellKnown(off, end, group, m, &m.Seconds, &m.Nanos), true
	case Codec:
		return m.ReadPB(d, off, end, group), true
	}
	return off, false
}

// putKnown writes a message for which the program has code, and says whether it has any.
func putKnown(b []byte, off int, m google.Message) (_ int, isKnown bool) {
	switch m := m.(type) {
	case *timestamppb.Timestamp:
		if m == nil {
			return off, true
		}
		return putWellKnown(b, off, m, m.Seconds, m.Nanos), true
	case *durationpb.Duration:
		if m == nil {
			return off, true
		}
		return putWellKnown(b, off, m, m.Seconds, m.Nanos), true
	case Codec:
		return m.WritePB(b, off), true
	}
	return off, false
}
