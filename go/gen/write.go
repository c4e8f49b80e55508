package gen

import (
	"fmt"

	"hone/go/idl"
)

// codec writes the code that reads and writes a struct.
func (g *generator) codec(s *structure) {
	g.read(s)
	g.write(s)
	if g.options.KeepUnknown {
		g.out("func (p *%s) KeepUnknown(field []byte) { p.unknown = append(p.unknown, field...) }\n", s.name)
	}
	if g.options.FastCodec {
		g.fastCodec(s)
	}
	g.apache(s, s.of.Name)
}

// whenWritten returns the condition under which a field is written; "" for always. A nil struct is written, as an empty one, only
// where the field is required.
func (g *generator) whenWritten(f field) string {
	isStruct := f.Type.Struct() != nil
	if f.Requiredness == idl.Optional || isStruct && f.Requiredness == idl.RequiredDefault {
		return g.isSet(f)
	}
	return ""
}

// valueOf returns an expression for a field's value, where the field is set.
func (g *generator) valueOf(f field) string {
	if f.isPointer {
		return "*p." + f.name
	}
	return "p." + f.name
}

// write writes the code that writes a struct's fields, in the order of their ids.
func (g *generator) write(s *structure) {
	g.out("func (p *%s) WriteThrift(b []byte, off int) int {", s.name)
	g.out("if p == nil {\nreturn thrift.PutEnd(b, off)\n}")
	for _, f := range s.byID() {
		condition := g.whenWritten(f)
		if condition != "" {
			g.out("if %s {", condition)
		}
		g.out("off = %s", g.writeField(f))
		if condition != "" {
			g.out("}")
		}
	}
	if g.options.KeepUnknown {
		g.out("off = thrift.PutUnknown(b, off, p.unknown)")
	}
	g.out("return thrift.PutEnd(b, off)\n}\n")
}

// writeField makes a call that writes a field, and returns the offset behind it.
func (g *generator) writeField(f field) string {
	value := g.valueOf(f)
	switch real := f.Type.Real(); {
	case real.Enum() != nil:
		return fmt.Sprintf("thrift.PutI32(b, off, %s, int32(%s))", head(f.Field), value)
	case real.Struct() != nil:
		return fmt.Sprintf("%s.WriteThrift(b, thrift.PutHead(b, off, %s))", value, head(f.Field))
	case real.Kind == idl.List, real.Kind == idl.Set, real.Kind == idl.Map:
		return g.writeContainer(real, fmt.Sprintf("thrift.PutHead(b, off, %s)", head(f.Field)), value)
	default:
		return fmt.Sprintf("thrift.Put%s(b, off, %s, %s)", scalars[real.Kind].method, head(f.Field), value)
	}
}

func (g *generator) writeContainer(t *idl.Type, off, value string) string {
	if isReady(t) {
		return fmt.Sprintf("thrift.Put%s(b, %s, %s)", readyName(t), off, value)
	}
	return fmt.Sprintf("write%s(b, %s, %s)", g.containerName(t), off, value)
}

// writeElement makes a call that writes an element of a container at off, and returns the offset behind it.
func (g *generator) writeElement(t *idl.Type, value string) string {
	switch real := t.Real(); {
	case real.Enum() != nil:
		return fmt.Sprintf("thrift.PutI32Element(b, off, int32(%s))", value)
	case real.Struct() != nil:
		return fmt.Sprintf("%s.WriteThrift(b, off)", value)
	case real.Kind == idl.List, real.Kind == idl.Set, real.Kind == idl.Map:
		return g.writeContainer(real, "off", value)
	default:
		return fmt.Sprintf("thrift.Put%sElement(b, off, %s)", scalars[real.Kind].method, value)
	}
}
