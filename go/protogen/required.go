package protogen

import (
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// requiredFinder remembers whether a required field can be missing in a message, or in the messages inside it.
type requiredFinder map[protoreflect.FullName]bool

// mayMiss reports whether a required field can be missing in a message, in its extensions, or in the messages inside it.
func (f requiredFinder) mayMiss(message protoreflect.MessageDescriptor) bool {
	seen := map[protoreflect.FullName]bool{}
	found := f.search(message, seen)
	if !found {
		// Nothing can be missing in any message that the search has seen.
		for name := range seen {
			f[name] = false
		}
	}
	return found
}

// search looks through messages that it has not seen before. A message that contains itself is looked at once.
func (f requiredFinder) search(message protoreflect.MessageDescriptor, seen map[protoreflect.FullName]bool) bool {
	name := message.FullName()
	if found, isKnown := f[name]; isKnown || seen[name] {
		return found
	}
	seen[name] = true
	found := message.RequiredNumbers().Len() > 0 || message.ExtensionRanges().Len() > 0
	for i := 0; i < message.Fields().Len() && !found; i++ {
		inner := message.Fields().Get(i).Message()
		found = inner != nil && f.search(inner, seen)
	}
	if found {
		f[name] = true
	}
	return found
}

// check writes the method that returns an error if a required field is not set.
func (g *generator) check(message *protogen.Message) {
	g.P("// CheckPB returns an error if a required field is not set, here or in a submessage.")
	receiver := "func (m *" + message.GoIdent.GoName + ") CheckPB() error {"
	if !g.required.mayMiss(message.Desc) {
		g.P(receiver, " return nil }")
		g.P()
		return
	}
	g.P(receiver)
	g.checkFields(message)
	g.P("return nil\n}")
	g.P()
}

func (g *generator) checkFields(message *protogen.Message) {
	g.P("if m == nil {")
	for _, field := range message.Fields {
		if field.Desc.Cardinality() == protoreflect.Required {
			g.P("return ", g.missing(field))
			break
		}
	}
	if message.Desc.RequiredNumbers().Len() == 0 {
		g.P("return nil")
	}
	g.P("}")
	if isExtendable(message) {
		g.P("if len(m.extensionFields) > 0 {\nreturn ", g.call("CheckForeign"), "(m)\n}")
	}
	for _, field := range message.Fields {
		if field.Desc.Cardinality() == protoreflect.Required {
			g.P("if m.", field.GoName, " == nil {\nreturn ", g.missing(field), "\n}")
		}
		g.checkInner(field)
	}
}

// missing returns an expression for the error of a required field.
func (g *generator) missing(field *protogen.Field) string {
	return g.call("RequiredNotSet") + `("` + string(field.Desc.FullName()) + `")`
}

// checkInner writes the check of the messages inside a field.
func (g *generator) checkInner(field *protogen.Field) {
	message := field.Message
	if message != nil && field.Desc.IsMap() {
		message = message.Fields[1].Message
	}
	if message == nil || !g.required.mayMiss(message.Desc) {
		return
	}
	test := func(value string) string {
		call := value + ".CheckPB()"
		if !g.hasCode(message) {
			call = g.call("CheckForeign") + "(" + value + ")"
		}
		return "if err := " + call + "; err != nil {\nreturn err\n}"
	}
	switch {
	case field.Desc.IsMap(), field.Desc.IsList():
		g.P("for _, value := range m.", field.GoName, " {\n", test("value"), "\n}")
	case inOneof(field):
		g.P("if x, ok := m.", field.Oneof.GoName, ".(*", g.typeName(field.GoIdent), "); ok && x != nil {\n", test("x."+field.GoName), "\n}")
	default:
		g.P("if m.", field.GoName, " != nil {\n", test("m."+field.GoName), "\n}")
	}
}
