package gen

import (
	"fmt"
	"strings"

	"hone/go/idl"
)

// read writes the code that reads a struct. The code asks for each field once, in the order of ids, which is the order in which all
// programs write them. Required fields are counted in the order of the IDL, by which errors find their names.
func (g *generator) read(s *structure) {
	bits := map[int32]int{}
	for _, f := range s.fields {
		if f.Requiredness == idl.Required {
			bits[f.ID] = len(bits)
		}
	}
	required := len(bits)
	g.out("func (p *%s) ReadThrift(d *thrift.Decoder, off int) int {", s.name)
	switch {
	case required > 64:
		g.out("var seen [%d]thrift.Seen", (required+63)/64)
	case required > 0:
		g.out("var seen thrift.Seen")
	}
	if s.recursive {
		g.out("key := d.Enter(off)")
	} else {
		g.out("key := d.Key(off)")
	}
	for _, f := range s.byID() {
		g.out("if key == %s {", key(f.Field))
		if bit, isRequired := bits[f.ID]; isRequired {
			word := "seen"
			if required > 64 {
				word = fmt.Sprintf("seen[%d]", bit/64)
			}
			g.out("%s |= 1 << %d", word, bit%64)
		}
		g.readField(f)
		g.out("}")
	}
	g.end(s, required)
}

// end writes the code after the last field. Most often the stop follows, and no required field is missing. That return comes first,
// since Go's compiler lays out blocks that return in the order of the source.
func (g *generator) end(s *structure, required int) {
	leave := func(off string) string {
		if s.recursive {
			return "d.Leave(" + off + ")"
		}
		return off
	}
	condition, rest := "key>>16 == 0", "Rest(p, %s, key, 0, 0)"
	switch {
	case required > 64:
		all := fmt.Sprintf("[...]thrift.Seen{%s1<<%d - 1}", strings.Repeat("1<<64 - 1, ", (required-1)/64), (required-1)%64+1)
		g.out("required := %s", all)
		condition += " && seen == required"
		rest = "RestOfMany(p, %s, key, seen[:], required[:])"
	case required > 0:
		all := fmt.Sprintf("1<<%d-1", required)
		condition += " && seen == " + all
		rest = "Rest(p, %s, key, seen, " + all + ")"
	}
	g.out("if %s {\nreturn %s\n}", condition, leave("off + 1"))
	// Rest reads the rest with the same code, which enters the struct again.
	g.out("return d."+rest+"\n}\n", leave("off"))
}

// readField writes the code that reads a field's value, and the key of the next field.
func (g *generator) readField(f field) {
	pointer := ""
	if f.isPointer {
		pointer = "Pointer"
	}
	switch real := f.Type.Real(); {
	case real.Enum() != nil:
		g.out("p.%s, off, key = thrift.Enum%s[%s](d, off)", f.name, pointer, g.nameOf(real.Target))
	case real.Struct() != nil:
		g.out("p.%s = %s", f.name, g.newStruct(real.Struct(), "off"))
		g.out("off = p.%s.ReadThrift(d, off+3)\nkey = d.Key(off)", f.name)
	case real.Kind == idl.List, real.Kind == idl.Set, real.Kind == idl.Map:
		g.out("p.%s, off = %s\nkey = d.Key(off)", f.name, g.readContainer(real, "off + 3"))
	default:
		g.out("p.%s, off, key = d.%s%s(off)", f.name, scalars[real.Kind].method, pointer)
	}
}

// newStruct makes an expression for a new struct for the value at an offset.
func (g *generator) newStruct(s *idl.Struct, off string) string {
	slot := g.packs[s.In()].slots[s]
	name := g.nameOf(s)
	if hasDefaults(s) {
		return fmt.Sprintf("thrift.NewWithDefaults[%s](d, %s, %d)", name, off, slot)
	}
	return fmt.Sprintf("thrift.New[%s](d, %s, %d)", name, off, slot)
}

// readElement writes the code that reads an element of a container into a variable, and moves at behind it.
func (g *generator) readElement(t *idl.Type, into string) {
	switch real := t.Real(); {
	case real.Enum() != nil:
		g.out("%s, at = thrift.EnumElement[%s](d, at)", into, g.nameOf(real.Target))
	case real.Struct() != nil && g.options.Values:
		if hasDefaults(real.Struct()) {
			g.out("%s.InitDefault()", into)
		}
		g.out("at = %s.ReadThrift(d, at)", into)
	case real.Struct() != nil:
		g.readPointer(real.Struct(), into)
	case real.Kind == idl.List, real.Kind == idl.Set, real.Kind == idl.Map:
		g.out("%s, at = %s", into, g.readContainer(real, "at"))
	default:
		g.out("%s, at = d.%sElement(at)", into, scalars[real.Kind].method)
	}
}

// readPointer writes the code that reads a struct into a variable that is a pointer to a struct, and moves at behind it.
func (g *generator) readPointer(s *idl.Struct, into string) {
	g.out("%s = %s", into, g.newStruct(s, "at"))
	g.out("at = %s.ReadThrift(d, at)", into)
}
