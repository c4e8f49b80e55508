package protogen

import (
	"cmp"
	"slices"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// write writes the method that writes a message. The method writes backwards: unknown fields first, then extensions, then the fields from the highest
// number to the lowest. So in the message the fields are in the order of their numbers, and extensions and unknown fields follow them.
func (g *generator) write(message *protogen.Message) {
	g.P("// WritePB writes all fields so that they end at off. Generated code calls it.")
	g.P("func (m *", message.GoIdent.GoName, ") WritePB(b []byte, off int) int {")
	g.P("if m == nil {\nreturn off\n}")
	g.P("if len(m.unknownFields) > 0 {\noff = ", g.call("PutUnknown"), "(b, off, m.unknownFields)\n}")
	if isExtendable(message) {
		g.P("if len(m.extensionFields) > 0 {\noff = ", g.call("PutExtensions"), "(b, off, m)\n}")
	}
	fields := slices.Clone(message.Fields)
	slices.SortFunc(fields, func(a, b *protogen.Field) int { return cmp.Compare(b.Desc.Number(), a.Desc.Number()) })
	isWritten := map[*protogen.Oneof]bool{}
	for _, field := range fields {
		switch {
		case !inOneof(field):
			g.writeField(field)
		case !isWritten[field.Oneof]:
			isWritten[field.Oneof] = true
			g.writeOneof(field.Oneof)
		}
	}
	g.P("return off\n}")
	g.P()
}

func isExtendable(message *protogen.Message) bool { return message.Desc.ExtensionRanges().Len() > 0 }

// writeField writes the code that writes a field if it is set.
func (g *generator) writeField(field *protogen.Field) {
	value := "m." + field.GoName
	switch {
	case field.Desc.IsMap():
		g.writeMap(field, value)
	case field.Desc.IsList():
		g.writeList(field, value)
	case isMessage(field), field.Desc.HasPresence() && !isPointer(field):
		g.P("if ", value, " != nil {\noff = ", g.put(field, value), "\n}")
	case isPointer(field):
		g.P("if ", value, " != nil {\noff = ", g.put(field, "*"+value), "\n}")
	default:
		g.P("if ", g.isNotZero(field, value), " {\noff = ", g.put(field, value), "\n}")
	}
}

// isNotZero returns the condition under which a field without presence is written. A negative zero is written.
func (g *generator) isNotZero(field *protogen.Field, value string) string {
	bits := func(name string) string {
		return g.QualifiedGoIdent(protogen.GoImportPath("math").Ident(name)) + "(" + value + ") != 0"
	}
	switch field.Desc.Kind() {
	case protoreflect.BoolKind:
		return value
	case protoreflect.StringKind, protoreflect.BytesKind:
		return "len(" + value + ") > 0"
	case protoreflect.FloatKind:
		return bits("Float32bits")
	case protoreflect.DoubleKind:
		return bits("Float64bits")
	}
	return value + " != 0"
}

// put returns a call that writes a field with this value, and returns the offset where the field begins.
func (g *generator) put(field *protogen.Field, value string) string {
	tag := tagOf(field)
	switch {
	case isMessage(field) && !g.hasCode(field.Message) && isGroup(field):
		return g.call("PutForeignGroup") + "(b, off, " + tag + ", " + value + ")"
	case isMessage(field) && !g.hasCode(field.Message):
		return g.call("PutForeign") + "(b, off, " + tag + ", " + value + ")"
	case isGroup(field):
		put := g.call("PutTag")
		return put + "(b, " + value + ".WritePB(b, " + put + "(b, off, " + g.endTag(field) + ")), " + tag + ")"
	case isMessage(field):
		return g.call("PutLength") + "(b, " + value + ".WritePB(b, off), off, " + tag + ")"
	}
	k := kindOf(field)
	if k.convert != "" {
		value = k.convert + "(" + value + ")"
	}
	return g.call(k.put) + "(b, off, " + tag + ", " + value + ")"
}

func (g *generator) endTag(field *protogen.Field) string { return tag(field, protowire.EndGroupType) }

func (g *generator) writeList(field *protogen.Field, value string) {
	switch k := kindOf(field); {
	case isMessage(field):
		g.P("for i := len(", value, ") - 1; i >= 0; i-- {\noff = ", g.put(field, value+"[i]"), "\n}")
	case field.Desc.IsPacked():
		g.P("off = ", g.call("PutPacked"+k.packed), "(b, off, ", tagOf(field), ", ", value, ")")
	default:
		g.P("off = ", g.call("Each"), "(b, off, ", tagOf(field), ", ", value, ", ", g.call(k.putElement), ")")
	}
}

// writeMap writes the code that writes each pair of a map as a message of the key and the value.
func (g *generator) writeMap(field *protogen.Field, value string) {
	g.P("for key, value := range ", value, " {")
	g.P("end := off")
	g.P("off = ", g.put(field.Message.Fields[1], "value"))
	g.P("off = ", g.put(field.Message.Fields[0], "key"))
	g.P("off = ", g.call("PutLength"), "(b, off, end, ", tagOf(field), ")")
	g.P("}")
}

// writeOneof writes the code that writes the member that is set. A member whose struct is a nil pointer is not written.
func (g *generator) writeOneof(oneof *protogen.Oneof) {
	g.P("switch x := m.", oneof.GoName, ".(type) {")
	for _, field := range oneof.Fields {
		g.P("case *", g.typeName(field.GoIdent), ":")
		g.P("if x != nil {\noff = ", g.put(field, "x."+field.GoName), "\n}")
	}
	g.P("}")
}
