package gen

import (
	"fmt"

	"hone/go/idl"
)

// fastCodec writes the methods that Kitex calls. Kitex asks for a message's length before the message is written. Code of its own
// for the length is faster than writing into nothing.
func (g *generator) fastCodec(s *structure) {
	g.length(s)
	g.out("// FastRead reads the struct that the bytes begin with, and returns the number of bytes that it read. It is for Kitex.")
	g.out("func (p *%s) FastRead(b []byte) (int, error) { return thrift.UnmarshalPrefix(b, p) }\n", s.name)
	g.out("// FastWrite writes into a buffer with room for BLength bytes, for Kitex.")
	g.out("func (p *%s) FastWrite(b []byte) int { return p.WriteThrift(b, 0) }\n", s.name)
	g.out("// FastWriteNocopy is FastWrite, for Kitex.")
	gopkg := g.imports.use("github.com/cloudwego/gopkg/protocol/thrift", "gopkg")
	g.out("func (p *%s) FastWriteNocopy(b []byte, _ %s.NocopyWriter) int { return p.WriteThrift(b, 0) }\n", s.name, gopkg)
}

// length writes the code that returns the size of a struct. All parts that are the same for every value are added into one number.
func (g *generator) length(s *structure) {
	g.out("// BLength returns the number of bytes that FastWrite writes. It is for Kitex.")
	g.out("func (p *%s) BLength() int {", s.name)
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

// sizeParts returns the size of a value: a number, and an expression to add to it.
func (g *generator) sizeParts(t *idl.Type, value string) (int, string) {
	switch real := t.Real(); {
	case real.Kind == idl.String, real.Kind == idl.Binary:
		return 4, "len(" + value + ")"
	}
	return 0, g.sizeElement(t, value)
}

// sizeElement returns the size of an element of a container, as an expression.
func (g *generator) sizeElement(t *idl.Type, value string) string {
	if size := fixedSize(t); size > 0 {
		return fmt.Sprint(size)
	}
	switch real := t.Real(); {
	case real.Struct() != nil:
		return value + ".BLength()"
	case real.Kind == idl.String, real.Kind == idl.Binary:
		return "4 + len(" + value + ")"
	case isReady(real):
		return fmt.Sprintf("thrift.Size%s(%s)", readyName(real), value)
	}
	return fmt.Sprintf("size%s(%s)", g.containerName(t), value)
}

// listLength writes the code that returns the size of a list or a set.
func (g *generator) listLength(t *idl.Type, name string) {
	g.out("func size%s(list []%s) int {", name, g.elementType(t.Value))
	if size := fixedSize(t.Value); size > 0 {
		g.out("return 5 + %d*len(list)\n}\n", size)
	} else {
		g.out("size := 5\nfor i := range list {\nsize += %s\n}\nreturn size\n}\n", g.sizeElement(t.Value, "list[i]"))
	}
}

// mapLength writes the code that returns the size of a map. The code goes over the map's entries by the given loop.
func (g *generator) mapLength(t *idl.Type, name, loop string) {
	g.out("func size%s(pairs %s) int {", name, g.goType(t))
	keySize, valueSize := fixedSize(t.Key), fixedSize(t.Value)
	if keySize > 0 && valueSize > 0 {
		g.out("return 6 + %d*len(pairs)\n}\n", keySize+valueSize)
		return
	}
	g.out("size := 6\n%s\nsize += %s + %s", loop, g.sizeElement(t.Key, "key"), g.sizeElement(t.Value, "value"))
	if keySize > 0 {
		g.out("_ = key")
	}
	if valueSize > 0 {
		g.out("_ = value")
	}
	g.out("}\nreturn size\n}\n")
}
