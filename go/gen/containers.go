package gen

import (
	"fmt"
	"strings"

	"hone/go/idl"
)

// ready are the types of elements whose containers package thrift reads and writes itself.
var ready = map[idl.TypeKind]bool{
	idl.Bool: true, idl.I8: true, idl.I16: true, idl.I32: true, idl.I64: true, idl.Double: true, idl.String: true,
}

// isReady reports whether package thrift has the code of a container.
func isReady(t *idl.Type) bool {
	real := t.Real()
	if real.Kind == idl.Map {
		key, value := real.Key.Real(), real.Value.Real()
		return key.Kind == idl.String && value.Kind == idl.String
	}
	element := real.Value.Real()
	return ready[element.Kind] && element.Enum() == nil
}

// readyName returns the name of such a container in package thrift.
func readyName(t *idl.Type) string {
	real := t.Real()
	if real.Kind == idl.Map {
		return "TextMap"
	}
	return scalars[real.Value.Real().Kind].method + "List"
}

// readContainer makes a call that reads a container at an offset, and returns the value and the offset behind it.
func (g *generator) readContainer(t *idl.Type, off string) string {
	if isReady(t) {
		return fmt.Sprintf("d.%s(%s)", readyName(t), off)
	}
	return fmt.Sprintf("read%s(d, %s)", g.containerName(t), off)
}

// containerName names the code of a container. That code is written later, once in a file. Its name contains the name of the file,
// so that files of one package need not be generated together; no file calls such code of another file.
func (g *generator) containerName(t *idl.Type) string {
	key := g.typeKey(t)
	name, isKnown := g.written[key]
	if !isKnown {
		name = g.pack.helpers[g.file] + g.helpers.take(g.typeWords(t))
		g.written[key] = name
		g.pending = append(g.pending, t.Real())
	}
	return name
}

// typeKey makes a key that differs where the code of two types differs.
func (g *generator) typeKey(t *idl.Type) string {
	real := t.Real()
	switch real.Kind {
	case idl.List, idl.Set:
		return real.Kind.String() + "<" + g.typeKey(real.Value) + ">"
	case idl.Map:
		return "map<" + g.typeKey(real.Key) + "," + g.typeKey(real.Value) + ">"
	case idl.Named:
		return g.nameOf(real.Target)
	}
	return real.Kind.String()
}

// typeWords makes a name of a type for use within the names of functions.
func (g *generator) typeWords(t *idl.Type) string {
	real := t.Real()
	switch real.Kind {
	case idl.List, idl.Set:
		return exported(real.Kind.String()) + g.typeWords(real.Value)
	case idl.Map:
		return "Map" + g.typeWords(real.Key) + g.typeWords(real.Value)
	case idl.Named:
		return strings.Join(strings.Split(exported(g.nameOf(real.Target)), "."), "")
	}
	return exported(real.Kind.String())
}

// containers writes the code of all containers that other code has asked for. It may ask for more.
func (g *generator) containers() {
	for len(g.pending) > 0 {
		t := g.pending[0]
		g.pending = g.pending[1:]
		name := g.containerName(t)
		if t.Kind == idl.Map {
			g.mapCode(t, name)
		} else {
			g.listCode(t, name)
		}
	}
}

func (g *generator) listCode(t *idl.Type, name string) {
	element := g.elementType(t.Value)
	g.out("func read%s(d *thrift.Decoder, off int) ([]%s, int) {", name, element)
	g.out("n, at := d.ListHead(off, %s)", wireName(t.Value))
	g.out("list := thrift.Elements[%s](d, n, off)", element)
	s := t.Value.Struct()
	switch {
	case s != nil && !g.options.Values:
		g.out("var some []%s", g.nameOf(s))
		g.out("for i := range list {")
		g.out("if len(some) == 0 {\nsome = thrift.Batch[%s](d, n-i, at)\n}", g.nameOf(s))
		g.out("list[i], some = &some[0], some[1:]")
		if hasDefaults(s) {
			g.out("list[i].InitDefault()")
		}
		g.out("at = list[i].ReadThrift(d, at)")
	default:
		g.out("for i := range list {")
		g.readElement(t.Value, "list[i]")
	}
	g.out("if d.Broken() {\nbreak\n}\n}\nreturn list, at\n}\n")

	if g.options.FastCodec {
		g.listLength(t, name)
	}
	g.out("func write%s(b []byte, off int, list []%s) int {", name, element)
	loop := fmt.Sprintf("for i := range list {\noff = %s\n}", g.writeElement(t.Value, "list[i]"))
	g.writeAll(fmt.Sprintf("thrift.PutListHead(b, off, %s, len(list))", wireName(t.Value)), loop, "list", fixedSize(t.Value))
}

