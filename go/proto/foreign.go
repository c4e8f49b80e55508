package proto

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	google "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"hone/go/raw"
)

// The functions of this file are for extensions, and for messages of other Go packages, which may or may not have generated code.

// ReadForeign reads a submessage into m, and keeps the fields that m had. off is behind the field's tag.
func (d *Decoder) ReadForeign(off int, m google.Message) int {
	at, last := d.Enter(off)
	off, isKnown := d.readKnown(at, last, 0, m)
	if !isKnown {
		off = d.merge(at, last, m)
	}
	return d.Leave(off, last)
}

// ForeignElement is a pointer to a message.
type ForeignElement[T any] interface {
	*T
	google.Message
}

// ForeignMessages is [Messages] for messages of another Go package.
func ForeignMessages[T any, P ForeignElement[T]](d *Decoder, list []P, tag uint32, off, end int) ([]P, int) {
	n := d.run(tag, off, end)
	list = slices.Grow(list, n)
	for n > 0 {
		block := make([]T, min(n, max(1, slabBytes/max(1, raw.SizeOf[T]()))))
		n -= len(block)
		for i := range block {
			p := P(&block[i])
			list = append(list, p)
			off = d.ReadForeign(off, p)
			if off >= broken {
				return list, off
			}
			if n > 0 || i < len(block)-1 {
				off += tagBytes(tag)
			}
		}
	}
	return list, off
}

// ReadForeignGroup is ReadForeign for a group with this number.
func (d *Decoder) ReadForeignGroup(off, end int, number uint32, m google.Message) int {
	at := d.EnterGroup(off)
	if off, isKnown := d.readKnown(at, end, number, m); isKnown {
		return d.LeaveGroup(off)
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

// merge lets google.golang.org/protobuf read a part of the message, within the depth that is left; m is one level itself.
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

// Extension is Other for a message that can be extended: google.golang.org/protobuf knows which extensions there are, and keeps a
// field that is none of them. start is where the field's tag begins.
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
	if start, isKnown := putKnown(b, off, m); isKnown {
		return start
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

// PutExtensions writes the extensions of a message that has some.
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

// CheckForeign returns the error of a required field that is not set in a message of another Go package, or in the extensions of a
// message.
func CheckForeign(m google.Message) error { return google.CheckInitialized(m) }
