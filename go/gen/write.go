package gen

import (
	"fmt"

	"hone/go/idl"
)

// codec writes what reads and writes a struct.
func (g *generator) codec(s *structure) {
	g.read(s)
	g.size(s)
	g.write(s)
	if g.options.KeepUnknown {
		g.out("func (p *%s) KeepUnknown(field []byte) { p.unknown = append(p.unknown, field...) }\n", s.name)
	}
	if g.options.FastCodec {
		g.fastCodec(s)
	}
	g.apache(s, s.of.Name)
}

// size writes how many bytes a struct takes. What is the same for all is one number.
func (g *generator) size(s *structure) {
	g.out("func (p *%s) SizeThrift() int {", s.name)
	g.out("if p == nil {\nreturn 1\n}")
	always := 1
	var lines []string
	for _, f := range s.fields {
		condition := g.whenWritten(f)
		size := fixedSize(f.Type)
		switch {
		case condition == "" && size > 0:
			always += 3 + size
		case condition == "":
			fixed, rest := g.sizeParts(f.Type, "p."+f.name)
			always += 3 + fixed
			lines = append(lines, "size += "+rest)
		case size > 0:
			lines = append(lines, fmt.Sprintf("if %s {\nsize += %d\n}", condition, 3+size))
		default:
			fixed, rest := g.sizeParts(f.Type, g.valueOf(f))
			lines = append(lines, fmt.Sprintf("if %s {\nsize += %d + %s\n}", condition, 3+fixed, rest))
		}
	}
	if g.options.KeepUnknown {
		lines = append(lines, "size += len(p.unknown)")
	}
	if len(lines) == 0 {
		g.out("return %d\n}\n", always)
		return
	}
	g.out("size := %d", always)
	for _, line := range lines {
		g.out("%s", line)
	}
	g.out("return size\n}\n")
}

// whenWritten is the condition under which a field is written; "" for always. A struct that is not there is written only
// where the field is required, as an empty one.
func (g *generator) whenWritten(f field) string {
	isStruct := f.Type.Struct() != nil
	if f.Requiredness == idl.Optional || isStruct && f.Requiredness == idl.RequiredDefault {
		return g.isSet(f)
	}
	return ""
}

// valueOf is a field's value, which is there.
func (g *generator) valueOf(f field) string {
	if f.isPointer {
		return "*p." + f.name
	}
	return "p." + f.name
}

// sizeParts is the size of a value: a number, and an expression to add.
func (g *generator) sizeParts(t *idl.Type, value string) (int, string) {
	switch real := t.Real(); {
	case real.Kind == idl.String, real.Kind == idl.Binary:
		return 4, "len(" + value + ")"
	}
	return 0, g.sizeElement(t, value)
}

// sizeElement is the size of an element of a container, as an expression.
func (g *generator) sizeElement(t *idl.Type, value string) string {
	if size := fixedSize(t); size > 0 {
		return fmt.Sprint(size)
	}
	switch real := t.Real(); {
	case real.Struct() != nil:
		return value + ".SizeThrift()"
	case real.Kind == idl.String, real.Kind == idl.Binary:
		return "4 + len(" + value + ")"
	case isReady(real):
		return fmt.Sprintf("thrift.Size%s(%s)", readyName(real), value)
	}
	return fmt.Sprintf("size%s(%s)", g.containerName(t), value)
}

// write writes a struct's fields into a buffer that has room for them.
func (g *generator) write(s *structure) {
	g.out("func (p *%s) WriteThrift(b []byte, off int) int {", s.name)
	g.out("if p == nil {\nreturn thrift.PutStop(b, off)\n}")
	for _, f := range s.fields {
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
		g.out("off += copy(b[off:], p.unknown)")
	}
	g.out("return thrift.PutStop(b, off)\n}\n")
}

// writeField is a call that writes a field, and gives the offset behind it.
func (g *generator) writeField(f field) string {
	value := g.valueOf(f)
	switch real := f.Type.Real(); {
	case real.Enum() != nil:
		return fmt.Sprintf("thrift.PutI32(b, off, %s, int32(%s))", key(f.Field), value)
	case real.Struct() != nil:
		return fmt.Sprintf("%s.WriteThrift(b, thrift.PutKey(b, off, %s))", value, key(f.Field))
	case real.Kind == idl.List, real.Kind == idl.Set, real.Kind == idl.Map:
		return g.writeContainer(real, fmt.Sprintf("thrift.PutKey(b, off, %s)", key(f.Field)), value)
	default:
		return fmt.Sprintf("thrift.Put%s(b, off, %s, %s)", scalars[real.Kind].method, key(f.Field), value)
	}
}

func (g *generator) writeContainer(t *idl.Type, off, value string) string {
	if isReady(t) {
		return fmt.Sprintf("thrift.Put%s(b, %s, %s)", readyName(t), off, value)
	}
	return fmt.Sprintf("write%s(b, %s, %s)", g.containerName(t), off, value)
}

// writeElement is a call that writes an element of a container at off, and gives the offset behind it.
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

// fastCodec writes the methods that Kitex calls.
func (g *generator) fastCodec(s *structure) {
	g.out("// BLength is SizeThrift, for Kitex.")
	g.out("func (p *%s) BLength() int { return p.SizeThrift() }\n", s.name)
	g.out("// FastRead reads the struct that the bytes begin with, and gives how many it took. It is for Kitex.")
	g.out("func (p *%s) FastRead(b []byte) (int, error) { return thrift.UnmarshalPrefix(b, p) }\n", s.name)
	g.out("// FastWrite writes into a buffer with room for BLength bytes, for Kitex.")
	g.out("func (p *%s) FastWrite(b []byte) int { return p.WriteThrift(b, 0) }\n", s.name)
	g.out("// FastWriteNocopy is FastWrite, for Kitex.")
	gopkg := g.imports.use("github.com/cloudwego/gopkg/protocol/thrift", "gopkg")
	g.out("func (p *%s) FastWriteNocopy(b []byte, _ %s.NocopyWriter) int { return p.WriteThrift(b, 0) }\n", s.name, gopkg)
}
