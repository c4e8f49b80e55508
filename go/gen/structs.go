package gen

import (
	"cmp"
	"path"
	"slices"

	"hone/go/idl"
)

// structure is a struct in the generated code: a struct of the IDL, or the struct of a function's arguments or result.
type structure struct {
	name   string
	doc    idl.Notes
	fields []field
	// of is the struct of the IDL; nil for the structs of functions.
	of        *idl.Struct
	recursive bool
}

// byID returns the fields in the order of their ids. Apache's code and other code write them in this order.
func (s *structure) byID() []field {
	return slices.SortedStableFunc(slices.Values(s.fields), func(a, b field) int { return cmp.Compare(a.ID, b.ID) })
}

func (g *generator) structure(d *idl.Struct) {
	s := &structure{
		name:      g.pack.types[d],
		doc:       d.Notes,
		fields:    g.fieldsOfStruct(d),
		of:        d,
		recursive: g.recursive[d],
	}
	g.declare(s)
	g.accessors(s)
	g.codec(s)
	g.comparisons(s)
	if d.Kind == idl.KindException {
		g.out("// Error makes the struct an error.")
		g.out("func (p *%s) Error() string { return p.String() }\n", s.name)
	}
	if d.Kind == idl.KindUnion {
		g.union(s)
	}
}

// fieldsOfStruct returns a struct's fields with their names.
func (g *generator) fieldsOfStruct(s *idl.Struct) []field {
	return g.fieldsOf(fieldsOf(s), g.options.methodNames(s.Kind, g.packs[s.In()].types[s]))
}

// fieldsOf returns a struct's fields. The fields of a union are all optional, whatever the IDL says: only one of them is set.
func fieldsOf(s *idl.Struct) []*idl.Field {
	if s.Kind != idl.KindUnion {
		return s.Fields
	}
	var fields []*idl.Field
	for _, field := range s.Fields {
		optional := *field
		optional.Requiredness = idl.Optional
		fields = append(fields, &optional)
	}
	return fields
}

// methodNames returns the names that fields cannot have, since methods of a struct have them. A method that an option adds takes
// its name from fields only with that option, so that names equal thriftgo's wherever possible.
func (o Options) methodNames(of idl.StructKind, name string) scope {
	names := scope{}
	add := func(isThere bool, some ...string) {
		for _, name := range some {
			names[name] = names[name] || isThere
		}
	}
	// thriftgo always keeps Read and Write from fields.
	add(true, "ReadThrift", "WriteThrift", "InitDefault", "String", "Read", "Write")
	add(of == idl.KindException, "Error")
	add(of == idl.KindUnion, "CountSetFields", "CountSetFields"+name)
	add(o.DeepEqual, "DeepEqual")
	add(o.DeepCopy, "DeepCopy")
	add(o.KeepUnknown, "KeepUnknown", "CarryingUnknownFields")
	add(o.FastCodec, "BLength", "FastRead", "FastWrite", "FastWriteNocopy")
	add(of == idl.KindException && o.Apache == Apache014, "TExceptionType")
	return names
}

// messageMethodNames returns such names for the structs of functions.
func (o Options) messageMethodNames() scope {
	names := o.methodNames(idl.KindStruct, "")
	for _, name := range []string{"GetFirstArgument", "GetResult", "SetSuccess"} {
		names[name] = o.FastCodec
	}
	return names
}

// declare writes the struct itself, and the function that makes one.
func (g *generator) declare(s *structure) {
	if s.of != nil {
		kind := [...]string{idl.KindStruct: "a struct", idl.KindUnion: "a union", idl.KindException: "an exception"}[s.of.Kind]
		g.doc(s.doc, s.name+" is "+kind+" of "+path.Base(g.file.Path)+".")
	}
	g.out("type %s struct {", s.name)
	for _, f := range s.fields {
		g.doc(f.Notes, "")
		g.out("%s %s %s", f.name, f.goType, f.tag(g.options.JSON))
	}
	if g.options.KeepUnknown {
		g.out("unknown []byte")
	}
	g.out("}\n")
	if s.of == nil {
		return
	}
	maker := g.pack.makers[s.of]
	g.out("// %s returns a value with the defaults of the IDL.", maker)
	g.out("func %s() *%s {", maker, s.name)
	if hasDefaults(s.of) {
		g.out("p := &%s{}\np.InitDefault()\nreturn p\n}\n", s.name)
	} else {
		g.out("return &%s{}\n}\n", s.name)
	}
	g.initDefault(s)
}

