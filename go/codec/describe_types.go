package codec

import (
	"reflect"

	"hone/go/raw"
	"hone/go/thrift"
)

// field describes a field's type: a type that elements may have too, or a pointer to a scalar.
func (all fresh) field(t reflect.Type, tag tag) (*value, *TypeError) {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() == reflect.Struct {
		return all.value(t, tag.spec)
	}
	element, err := all.value(t.Elem(), tag.spec)
	switch {
	case err != nil:
		return nil, err
	case element.kind > enumKind || element.kind == binaryKind:
		return nil, problem("use "+t.Elem().String(), "a pointer to %v says no more than it does", t.Elem())
	case tag.requiredness != optional:
		return nil, problem("say optional in the tag, or use "+t.Elem().String(), "only an optional field can be a pointer to %v", t.Elem())
	}
	return &value{kind: optionalKind, wire: element.wire, goType: t, element: element, pointer: pointers[t]}, nil
}

// scalar describes a kind of Go, and the words that tags may use for it.
type scalar struct {
	kind  kind
	wire  thrift.Type
	words []string
}

var scalars = map[reflect.Kind]scalar{
	reflect.Bool:    {boolKind, thrift.Bool, []string{"bool"}},
	reflect.Int8:    {i8Kind, thrift.I8, []string{"i8", "byte"}},
	reflect.Int16:   {i16Kind, thrift.I16, []string{"i16"}},
	reflect.Int32:   {i32Kind, thrift.I32, []string{"i32"}},
	reflect.Int64:   {i64Kind, thrift.I64, []string{"i64"}},
	reflect.Float64: {doubleKind, thrift.Double, []string{"double"}},
	reflect.String:  {textKind, thrift.String, []string{"string", "binary"}},
}

// words are the names of the protocol's types. All other words in a tag are names of structs and enums.
var words = map[string]bool{
	"bool": true, "i8": true, "byte": true, "i16": true, "i32": true, "i64": true, "double": true, "string": true,
	"binary": true, "uuid": true, "list": true, "set": true, "map": true, "struct": true, "enum": true,
}

// value describes the type of an element.
func (all fresh) value(t reflect.Type, s *spec) (*value, *TypeError) {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		if of := t.Elem(); of.Kind() == reflect.Uint8 && of != reflect.TypeFor[byte]() {
			return nil, problem("use []byte or [16]byte", "Thrift has no type for %v", t)
		}
	}
	switch t.Kind() {
	case reflect.Slice:
		return all.slice(t, s)
	case reflect.Map:
		return all.mapping(t, s)
	case reflect.Struct, reflect.Pointer:
		return all.nested(t, s)
	case reflect.Array:
		if t.Len() == 16 && t.Elem().Kind() == reflect.Uint8 {
			return &value{kind: uuidKind, wire: thrift.UUID, goType: t}, s.allow(t, "uuid")
		}
	case reflect.Int64:
		return integer(t, s)
	}
	known, ok := scalars[t.Kind()]
	if !ok {
		return nil, problem("use the type that generated code has for it: bool, int8, int16, int32, int64, float64, string, []byte, [16]byte, a slice, a map or a struct",
			"Thrift has no type for %v", t)
	}
	if known.kind == i32Kind && s != nil && !words[s.word] {
		s = nil
	}
	return &value{kind: known.kind, wire: known.wire, goType: t}, s.allow(t, known.words...)
}

// integer describes an int64, which is an i64 or an enum.
func integer(t reflect.Type, s *spec) (*value, *TypeError) {
	long := &value{kind: i64Kind, wire: thrift.I64, goType: t}
	enum := &value{kind: enumKind, wire: thrift.I32, goType: t}
	_, hasName := t.MethodByName("String")
	switch word := s.says(); {
	case word == "" && hasName:
		return nil, problem("say i32 in the tag for an enum, and i64 for a number", "%v may be an enum or a number", t)
	case word == "" || word == "i64":
		return long, nil
	case word == "i32" || word == "enum" || !words[word]:
		return enum, nil
	}
	return nil, s.allow(t, "i64", "i32")
}

// allow refuses a tag that names another type than Go's.
func (s *spec) allow(t reflect.Type, allowed ...string) *TypeError {
	if s == nil {
		return nil
	}
	for _, word := range allowed {
		if s.word == word {
			return nil
		}
	}
	return problem("say "+allowed[0]+" in the tag, or change Go's type", "the tag says %s, and Go's type is %v", s.word, t)
}

// nested describes a struct, or a pointer to one.
func (all fresh) nested(t reflect.Type, s *spec) (*value, *TypeError) {
	kind, of := structKind, t
	if t.Kind() == reflect.Pointer {
		kind, of = pointerKind, t.Elem()
	}
	if of.Kind() != reflect.Struct {
		return nil, problem("use "+of.String(), "an element cannot be a pointer to %v", of)
	}
	if s != nil && words[s.word] && s.word != "struct" {
		return nil, s.allow(t, "struct")
	}
	structure, err := all.structure(of)
	if err != nil {
		return nil, err
	}
	return &value{kind: kind, wire: thrift.Struct, goType: t, structure: structure}, nil
}

func (all fresh) slice(t reflect.Type, s *spec) (*value, *TypeError) {
	if t.Elem().Kind() == reflect.Uint8 {
		return &value{kind: binaryKind, wire: thrift.String, goType: t}, s.allow(t, "binary", "string")
	}
	if thrift.IsPair(t.Elem()) {
		return all.pairs(t, s)
	}
	if err := s.allow(t, "list", "set"); err != nil {
		return nil, err
	}
	element, err := all.value(t.Elem(), s.arg(0))
	if err != nil {
		return nil, err
	}
	v := &value{kind: listKind, wire: thrift.List, goType: t, element: element, slices: raw.SlicesOf(t)}
	if s.says() == "set" {
		v.wire = thrift.Set
	}
	if v.ready = lists[t.Elem()]; v.ready != nil && element.kind != enumKind {
		v.kind = readyKind
	}
	return v, nil
}

func (all fresh) mapping(t reflect.Type, s *spec) (*value, *TypeError) {
	v, err := all.entries(t, t.Key(), t.Elem(), s)
	if err != nil {
		return nil, err
	}
	v.kind, v.pairs = mapKind, newEntries(t)
	v.ready = maps[reflect.MapOf(t.Key(), t.Elem())]
	// The maps that have code of their own hold neither enums nor sets.
	if v.ready != nil && v.key.kind != enumKind && v.element.kind != enumKind && v.element.wire != thrift.Set {
		v.kind = readyKind
	}
	return v, nil
}

// pairs describes a map that is a slice of its entries in Go.
func (all fresh) pairs(t reflect.Type, s *spec) (*value, *TypeError) {
	key, element := t.Elem().Field(0), t.Elem().Field(1)
	v, err := all.entries(t, key.Type, element.Type, s)
	if err != nil {
		return nil, err
	}
	v.kind, v.slices = pairsKind, raw.SlicesOf(t)
	v.pair.key, v.pair.value = place{key.Offset, 0}, place{element.Offset, 1}
	return v, nil
}

func (all fresh) entries(t, key, element reflect.Type, s *spec) (*value, *TypeError) {
	if err := s.allow(t, "map"); err != nil {
		return nil, err
	}
	v := &value{wire: thrift.Map, goType: t}
	var err *TypeError
	if v.key, err = all.value(key, s.arg(0)); err != nil {
		return nil, err
	}
	v.element, err = all.value(element, s.arg(1))
	return v, err
}
