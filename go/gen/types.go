package gen

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"hone/go/idl"
	"hone/go/thrift"
)

// wireTypes are the names that the Binary protocol's types have in package thrift, and their numbers.
var wireTypes = map[idl.TypeKind]struct {
	name   string
	number int
}{
	idl.Bool: {"Bool", 2}, idl.I8: {"I8", 3}, idl.Double: {"Double", 4}, idl.I16: {"I16", 6}, idl.I32: {"I32", 8},
	idl.I64: {"I64", 10}, idl.String: {"String", 11}, idl.Binary: {"String", 11}, idl.Map: {"Map", 13}, idl.Set: {"Set", 14},
	idl.List: {"List", 15}, idl.UUID: {"UUID", 16},
}

// scalars are the Go types of base types, and the names of their fields in package thrift.
var scalars = map[idl.TypeKind]struct{ goType, method string }{
	idl.Bool: {"bool", "Bool"}, idl.I8: {"int8", "I8"}, idl.I16: {"int16", "I16"}, idl.I32: {"int32", "I32"},
	idl.I64: {"int64", "I64"}, idl.Double: {"float64", "Double"}, idl.String: {"string", "Text"},
	idl.Binary: {"[]byte", "Binary"}, idl.UUID: {"[16]byte", "UUID"},
}

// sizes are the sizes in bytes of types whose values all have the same size.
var sizes = map[idl.TypeKind]int{idl.Bool: 1, idl.I8: 1, idl.I16: 2, idl.I32: 4, idl.I64: 8, idl.Double: 8, idl.UUID: 16}

// wireType returns the number of a type on the wire.
func wireType(t *idl.Type) int {
	switch {
	case t.Enum() != nil:
		return wireTypes[idl.I32].number
	case t.Struct() != nil:
		return 12
	}
	return wireTypes[t.Real().Kind].number
}

// wireName returns the name of a type in package thrift.
func wireName(t *idl.Type) string {
	switch {
	case t.Enum() != nil:
		return "thrift.I32"
	case t.Struct() != nil:
		return "thrift.Struct"
	}
	return "thrift." + wireTypes[t.Real().Kind].name
}

// key returns the key of a field in a message: type<<16 | id.
func key(f *idl.Field) string {
	return fmt.Sprintf("%d<<16|%d", wireType(f.Type), uint16(f.ID))
}

// head returns the same as the bytes of a number, the lowest byte first: the code that writes a field stores it unchanged.
func head(f *idl.Field) string {
	return fmt.Sprintf("%#06x", thrift.Head(uint32(wireType(f.Type))<<16|uint32(uint16(f.ID))))
}

// fixedSize returns the size in bytes of a type whose values all have the same size, or 0.
func fixedSize(t *idl.Type) int {
	if t.Enum() != nil {
		return sizes[idl.I32]
	}
	return sizes[t.Real().Kind]
}

// goType returns the Go type of an element of a container, or of a field that is always set.
func (g *generator) goType(t *idl.Type) string {
	if typedef, ok := t.Target.(*idl.Typedef); ok && t.Kind == idl.Named && t.Struct() == nil {
		return g.nameOf(typedef)
	}
	real := t.Real()
	switch real.Kind {
	case idl.List, idl.Set:
		return "[]" + g.elementType(real.Value)
	case idl.Map:
		if !isComparable(real.Key) {
			return fmt.Sprintf("[]thrift.Pair[%s, %s]", g.elementType(real.Key), g.elementType(real.Value))
		}
		return fmt.Sprintf("map[%s]%s", g.keyType(real.Key), g.elementType(real.Value))
	case idl.Named:
		if enum := real.Enum(); enum != nil {
			return g.nameOf(enum)
		}
		return "*" + g.nameOf(real.Target)
	}
	return scalars[real.Kind].goType
}

// elementType returns the Go type of a container's elements.
func (g *generator) elementType(t *idl.Type) string {
	if s := t.Struct(); s != nil && g.options.Values {
		return g.nameOf(s)
	}
	return g.goType(t)
}

// keyType returns the Go type of a map's keys. Bytes cannot be compared in Go, but a string of them can.
func (g *generator) keyType(t *idl.Type) string {
	if t.Real().Kind == idl.Binary {
		return "string"
	}
	return g.goType(t)
}

// isComparable reports whether Go takes values of a type as keys.
func isComparable(t *idl.Type) bool {
	switch t.Real().Kind {
	case idl.List, idl.Set, idl.Map:
		return false
	}
	return true
}

