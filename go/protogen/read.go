package protogen

import (
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// read writes the method that reads a message: one switch over tags. A tag is a field's number and its type on the wire. A field that comes with an
// unexpected type is kept as an unknown field.
func (g *generator) read(message *protogen.Message) {
	g.P("// ReadPB reads fields from off up to end, or up to the end of the group. Generated code calls it.")
	g.P("func (m *", message.GoIdent.GoName, ") ReadPB(d *", g.call("Decoder"), ", off, end int, group uint32) int {")
	g.P("data := d.Data()")
	g.P("for off < end {")
	if isExtendable(message) {
		g.P("start := off")
	}
	g.P("tag := uint32(data[off])\noff++")
	g.P("if tag >= 0x80 {\ntag, off = d.LongTag(off - 1)\n}")
	g.P("switch tag {")
	for _, field := range message.Fields {
		g.readField(field)
	}
	g.P("default:")
	if isExtendable(message) {
		g.P("off, end = d.Extension(m, tag, start, off, end, group)")
	} else {
		g.P("off, end = d.Other(&m.unknownFields, tag, off, end, group)")
	}
	g.P("}\n}")
	g.P("return off\n}")
	g.P()
}

// readField writes the cases of the switch for a field.
func (g *generator) readField(field *protogen.Field) {
	target := "m." + field.GoName
	switch {
	case field.Desc.IsMap():
		g.P("case ", tagOf(field), ":")
		g.readMap(field, target)
	case field.Desc.IsList():
		g.readList(field, target)
	case inOneof(field):
		g.P("case ", tagOf(field), ":")
		g.readMember(field)
	case isMessage(field):
		g.P("case ", tagOf(field), ":")
		g.P("if ", target, " == nil {\n", target, " = ", g.newMessage(field.Message), "\n}")
		g.readMessage(field, target)
	case isPointer(field):
		g.P("case ", tagOf(field), ":")
		g.P("var v ", g.goType(field))
		g.P("v, off = ", g.readValue(field))
		if field.Desc.Kind() == protoreflect.StringKind {
			g.P(target, " = d.TextPointer(v)")
		} else {
			g.P(target, " = ", g.call("Pointer"), "(d, v)")
		}
	default:
		g.P("case ", tagOf(field), ":")
		g.P(target, ", off = ", g.readValue(field))
	}
}

// readValue returns a call that reads a value other than a message, and returns the offset behind the value.
func (g *generator) readValue(field *protogen.Field) string {
	switch {
	case field.Enum != nil:
		return g.call("Enum") + "[" + g.goType(field) + "](d, off)"
	case field.Desc.Kind() == protoreflect.BytesKind && !field.Desc.HasPresence() && !field.Desc.IsList() && !field.Desc.ContainingMessage().IsMapEntry():
		return "d.BytesOrNil(off)"
	}
	return "d." + kindOf(field).read + "(off)"
}

// readMessage writes the code that reads a submessage into target, which is not nil.
func (g *generator) readMessage(field *protogen.Field, target string) {
	number := field.Desc.Number()
	switch hasCode := g.hasCode(field.Message); {
	case !hasCode && isGroup(field):
		g.P("off = d.ReadForeignGroup(off, end, ", number, ", ", target, ")")
	case !hasCode:
		g.P("off = d.ReadForeign(off, ", target, ")")
	case isGroup(field):
		g.P("off = d.LeaveGroup(", target, ".ReadPB(d, d.EnterGroup(off), end, ", number, "))")
	default:
		g.P("at, last := d.Enter(off)")
		g.P("off = d.Leave(", target, ".ReadPB(d, at, last, 0), last)")
	}
}

// readMember writes the code that reads a member of a oneof. If the oneof already holds a message of this member, the code reads into that message.
func (g *generator) readMember(field *protogen.Field) {
	oneof, wrapper := "m."+field.Oneof.GoName, g.typeName(field.GoIdent)
	if !isMessage(field) {
		g.P("var v ", g.goType(field))
		g.P("v, off = ", g.readValue(field))
		g.P("x := ", g.call("New"), "[", wrapper, "](d, ", slotOf(field.GoIdent), ")")
		g.P("x.", field.GoName, " = v")
		g.P(oneof, " = x")
		return
	}
	g.P("x, _ := ", oneof, ".(*", wrapper, ")")
	g.P("if x == nil {")
	g.P("x = ", g.call("New"), "[", wrapper, "](d, ", slotOf(field.GoIdent), ")")
	g.P(oneof, " = x")
	g.P("}")
	g.P("if x.", field.GoName, " == nil {\nx.", field.GoName, " = ", g.newMessage(field.Message), "\n}")
	g.readMessage(field, "x."+field.GoName)
}

// newMessage returns an expression that makes a message. Messages of this Go package share memory.
func (g *generator) newMessage(message *protogen.Message) string {
	if g.isLocal(message) {
		return g.call("New") + "[" + g.typeName(message.GoIdent) + "](d, " + slotOf(message.GoIdent) + ")"
	}
	return "new(" + g.typeName(message.GoIdent) + ")"
}

// slotOf returns the variable with the slot of a type of this Go package.
func slotOf(of protogen.GoIdent) string { return "slot_" + of.GoName }

// slots writes the slots of messages, and of members of oneofs.
func (g *generator) slots() {
	g.P("// Each type of messages, and of members of a oneof, has its place in every decoder.")
	g.P("var (")
	for _, message := range allMessages(g.file.Messages) {
		g.P(slotOf(message.GoIdent), " = ", g.call("NewSlot"), "()")
		for _, field := range message.Fields {
			if inOneof(field) {
				g.P(slotOf(field.GoIdent), " = ", g.call("NewSlot"), "()")
			}
		}
	}
	g.P(")")
	g.P()
}

// readList writes the cases of a repeated field. Numbers are read both packed and one by one, whichever way the field itself is written.
func (g *generator) readList(field *protogen.Field, target string) {
	k := kindOf(field)
	if isMessage(field) {
		g.P("case ", tagOf(field), ":")
		g.readMessages(field, target)
		return
	}
	single := tag(field, k.wire)
	g.P("case ", single, ":")
	switch field.Desc.Kind() {
	case protoreflect.BytesKind:
		g.P(target, ", off = ", g.call("BytesElements"), "(d, ", target, ", ", single, ", off, end)")
		return
	case protoreflect.StringKind:
		g.P(target, ", off = ", g.call("TextElements"), "(d, ", target, ", ", single, ", off, end, (*", g.call("Decoder"), ").", k.read, ")")
		return
	}
	read := "(*" + g.call("Decoder") + ")." + k.read
	if field.Enum != nil {
		read = g.call("Enum") + "[" + g.goType(field) + "]"
	}
	g.P(target, ", off = ", g.call("NumberElements"), "(d, ", target, ", ", single, ", off, end, ", read, ")")
	g.P("case ", tag(field, protowire.BytesType), ":")
	g.P(target, ", off = ", g.call("Packed"+k.packed), "(d, ", target, ", off)")
}

func (g *generator) readMessages(field *protogen.Field, target string) {
	if g.hasCode(field.Message) && !isGroup(field) {
		slot := slotOf(field.Message.GoIdent)
		if !g.isLocal(field.Message) {
			slot = g.call("NoSlot")
		}
		g.P(target, ", off = ", g.call("Messages"), "(d, ", target, ", ", tagOf(field), ", off, end, ", slot, ")")
		return
	}
	if !isGroup(field) {
		g.P(target, ", off = ", g.call("ForeignMessages"), "(d, ", target, ", ", tagOf(field), ", off, end)")
		return
	}
	g.P("v := new(", g.typeName(field.Message.GoIdent), ")")
	g.P(target, " = append(", target, ", v)")
	g.readMessage(field, "v")
}

// readMap writes the code that reads a pair of a map: a message with a key and a value, either of which may be missing.
func (g *generator) readMap(field *protogen.Field, target string) {
	key, value := field.Message.Fields[0], field.Message.Fields[1]
	g.P("if ", target, " == nil {")
	g.P(target, " = make(map[", g.goType(key), "]", g.goType(value), ", d.Pairs(", tagOf(field), ", off, end))")
	g.P("}")
	g.P("var key ", g.goType(key))
	if isMessage(value) {
		g.P("value := ", g.newMessage(value.Message))
	} else {
		g.P("var value ", g.goType(value))
	}
	g.P("var pairEnd int")
	g.P("off, pairEnd = d.Enter(off)")
	g.P("for off < pairEnd {")
	g.P("tag := uint32(data[off])\noff++")
	g.P("if tag >= 0x80 {\ntag, off = d.LongTag(off - 1)\n}")
	g.P("switch tag {")
	g.P("case ", tagOf(key), ":")
	g.P("key, off = ", g.readValue(key))
	g.P("case ", tagOf(value), ":")
	if isMessage(value) {
		g.readMessage(value, "value")
	} else {
		g.P("value, off = ", g.readValue(value))
	}
	g.P("default:\noff = d.Skip(tag, off)\n}\n}")
	g.P("off = d.Leave(off, pairEnd)")
	g.P(target, "[key] = value")
}