// writeAll writes the code that writes a container: its head, and a loop over its elements. Where all elements take the same number
// of bytes, the code skips the loop if there is no room for them.
func (g *generator) writeAll(head, loop, container string, each int) {
	g.out("off = %s", head)
	if each == 0 {
		g.out("%s\nreturn off\n}\n", loop)
		return
	}
	g.out("end := off + %d*len(%s)", each, container)
	g.out("if end <= len(b) {\n%s\n}\nreturn end\n}\n", loop)
}

func (g *generator) mapCode(t *idl.Type, name string) {
	goType := g.goType(t)
	isMap := isComparable(t.Key)
	key, value := g.keyType(t.Key), g.elementType(t.Value)
	g.out("func read%s(d *thrift.Decoder, off int) (%s, int) {", name, goType)
	g.out("n, at := d.MapHead(off, %s, %s)", wireName(t.Key), wireName(t.Value))
	if isMap {
		g.out("pairs := thrift.Pairs[%s, %s](d, n, off)", key, value)
		g.out("for range n {\nvar key %s\nvar value %s", key, value)
	} else {
		g.out("pairs := thrift.Elements[thrift.Pair[%s, %s]](d, n, off)", g.elementType(t.Key), value)
		g.out("for i := range pairs {\nvar key %s\nvar value %s", g.elementType(t.Key), value)
	}
	g.readKey(t.Key)
	g.readElement(t.Value, "value")
	g.out("if d.Broken() {\nbreak\n}")
	if isMap {
		g.out("pairs[key] = value\n}\nreturn pairs, at\n}\n")
	} else {
		g.out("pairs[i].Key, pairs[i].Value = key, value\n}\nreturn pairs, at\n}\n")
	}
	g.writeMapCode(t, name)
}

func (g *generator) writeMapCode(t *idl.Type, name string) {
	loop := "for key, value := range pairs {"
	if !isComparable(t.Key) {
		loop = "for i := range pairs {\nkey, value := pairs[i].Key, pairs[i].Value"
	}
	if g.options.FastCodec {
		g.mapLength(t, name, loop)
	}
	g.out("func write%s(b []byte, off int, pairs %s) int {", name, g.goType(t))
	head := fmt.Sprintf("thrift.PutMapHead(b, off, %s, %s, len(pairs))", wireName(t.Key), wireName(t.Value))
	writeKey := g.writeElement(t.Key, "key")
	if t.Key.Real().Kind == idl.Binary {
		writeKey = "thrift.PutTextElement(b, off, key)"
	}
	each := 0
	if key, value := fixedSize(t.Key), fixedSize(t.Value); key > 0 && value > 0 {
		each = key + value
	}
	loop = fmt.Sprintf("%s\noff = %s\noff = %s\n}", loop, writeKey, g.writeElement(t.Value, "value"))
	g.writeAll(head, loop, "pairs", each)
}

// readKey writes the code that reads a map's key. Bytes become a string, and a struct is always a pointer, with the option Values
// too.
func (g *generator) readKey(t *idl.Type) {
	switch s := t.Struct(); {
	case t.Real().Kind == idl.Binary:
		g.out("key, at = d.TextElement(at)")
	case s != nil:
		g.readPointer(s, "key")
	default:
		g.readElement(t, "key")
	}
}
