package codec

import (
	"reflect"

	"hone/go/raw"
	"hone/go/thrift"
)

// slots is the number of types that a reader has memory for at a time. Types share a place. A type that finds another type's memory
// there begins anew.
const slots = thrift.Slots

// block is memory for structs of one type.
type block struct {
	of *structure
	// size is the number of structs that the memory was allocated for.
	size   int
	memory raw.Block
}

// reader reads one message. Package thrift sees it as a struct with generated code.
type reader struct {
	d      *thrift.Decoder
	of     *structure
	into   raw.Ref
	blocks [slots]block
}

// ReadThrift reads the message's struct.
func (r *reader) ReadThrift(d *thrift.Decoder, off int) int {
	r.d = d
	return r.fields(r.of, off, r.into)
}

// fields reads a struct from off on, and returns the offset behind its stop. Most messages have their fields in the order of ids:
// so fields looks for each field behind the one before it, and only then by its id.
func (r *reader) fields(s *structure, off int, into raw.Ref) int {
	d := r.d
	var key uint32
	if s.isRecursive {
		key = d.Enter(off)
		defer d.Leave(off)
	} else {
		key = d.Key(off)
	}
	var seen thrift.Seen
	for next := 0; key>>16 != 0; next++ {
		if next >= len(s.fields) || s.fields[next].key != key {
			found := s.find(key)
			if found < 0 {
				off = r.unknown(s, off, key, into)
				if d.Broken() {
					return off
				}
				key = d.Key(off)
				next--
				continue
			}
			next = found
		}
		f := &s.fields[next]
		seen |= f.bit
		off, key = r.field(f, off, f.in(into))
	}
	if seen == s.all {
		return off + 1
	}
	d.Lacking(off, seen, s.all)
	return off + 1
}

// unknown skips a field that a struct does not have, and gives it to the struct if that keeps such fields.
func (r *reader) unknown(s *structure, off int, key uint32, into raw.Ref) int {
	if s.keeps {
		return r.d.SkipField(off, key, into.Value(s.goType).Addr().Interface().(thrift.UnknownKeeper))
	}
	return r.d.SkipField(off, key, nil)
}

// field reads a field, and returns the offset behind it and the key of the next field.
func (r *reader) field(f *field, off int, into raw.Ref) (int, uint32) {
	d := r.d
	var key uint32
	switch f.kind {
	case textKind:
		*raw.At[string](into), off, key = d.Text(off)
	case i64Kind:
		*raw.At[int64](into), off, key = d.I64(off)
	case i32Kind:
		*raw.At[int32](into), off, key = d.I32(off)
	case enumKind:
		var number int32
		number, off, key = d.I32(off)
		*raw.At[int64](into) = int64(number)
	case boolKind:
		*raw.At[bool](into), off, key = d.Bool(off)
	case doubleKind:
		*raw.At[float64](into), off, key = d.Double(off)
	case i16Kind:
		*raw.At[int16](into), off, key = d.I16(off)
	case i8Kind:
		*raw.At[int8](into), off, key = d.I8(off)
	case optionalKind:
		return r.optional(f.value, off, into)
	case structKind:
		// Nothing remains of an earlier struct in the same field.
		into.Value(f.goType).SetZero()
		off = r.element(f.value, off+3, into)
		key = d.Key(off)
	default:
		off = r.element(f.value, off+3, into)
		key = d.Key(off)
	}
	return off, key
}

// optional reads a field that is a pointer to a scalar.
func (r *reader) optional(v *value, off int, into raw.Ref) (int, uint32) {
	if v.pointer != nil {
		return v.pointer(r.d, off, into)
	}
	r.d.Allocate(1, int(v.element.goType.Size()), off)
	one := raw.New(v.element.goType)
	into.Point(one)
	off = r.element(v.element, off+3, one)
	return off, r.d.Key(off)
}

