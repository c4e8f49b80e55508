package gen

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"hone/go/idl"
)

// constants writes a file's constants. Bools, numbers, enums and strings are constants in Go too; all others become variables.
func (g *generator) constants() {
	for _, definition := range g.file.Definitions {
		d, ok := definition.(*idl.Const)
		if !ok {
			continue
		}
		name := g.pack.types[d]
		g.doc(d.Notes, name+" is a constant of "+path.Base(g.file.Path)+".")
		word := "var"
		if isScalar(d.Type) && d.Type.Real().Kind != idl.UUID && !isNegativeZero(d.Value.Real()) {
			word = "const"
		}
		g.out("%s %s %s = %s\n", word, name, g.goType(d.Type), g.value(d.Value, d.Type))
	}
}

// value returns a constant of the IDL as an expression of a type.
func (g *generator) value(v *idl.Value, t *idl.Type) string {
	if v.Kind == idl.ValueIdentifier && v.Const != nil && v.EnumValue == nil {
		return g.constant(v, t)
	}
	real := t.Real()
	if enum := real.Enum(); enum != nil {
		return g.enumValue(v, enum)
	}
	if s := real.Struct(); s != nil {
		return "&" + g.structValue(v, s)
	}
	switch real.Kind {
	case idl.Bool:
		return strconv.FormatBool(integerOf(v) != 0)
	case idl.Double:
		if v.Kind == idl.ValueInt {
			return strconv.FormatInt(v.Int, 10)
		}
		if isNegativeZero(v) {
			return "thrift.NegativeZero()"
		}
		return strconv.FormatFloat(v.Double, 'g', -1, 64)
	case idl.String:
		return strconv.Quote(v.Text)
	case idl.Binary:
		return "[]byte(" + strconv.Quote(v.Text) + ")"
	case idl.UUID:
		return "thrift.MustParseUUID(" + strconv.Quote(v.Text) + ")"
	case idl.List, idl.Set:
		return g.listValue(v, real)
	case idl.Map:
		return g.mapValue(v, real)
	}
	return strconv.FormatInt(integerOf(v), 10)
}

// isNegativeZero reports whether a value is -0.0, which no constant of Go can be.
func isNegativeZero(v *idl.Value) bool {
	return v.Kind == idl.ValueDouble && v.Double == 0 && math.Signbit(v.Double)
}

// integerOf returns a whole number, which may also be written as the value of an enum.
func integerOf(v *idl.Value) int64 {
	if v.EnumValue != nil {
		return v.EnumValue.Number
	}
	return v.Int
}

// constant returns the value of another constant: the constant's name, where the type is the same and the constant is not a
// variable that could change.
func (g *generator) constant(v *idl.Value, t *idl.Type) string {
	other := v.Const
	if isScalar(t) && other.Type.Real().Kind == t.Real().Kind && other.Type.Enum() == t.Enum() {
		return g.nameOf(other)
	}
	return g.value(v.Real(), t)
}

func (g *generator) enumValue(v *idl.Value, enum *idl.Enum) string {
	value := v.EnumValue
	if value == nil {
		value = enum.ByNumber(v.Int)
	}
	if value == nil {
		return fmt.Sprintf("%s(%d)", g.nameOf(enum), v.Int)
	}
	return g.inPackageOf(enum, g.packs[enum.In()].enums[enum].values[value])
}

func (g *generator) structValue(v *idl.Value, s *idl.Struct) string {
	fields := g.fieldsOfStruct(s)
	given := map[string]*idl.Value{}
	for _, pair := range v.Map {
		given[pair.Key.Real().Text] = pair.Value // the name may be a constant
	}
	var text strings.Builder
	text.WriteString(g.nameOf(s) + "{")
	for _, f := range fields {
		value := given[f.Name]
		if value == nil {
			value = f.Default
		}
		if value == nil {
			continue
		}
		code := g.value(value, f.Type)
		if f.isPointer {
			code = fmt.Sprintf("thrift.PointerTo[%s](%s)", g.goType(f.Type), code)
		}
		fmt.Fprintf(&text, "\n%s: %s,", f.name, code)
	}
	text.WriteString("\n}")
	return text.String()
}

func (g *generator) listValue(v *idl.Value, t *idl.Type) string {
	var text strings.Builder
	text.WriteString(g.goType(t) + "{")
	seen := map[string]bool{}
	for _, element := range v.List {
		// A set holds an element once, however often the constant has it.
		if key, ok := element.ScalarKey(t.Value); ok && t.Kind == idl.Set {
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		text.WriteString("\n" + g.elementValue(element, t.Value) + ",")
	}
	text.WriteString("\n}")
	return text.String()
}

func (g *generator) mapValue(v *idl.Value, t *idl.Type) string {
	var text strings.Builder
	text.WriteString(g.goType(t) + "{")
	last := map[string]int{}
	for i, pair := range v.Map {
		if key, ok := pair.Key.ScalarKey(t.Key); ok {
			last[key] = i
		}
	}
	for i, pair := range v.Map {
		// If the constant has a key several times, the last one counts. Go takes no key twice.
		if key, ok := pair.Key.ScalarKey(t.Key); ok && last[key] != i {
			continue
		}
		key := g.value(pair.Key, t.Key) // a pointer to a struct, with the option Values too
		if t.Key.Real().Kind == idl.Binary {
			key = strconv.Quote(pair.Key.Real().Text)
		}
		value := g.elementValue(pair.Value, t.Value)
		if isComparable(t.Key) {
			fmt.Fprintf(&text, "\n%s: %s,", key, value)
		} else {
			fmt.Fprintf(&text, "\n{Key: %s, Value: %s},", key, value)
		}
	}
	text.WriteString("\n}")
	return text.String()
}

func (g *generator) elementValue(v *idl.Value, t *idl.Type) string {
	value := g.value(v, t)
	if t.Struct() != nil && g.options.Values {
		return strings.TrimPrefix(value, "&")
	}
	return value
}