// initDefault writes the method that sets defaults, also where there are none: code for thriftgo's structs calls it on any struct.
func (g *generator) initDefault(s *structure) {
	if !slices.ContainsFunc(s.fields, func(f field) bool { return f.Default != nil }) {
		g.out("// InitDefault sets nothing: no field has a default.\nfunc (p *%s) InitDefault() {}\n", s.name)
		return
	}
	g.out("// InitDefault sets the fields that have a default.")
	g.out("func (p *%s) InitDefault() {", s.name)
	for _, f := range s.fields {
		if f.Default != nil {
			g.out("p.%s = %s", f.name, g.value(f.Default, f.Type))
		}
	}
	g.out("}\n")
}

// hasDefaults reports whether defaults must be set in a struct when it is made.
func hasDefaults(s *idl.Struct) bool {
	for _, f := range s.Fields {
		if f.Default != nil {
			return true
		}
	}
	return false
}

// accessors writes getters, and the methods that say whether a field is set. Like the codec they have no comments of their own:
// their names say enough, and generated code is long already.
func (g *generator) accessors(s *structure) {
	for _, f := range s.fields {
		condition := g.isSet(f)
		if condition != "" {
			g.out("func (p *%s) %s() bool { return %s }\n", s.name, f.isSet, condition)
		}
		g.getter(s, f)
		if g.options.Setters {
			g.out("func (p *%s) %s(v %s) { p.%s = v }\n", s.name, f.setter, f.goType, f.name)
		}
	}
	g.out("func (p *%s) String() string { return thrift.Text(p, %q) }\n", s.name, s.name)
}

// getter writes the method that returns a field's value, its default where it is not set, and the zero value if the struct is nil.
func (g *generator) getter(s *structure, f field) {
	plain := g.goType(f.Type)
	g.out("func (p *%s) %s() (v %s) {", s.name, f.getter, plain)
	if f.isPointer {
		g.out("if p != nil && p.%s != nil {\nv = *p.%s\n}\nreturn v\n}\n", f.name, f.name)
		return
	}
	if f.Requiredness == idl.Optional && f.Default != nil && !isScalar(f.Type) {
		g.out("if p != nil && p.%s != nil {\nreturn p.%s\n}\nreturn %s\n}\n", f.name, f.name, g.value(f.Default, f.Type))
		return
	}
	g.out("if p != nil {\nv = p.%s\n}\nreturn v\n}\n", f.name)
}

// isSet returns the condition under which an optional field, or a struct, is set; "" for a field that always is.
func (g *generator) isSet(f field) string {
	switch {
	case f.isPointer, f.Type.Struct() != nil:
		return "p." + f.name + " != nil"
	case f.Requiredness != idl.Optional:
		return ""
	case isScalar(f.Type):
		// The field is optional with a default: a value equal to the default need not be sent.
		return "p." + f.name + " != " + g.value(f.Default, f.Type)
	}
	return "p." + f.name + " != nil"
}

// union writes the method that counts the fields of a union that are set: one, in a valid union.
func (g *generator) union(s *structure) {
	g.out("// CountSetFields%s returns the number of fields that are set. A union has 1.", s.name)
	g.out("func (p *%s) CountSetFields%s() (count int) {", s.name, s.name)
	for _, f := range s.fields {
		g.out("if %s {\ncount++\n}", g.isSet(f))
	}
	g.out("return count\n}\n")
}