// element reads a value that has no header, and returns the offset behind it.
func (r *reader) element(v *value, off int, into raw.Ref) int {
	d := r.d
	switch v.kind {
	case pointerKind:
		one := r.one(v.structure, off)
		into.Point(one)
		return r.fields(v.structure, off, one)
	case structKind:
		v.structure.initDefault(into)
		return r.fields(v.structure, off, into)
	case readyKind:
		return v.ready.read(d, off, into)
	case listKind:
		return r.list(v, off, into)
	case mapKind:
		return r.mapping(v, off, into)
	case pairsKind:
		return r.pairs(v, off, into)
	case textKind:
		*raw.At[string](into), off = d.TextElement(off)
	case i64Kind:
		*raw.At[int64](into), off = d.I64Element(off)
	case i32Kind:
		*raw.At[int32](into), off = d.I32Element(off)
	case enumKind:
		var number int32
		number, off = d.I32Element(off)
		*raw.At[int64](into) = int64(number)
	case binaryKind:
		*raw.At[[]byte](into), off = d.BinaryElement(off)
	case boolKind:
		*raw.At[bool](into), off = d.BoolElement(off)
	case doubleKind:
		*raw.At[float64](into), off = d.DoubleElement(off)
	case i16Kind:
		*raw.At[int16](into), off = d.I16Element(off)
	case i8Kind:
		*raw.At[int8](into), off = d.I8Element(off)
	case uuidKind:
		*raw.At[[16]byte](into), off = d.UUIDElement(off)
	}
	return off
}

// one returns a new struct with its defaults, for a field or an element at off. The first struct of a type is allocated alone; then
// memory for four is allocated, and later for four times as many as the last time.
func (r *reader) one(s *structure, off int) raw.Ref {
	b := &r.blocks[s.slot]
	if b.of != s || b.memory.Left() == 0 {
		if !r.more(b, s, off) {
			one := raw.New(s.goType)
			s.initDefault(one)
			return one
		}
	}
	one := b.memory.Next()
	s.initDefault(one)
	return one
}

// more allocates memory for several structs of a type, if the reader has already met the type.
func (r *reader) more(b *block, s *structure, off int) bool {
	if b.of != s {
		*b = block{of: s, size: 1}
		r.d.Allocate(1, s.bytes, off)
		return false
	}
	n := max(1, min(4*b.size, thrift.BatchBytes/max(s.bytes, 1), r.d.Remaining(off)))
	if !r.d.Allocate(n, s.bytes, off) {
		return false
	}
	b.size, b.memory = n, raw.NewBlock(s.sliceType, n)
	return true
}

// some allocates memory for at least one and at most n structs.
func (r *reader) some(s *structure, n, off int) raw.Block {
	return raw.NewBlock(s.sliceType, r.d.AllocateSome(n, s.bytes, off))
}

// list reads a list or a set.
func (r *reader) list(v *value, off int, into raw.Ref) int {
	n, at := r.d.ListHead(off, v.element.wire)
	if !r.d.Allocate(n, int(v.goType.Elem().Size()), off) {
		return at
	}
	v.slices.Make(into, n)
	if v.element.kind == pointerKind {
		return r.structs(v, n, at, into)
	}
	for i := range n {
		at = r.element(v.element, at, v.slices.Element(into, i))
		if r.d.Broken() {
			break
		}
	}
	return at
}

// structs reads the n elements of a list of pointers to structs.
func (r *reader) structs(v *value, n, at int, into raw.Ref) int {
	s := v.element.structure
	var memory raw.Block
	for i := range n {
		if memory.Left() == 0 {
			memory = r.some(s, n-i, at)
		}
		one := memory.Next()
		s.initDefault(one)
		v.slices.Element(into, i).Point(one)
		at = r.fields(s, at, one)
		if r.d.Broken() {
			break
		}
	}
	return at
}

// mapping reads a map.
func (r *reader) mapping(v *value, off int, into raw.Ref) int {
	n, at := r.d.MapHead(off, v.key.wire, v.element.wire)
	if !r.d.AllocatePairs(n, int(v.goType.Key().Size()), int(v.goType.Elem().Size()), off) {
		return at
	}
	pairs := reflect.MakeMapWithSize(v.goType, n)
	into.Value(v.goType).Set(pairs)
	if n == 0 {
		return at
	}
	e := v.pairs.Get().(*entry)
	for range n {
		at = r.element(v.key, at, e.keyAt)
		at = r.element(v.element, at, e.valueAt)
		if r.d.Broken() {
			break
		}
		pairs.SetMapIndex(e.key, e.value)
		e.key.SetZero()
		e.value.SetZero()
	}
	e.clear()
	v.pairs.Put(e)
	return at
}

// pairs reads a map into a slice of its entries.
func (r *reader) pairs(v *value, off int, into raw.Ref) int {
	n, at := r.d.MapHead(off, v.key.wire, v.element.wire)
	if !r.d.Allocate(n, int(v.goType.Elem().Size()), off) {
		return at
	}
	v.slices.Make(into, n)
	for i := range n {
		pair := v.slices.Element(into, i)
		at = r.element(v.key, at, v.pair.key.in(pair))
		at = r.element(v.element, at, v.pair.value.in(pair))
		if r.d.Broken() {
			break
		}
	}
	return at
}
