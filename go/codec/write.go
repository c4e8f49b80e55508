package codec

import (
	"hone/go/raw"
	"hone/go/thrift"
)

// write writes a struct's fields from off on, where there is room for them, and returns the offset behind the struct's stop.
func (s *structure) write(b []byte, off int, from raw.Ref) int {
	if from.IsNil() {
		return thrift.PutEnd(b, off)
	}
	for i := range s.fields {
		f := &s.fields[i]
		at := f.in(from)
		if f.when == always || f.isWritten(at) {
			off = f.write(b, off, at)
		}
	}
	if s.writesUnknown {
		off = thrift.PutUnknown(b, off, s.unknown.in(from).Bytes())
	}
	return thrift.PutEnd(b, off)
}

// isWritten reports whether a field that is not always written is not nil, or differs from its default.
func (f *field) isWritten(at raw.Ref) bool {
	if f.when == ifThere {
		return !at.HoldsNil()
	}
	standard := f.in(f.of.defaults().standard)
	switch f.kind {
	case textKind:
		return *raw.At[string](at) != *raw.At[string](standard)
	case i64Kind, enumKind:
		return *raw.At[int64](at) != *raw.At[int64](standard)
	case i32Kind:
		return *raw.At[int32](at) != *raw.At[int32](standard)
	case i16Kind:
		return *raw.At[int16](at) != *raw.At[int16](standard)
	case i8Kind:
		return *raw.At[int8](at) != *raw.At[int8](standard)
	case boolKind:
		return *raw.At[bool](at) != *raw.At[bool](standard)
	case doubleKind:
		return *raw.At[float64](at) != *raw.At[float64](standard)
	}
	return *raw.At[[16]byte](at) != *raw.At[[16]byte](standard)
}

// write writes a field with its header.
func (f *field) write(b []byte, off int, at raw.Ref) int {
	switch f.kind {
	case textKind:
		return thrift.PutText(b, off, f.head, *raw.At[string](at))
	case i64Kind:
		return thrift.PutI64(b, off, f.head, *raw.At[int64](at))
	case i32Kind:
		return thrift.PutI32(b, off, f.head, *raw.At[int32](at))
	case enumKind:
		return thrift.PutI32(b, off, f.head, int32(*raw.At[int64](at)))
	case boolKind:
		return thrift.PutBool(b, off, f.head, *raw.At[bool](at))
	case doubleKind:
		return thrift.PutDouble(b, off, f.head, *raw.At[float64](at))
	case optionalKind:
		return f.element.write(b, thrift.PutHead(b, off, f.head), at.Elem())
	}
	return f.value.write(b, thrift.PutHead(b, off, f.head), at)
}

// write writes a value without a header.
func (v *value) write(b []byte, off int, at raw.Ref) int {
	switch v.kind {
	case pointerKind:
		return v.structure.write(b, off, at.Elem())
	case structKind:
		return v.structure.write(b, off, at)
	case readyKind:
		return v.ready.write(b, off, at)
	case listKind:
		return v.writeList(b, off, at)
	case mapKind:
		return v.writeMap(b, off, at)
	case pairsKind:
		return v.writePairs(b, off, at)
	case textKind:
		return thrift.PutTextElement(b, off, *raw.At[string](at))
	case i64Kind:
		return thrift.PutI64Element(b, off, *raw.At[int64](at))
	case i32Kind:
		return thrift.PutI32Element(b, off, *raw.At[int32](at))
	case enumKind:
		return thrift.PutI32Element(b, off, int32(*raw.At[int64](at)))
	case binaryKind:
		return thrift.PutBinaryElement(b, off, *raw.At[[]byte](at))
	case boolKind:
		return thrift.PutBoolElement(b, off, *raw.At[bool](at))
	case doubleKind:
		return thrift.PutDoubleElement(b, off, *raw.At[float64](at))
	case i16Kind:
		return thrift.PutI16Element(b, off, *raw.At[int16](at))
	case i8Kind:
		return thrift.PutI8Element(b, off, *raw.At[int8](at))
	}
	return thrift.PutUUIDElement(b, off, *raw.At[[16]byte](at))
}

func (v *value) writeList(b []byte, off int, at raw.Ref) int {
	n := v.slices.Len(at)
	off = thrift.PutListHead(b, off, v.element.wire, n)
	for i := range n {
		off = v.element.write(b, off, v.slices.Element(at, i))
	}
	return off
}

func (v *value) writeMap(b []byte, off int, at raw.Ref) int {
	pairs := at.Value(v.goType)
	off = thrift.PutMapHead(b, off, v.key.wire, v.element.wire, pairs.Len())
	v.each(at, func(key, value raw.Ref) {
		off = v.key.write(b, off, key)
		off = v.element.write(b, off, value)
	})
	return off
}

func (v *value) writePairs(b []byte, off int, at raw.Ref) int {
	n := v.slices.Len(at)
	off = thrift.PutMapHead(b, off, v.key.wire, v.element.wire, n)
	for i := range n {
		pair := v.slices.Element(at, i)
		off = v.key.write(b, off, v.pair.key.in(pair))
		off = v.element.write(b, off, v.pair.value.in(pair))
	}
	return off
}

// each calls the function with each entry of the map, valid until that call returns.
func (v *value) each(at raw.Ref, do func(key, value raw.Ref)) {
	pairs := at.Value(v.goType)
	if pairs.Len() == 0 {
		return
	}
	e := v.pairs.Get().(*entry)
	e.each.Reset(pairs)
	for e.each.Next() {
		e.key.SetIterKey(&e.each)
		e.value.SetIterValue(&e.each)
		do(e.keyAt, e.valueAt)
	}
	e.clear()
	v.pairs.Put(e)
}
