package codec

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"hone/go/raw"
	"hone/go/thrift"
)

var (
	// known holds the structures of all types that the package has met, by reflect.Type.
	known sync.Map
	// describing is held while a new type is looked at, with all types in it. No method of a user's type is called meanwhile: it may
	// call this package.
	describing sync.Mutex
	described  atomic.Uint32
)

// structureOf returns the structure of a struct's type.
func structureOf(t reflect.Type) (*structure, error) {
	if s, ok := known.Load(t); ok {
		return s.(*structure), nil
	}
	if t.Kind() != reflect.Struct {
		return nil, &TypeError{Struct: t, Problem: "a message is a struct", Mend: "give a pointer to a struct with tags"}
	}
	describing.Lock()
	defer describing.Unlock()
	fresh := fresh{}
	s, err := fresh.structure(t)
	if err != nil {
		return nil, err
	}
	for _, one := range fresh {
		one.isRecursive = one.contains(one, map[*structure]bool{})
	}
	for _, one := range fresh {
		known.Store(one.goType, one)
	}
	return s, nil
}

// fresh are new structures that other goroutines cannot see yet.
type fresh map[reflect.Type]*structure

var keeper = reflect.TypeFor[thrift.UnknownKeeper]()

// mostRequired is the number of required fields that a struct may have: there is a bit for each.
const mostRequired = 64

func (all fresh) structure(t reflect.Type) (*structure, *TypeError) {
	if s, ok := known.Load(t); ok {
		return s.(*structure), nil
	}
	if s, ok := all[t]; ok {
		return s, nil
	}
	s := &structure{goType: t, sliceType: reflect.SliceOf(t), bytes: int(t.Size()), high: map[uint16]int{}}
	s.slot = int(described.Add(1)) % slots
	if !reflect.PointerTo(t).Implements(defaulterType) {
		s.standard.Store(&defaults{standard: raw.New(t)})
	}
	s.keeps = reflect.PointerTo(t).Implements(keeper)
	all[t] = s
	for i := range t.NumField() {
		f := t.Field(i)
		if err := all.add(s, f, i); err != nil {
			if err.Struct == nil {
				err.Struct, err.Field = t, f.Name
			}
			return nil, err
		}
		if f.Name == "unknown" && f.Type == reflect.TypeFor[[]byte]() && s.keeps {
			s.unknown, s.writesUnknown = place{f.Offset, i}, true
		}
	}
	s.order()
	return s, nil
}

// order sorts the fields by their ids, which is the order in which all programs write them.
func (s *structure) order() {
	slices.SortFunc(s.fields, func(a, b field) int { return int(int16(a.key)) - int(int16(b.key)) })
	for i := range s.fields {
		if id := uint16(s.fields[i].key); id >= lowIDs {
			s.high[id] = i + 1
		} else {
			s.low[id] = uint16(i + 1)
		}
	}
}

// add adds a field to a structure, if the field is part of the message.
func (all fresh) add(s *structure, f reflect.StructField, index int) *TypeError {
	tag, isField, err := tagOf(f)
	if err != nil || !isField {
		return err
	}
	if !f.IsExported() {
		return problem("begin its name with a capital, or take the tag away", "a field of a message cannot be read")
	}
	v, err := all.field(f.Type, tag)
	if err != nil {
		return err
	}
	key := uint32(v.wire)<<16 | uint32(uint16(tag.id))
	result := field{
		key:   key,
		head:  thrift.Head(key),
		kind:  v.kind,
		place: place{f.Offset, index},
		value: v,
		when:  conditionOf(v, tag.requiredness),
		of:    s,
	}
	if tag.requiredness == required {
		if s.all == ^thrift.Seen(0) {
			return problem("make some of them optional", "a struct can have %d required fields", mostRequired)
		}
		result.bit = s.all + 1
		s.all |= result.bit
	}
	s.fields = append(s.fields, result)
	return s.index(uint16(tag.id), len(s.fields))
}

// index makes the nth field the field of this id.
func (s *structure) index(id uint16, n int) *TypeError {
	if int(id) < len(s.low) && s.low[id] != 0 || s.high[id] != 0 {
		return problem("give each field an id of its own", "two fields have the id %d", int16(id))
	}
	if id >= lowIDs {
		s.high[id] = n
		return nil
	}
	if missing := int(id) + 1 - len(s.low); missing > 0 {
		s.low = append(s.low, make([]uint16, missing)...)
	}
	s.low[id] = uint16(n)
	return nil
}

// conditionOf returns the condition under which a field is written. A nil pointer to a struct is written, as an empty struct, only
// where the field is required.
func conditionOf(v *value, need requiredness) condition {
	switch {
	case v.kind == pointerKind && need != required, v.kind == optionalKind:
		return ifThere
	case need != optional, v.kind == structKind:
		return always
	case v.kind == binaryKind, v.kind >= readyKind:
		return ifThere
	}
	return ifOther
}

// contains reports whether the other struct can lie in this one.
func (s *structure) contains(other *structure, visited map[*structure]bool) bool {
	for i := range s.fields {
		if s.fields[i].value.contains(other, visited) {
			return true
		}
	}
	return false
}

func (v *value) contains(other *structure, visited map[*structure]bool) bool {
	switch {
	case v == nil:
		return false
	case v.structure == nil:
		return v.element.contains(other, visited) || v.key.contains(other, visited)
	case v.structure == other:
		return true
	case visited[v.structure]:
		return false
	}
	visited[v.structure] = true
	return v.structure.contains(other, visited)
}
