package proto

import (
	"google.golang.org/protobuf/encoding/protowire"
	google "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// The functions of this file are for messages of other Go packages, which may have generated code or not, and for extensions.

// ReadForeign reads a submessage into m and keeps what m had. off is behind the field's tag.
func (d *Decoder) ReadForeign(off int, m google.Message) int {
	at, last := d.Enter(off)
	if code, ok := m.(Codec); ok {
		return d.Leave(code.ReadPB(d, at, last, 0), last)
	}
	return d.Leave(d.merge(at, last, m), last)
}

// ReadForeignGroup is ReadForeign for a group of this number.
func (d *Decoder) ReadForeignGroup(off, end int, number uint32, m google.Message) int {
	at := d.EnterGroup(off)
	if code, ok := m.(Codec); ok {
		return d.LeaveGroup(code.ReadPB(d, at, end, number))
	}
	after := d.Skip(number<<3|uint32(protowire.StartGroupType), at)
	if after >= broken {
		return after
	}
	content, _ := protowire.ConsumeGroup(protowire.Number(number), d.data[at:after])
	end = d.merge(at, at+len(content), m)
	d.depth++
	return max(after, end)
}

// merge has a part of the message read by google.golang.org/protobuf, as deep as may be still; m is one level itself.
func (d *Decoder) merge(at, end int, m google.Message) int {
	if at >= broken {
		return at
	}
	options := google.UnmarshalOptions{Merge: true, AllowPartial: true, RecursionLimit: d.depth + 1}
	if err := options.Unmarshal(d.data[at:end], m); err != nil {
		if d.cause == 0 {
			d.err = err
		}
		return d.fail(Foreign, at)
	}
	return end
}

// Extension is Other for a message that can be extended: google.golang.org/protobuf knows which extensions there are, and keeps what is none. start is where the tag
// begins.
func (d *Decoder) Extension(m google.Message, tag uint32, start, off, end int, group uint32) (int, int) {
	if tag&7 == uint32(protowire.EndGroupType) && tag>>3 == group && group != 0 {
		d.closed = true
		return off, off
	}
	after := d.Skip(tag, off)
	if after < broken {
		after = d.merge(start, after, m)
	}
	return after, end
}

// PutForeign writes a field of a submessage.
func PutForeign(b []byte, off int, tag uint32, m google.Message) int {
	return PutLength(b, putForeign(b, off, m), off, tag)
}

// PutForeignGroup writes a field of a group, between its two tags.
func PutForeignGroup(b []byte, off int, tag uint32, m google.Message) int {
	return PutTag(b, putForeign(b, PutTag(b, off, tag+1), m), tag)
}

func putForeign(b []byte, off int, m google.Message) int {
	if code, ok := m.(Codec); ok {
		return code.WritePB(b, off)
	}
	return putGoogle(b, off, m)
}

func putGoogle(b []byte, off int, m google.Message) int {
	options := google.MarshalOptions{AllowPartial: true}
	size := options.Size(m)
	start := off - size
	if start >= 0 && off <= len(b) {
		options.UseCachedSize = true
		written, err := options.MarshalAppend(b[start:start:off], m)
		if err != nil || len(written) != size {
			return invalid
		}
	}
	return start
}

// PutExtensions writes the extensions of a message, which has some.
func PutExtensions(b []byte, off int, m google.Message) int {
	from := m.ProtoReflect()
	only := from.New()
	from.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		if field.IsExtension() {
			only.Set(field, value)
		}
		return true
	})
	return putGoogle(b, off, only.Interface())
}

// CheckForeign tells of a required field that is not set in a message of another Go package, or in the extensions of one.
func CheckForeign(m google.Message) error { return google.CheckInitialized(m) }