// field is a field of a struct with its names and its type in Go.
type field struct {
	*idl.Field
	name string
	// getter, setter and isSet are the names of its methods; "" where there is no such method.
	getter, setter, isSet string
	goType                string
	// isPointer says that the field is a pointer to a scalar or an enum: it is optional, and has no default.
	isPointer bool
}

// fieldsOf names fields and their methods as thriftgo does, so that no name is used twice or is in names.
func (g *generator) fieldsOf(fields []*idl.Field, names scope) []field {
	result := make([]field, len(fields))
	for i, f := range fields {
		result[i] = field{Field: f, goType: g.goType(f.Type), isPointer: isPointer(f)}
		if result[i].isPointer {
			result[i].goType = "*" + result[i].goType
		}
		// These are the names of methods in thriftgo's code that read this field, and compare it.
		names[strings.Replace(fmt.Sprintf("ReadField%d", f.ID), "-", "_", 1)] = true
		if g.options.DeepEqual {
			names[strings.Replace(fmt.Sprintf("Field%dDeepEqual", f.ID), "-", "_", 1)] = true
		}
	}
	// Names that thriftgo does not export come last, so that they change no other name.
	for _, isExported := range []bool{true, false} {
		for i := range result {
			if g.options.Names.isExported(result[i].Name) == isExported {
				g.nameMethods(&result[i], names)
			}
		}
		for i := range result {
			if g.options.Names.isExported(result[i].Name) == isExported {
				result[i].name = names.take(g.options.Names.exported(result[i].Name))
			}
		}
	}
	return result
}

// nameMethods names the methods of a field.
func (g *generator) nameMethods(f *field, names scope) {
	name := g.options.Names.exported(f.Name)
	f.getter = names.take("Get" + name)
	if g.options.Setters {
		f.setter = names.take("Set" + name)
	}
	if f.Requiredness == idl.Optional || f.Type.Struct() != nil {
		f.isSet = names.take("IsSet" + name)
	}
}

// isPointer reports whether a field is a pointer to a scalar or an enum.
func isPointer(f *idl.Field) bool {
	return f.Requiredness == idl.Optional && f.Default == nil && isScalar(f.Type)
}

// isScalar reports whether values of a type cannot be nil in Go.
func isScalar(t *idl.Type) bool {
	switch t.Real().Kind {
	case idl.Binary, idl.List, idl.Set, idl.Map:
		return false
	}
	return t.Struct() == nil
}

// tag returns the tags of a field, which codecs of other packages and the text of errors use. The annotation go.tag adds to them,
// and takes the place of the json tag if it has one, as in thriftgo.
func (f field) tag(names JSONNames) string {
	text := fmt.Sprintf("%s,%d", f.Name, f.ID)
	needsType := false
	switch real := f.Type.Real(); {
	case real.Enum() != nil, real.Kind == idl.Set, real.Kind == idl.List, real.Kind == idl.Map:
		needsType = true
	}
	if f.Requiredness != idl.RequiredDefault || needsType {
		text += "," + f.Requiredness.String()
	}
	if needsType {
		text += "," + wireText(f.Type)
	}
	tags := fmt.Sprintf("thrift:%q", text)
	own, _ := idl.FindAnnotation(f.Annotations, "go.tag")
	own = strings.ReplaceAll(own, `\"`, `"`)
	if own != "" {
		tags += " " + own
	}
	if _, has := reflect.StructTag(own).Lookup("json"); !has {
		json := names.of(f.Name)
		if f.Requiredness == idl.Optional {
			json += ",omitempty"
		}
		tags += fmt.Sprintf(" json:%q", json)
	}
	if strings.Contains(tags, "`") {
		return strconv.Quote(tags)
	}
	return "`" + tags + "`"
}

// wireText returns a type in the words of the IDL. Enums are the numbers that they are on the wire.
func wireText(t *idl.Type) string {
	real := t.Real()
	switch {
	case real.Enum() != nil:
		return "i32"
	case real.Struct() != nil:
		return "struct"
	case real.Kind == idl.Map:
		return "map<" + wireText(real.Key) + ":" + wireText(real.Value) + ">"
	case real.Kind == idl.List, real.Kind == idl.Set:
		return real.Kind.String() + "<" + wireText(real.Value) + ">"
	}
	return real.Kind.String()
}
