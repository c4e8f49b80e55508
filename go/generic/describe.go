package generic

import (
	"slices"

	"hone/go/idl"
	"hone/go/thrift"
)

// value describes a type, with typedefs looked through.
type value struct {
	// kind is idl.Named for enums and structs.
	kind idl.TypeKind
	wire thrift.Type
	// text is the type as the IDL writes it; errors use it.
	text      string
	enum      *idl.Enum
	structure *structure
	// element describes the elements of a list or a set, or the values of a map; key describes the keys of a map.
	element, key *value
}

// field is a field of a struct.
type field struct {
	name string
	// key is the head that announces the field in a message: type<<16
	// id.
	key  uint32
	need idl.Requiredness
	// index is the field's place in its struct.
	index int
	*value
	// standard is the field's default as an element of the Binary protocol; nil if it has none.
	standard []byte
	// constant is the default before its bytes are made; nil afterwards.
	constant *idl.Value
	declared *idl.Type
}

func (f *field) id() int16 { return int16(f.key) }

// structure describes a struct.
type structure struct {
	// title and member are words for errors, such as "the struct User" and "field".
	title, member string
	isUnion       bool
	// isRecursive is true if a value of the struct may contain other values of the same struct.
	isRecursive bool
	// isResult is true if the struct is the result of a function: field 0 is the value that it returns, and other fields are its exceptions.
	isResult bool
	// fields are sorted by their ids.
	fields []field
	byKey  map[uint32]*field
}

// wires are the protocol's types by the types of the IDL.
var wires = map[idl.TypeKind]thrift.Type{
	idl.Bool: thrift.Bool, idl.I8: thrift.I8, idl.I16: thrift.I16, idl.I32: thrift.I32, idl.I64: thrift.I64, idl.Double: thrift.Double,
	idl.String: thrift.String, idl.Binary: thrift.String, idl.UUID: thrift.UUID, idl.List: thrift.List, idl.Set: thrift.Set, idl.Map: thrift.Map,
}

// descriptions has the descriptions of the structs of a program that were met so far.
type descriptions struct {
	recursive map[*idl.Struct]bool
	known     map[*idl.Struct]*structure
	// all has them in the order in which they were met, the arguments and results of functions among them.
	all []*structure
}

func newDescriptions(program *idl.Program) *descriptions {
	return &descriptions{recursive: program.RecursiveStructs(), known: map[*idl.Struct]*structure{}}
}

func (all *descriptions) function(f *idl.Function, options Options) *Function {
	made := &Function{Name: f.Name, Doc: f.Doc(), IsOneway: f.Oneway, declaration: declarationOf(f), options: options}
	if mode := f.Streaming(); mode != idl.NotStreaming {
		made.TakesStream, made.GivesStream = mode != idl.ServerStreaming, mode != idl.ClientStreaming
		made.args, made.result = all.structure(f.Arguments[0].Type.Struct()), all.structure(f.Result.Struct())
		return made
	}
	title := "the function " + f.Name
	result := &structure{title: title, isResult: true}
	given := throwable(f.Throws)
	if f.Result != nil {
		given = append(given, &idl.Field{Name: resultName, Requiredness: idl.Optional, Type: f.Result})
	}
	all.fields(result, given)
	args := &structure{title: title, member: "argument"}
	all.fields(args, arguments(f.Arguments))
	made.args, made.result = args, result
	return made
}

// arguments returns the arguments of a function. The word optional before an argument has no effect, as in Apache's compiler.
func arguments(declared []*idl.Field) []*idl.Field {
	return withNeed(declared, func(need idl.Requiredness) idl.Requiredness {
		if need == idl.Optional {
			return idl.RequiredDefault
		}
		return need
	})
}

// throwable returns the exceptions of a function as fields of its result. A result holds one of them at most.
func throwable(declared []*idl.Field) []*idl.Field {
	return withNeed(declared, func(idl.Requiredness) idl.Requiredness { return idl.Optional })
}

func withNeed(declared []*idl.Field, need func(idl.Requiredness) idl.Requiredness) []*idl.Field {
	fields := make([]*idl.Field, len(declared))
	for i, d := range declared {
		f := *d
		f.Requiredness = need(f.Requiredness)
		fields[i] = &f
	}
	return fields
}

func (all *descriptions) structure(d *idl.Struct) *structure {
	if s := all.known[d]; s != nil {
		return s
	}
	s := &structure{title: "the " + d.Kind.String() + " " + d.Name, member: "field", isUnion: d.Kind == idl.KindUnion, isRecursive: all.recursive[d]}
	all.known[d] = s
	all.fields(s, d.Fields)
	return s
}

func (all *descriptions) fields(s *structure, declared []*idl.Field) {
	all.all = append(all.all, s)
	for _, d := range declared {
		v := all.value(d.Type)
		f := field{name: d.Name, key: uint32(v.wire)<<16 | uint32(uint16(d.ID)), need: d.Requiredness, value: v, declared: d.Type}
		if s.isUnion {
			f.need = idl.Optional
		} else if !s.isResult {
			f.constant = d.Default
		}
		s.fields = append(s.fields, f)
	}
	slices.SortStableFunc(s.fields, func(a, b field) int { return int(a.id()) - int(b.id()) })
	s.byKey = make(map[uint32]*field, len(s.fields))
	for i := range s.fields {
		s.fields[i].index = i
		s.byKey[s.fields[i].key] = &s.fields[i]
	}
}

func (all *descriptions) value(t *idl.Type) *value {
	real := t.Real()
	v := &value{kind: real.Kind, wire: wires[real.Kind], text: real.String(), enum: real.Enum()}
	switch {
	case v.enum != nil:
		v.wire = thrift.I32
	case real.Struct() != nil:
		v.wire, v.structure = thrift.Struct, all.structure(real.Struct())
	case real.Kind == idl.Map:
		v.key, v.element = all.value(real.Key), all.value(real.Value)
	case real.Kind == idl.List || real.Kind == idl.Set:
		v.element = all.value(real.Value)
	}
	return v
}

// named returns the field with a name, or nil.
func (s *structure) named(name string) *field {
	for i := range s.fields {
		if s.fields[i].name == name {
			return &s.fields[i]
		}
	}
	return nil
}

// names returns the names of the struct's fields.
func (s *structure) names() []string {
	names := make([]string, len(s.fields))
	for i := range s.fields {
		names[i] = s.fields[i].name
	}
	return names
}

// isText reports whether values of the type can be the names in a JSON object.
func (v *value) isText() bool { return v.structure == nil && v.element == nil }

// isPlain reports whether an optional field of this type is left out if it equals its default. Generated code does the same; there, optional fields
// of all other types are pointers or slices.
func (v *value) isPlain() bool { return v.isText() && v.kind != idl.Binary }
