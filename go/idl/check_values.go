package idl

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

func (c *checker) constant(d *Const) {
	if d.Value.Kind == ValueIdentifier && d.Value.Const != nil && d.Value.Real() == nil {
		c.report.errorf(d.Value.Position, "give it a value", "the constant '%s' leads back to itself or to an unknown name", d.Name)
		return
	}
	c.weighType(d.Type)
	c.fits(d.Value, d.Type, "the constant "+d.Name, 0)
}

var integerRanges = map[TypeKind][2]int64{
	I8: {math.MinInt8, math.MaxInt8}, I16: {math.MinInt16, math.MaxInt16},
	I32: {math.MinInt32, math.MaxInt32}, I64: {math.MinInt64, math.MaxInt64},
}

// fits checks a value against a type. A constant that the value names is also checked with its own definition, so only its
// outermost form matters here. depth guards against structs whose values name each other.
func (c *checker) fits(v *Value, t *Type, where string, depth int) {
	real := t.Real()
	if real == nil || depth > MaxNesting {
		return
	}
	meant := v.Real()
	if meant == nil {
		return // an unknown name, which has been reported already
	}
	switch real.Kind {
	case Bool, I8, I16, I32, I64:
		c.fitsInteger(v, meant, real, where)
	case Double:
		if meant.Kind != ValueInt && meant.Kind != ValueDouble {
			c.misfit(v, meant, t, where)
		}
	case String, Binary:
		if meant.Kind != ValueLiteral {
			c.misfit(v, meant, t, where)
		}
	case UUID:
		c.fitsUUID(v, meant, t, where)
	case List, Set, Map:
		c.fitsContainer(v, meant, real, where, depth)
	case Named:
		c.fitsNamed(v, meant, real, where, depth)
	}
}

func (c *checker) misfit(v, meant *Value, t *Type, where string) {
	found := [...]string{"a whole number", "a number with a fraction", "a text", "an enum value", "a list", "a map"}[meant.Kind]
	mend := "write a value of the type, or change the type"
	if t.Kind != Named && (meant.Kind == ValueInt || meant.Kind == ValueDouble) && (t.Kind == String || t.Kind == Binary) {
		mend = fmt.Sprintf("put it in quotes: %q", meant.Text)
	}
	c.report.errorf(v.Position, mend, "%s is of type %s and cannot be %s", where, t, found)
}

func (c *checker) fitsInteger(v, meant *Value, t *Type, where string) {
	number := meant.Int
	switch {
	case meant.EnumValue != nil:
		number = meant.EnumValue.Number
	case meant.Kind != ValueInt:
		c.misfit(v, meant, t, where)
		return
	}
	if t.Kind == Bool {
		if number != 0 && number != 1 {
			c.report.errorf(v.Position, "write true or false", "%s is a bool and cannot be %d", where, number)
		}
		return
	}
	if limits := integerRanges[t.Kind]; number < limits[0] || number > limits[1] {
		c.report.errorf(v.Position, "choose a wider type or a smaller number", "%s: %d does not fit into %s (%d to %d)", where, number, t.Kind, limits[0], limits[1])
	}
}

func (c *checker) fitsUUID(v, meant *Value, t *Type, where string) {
	if meant.Kind != ValueLiteral {
		c.misfit(v, meant, t, where)
		return
	}
	text := strings.TrimSuffix(strings.TrimPrefix(meant.Text, "{"), "}")
	good := len(text) == 36
	for i := 0; good && i < len(text); i++ {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			good = text[i] == '-'
		} else {
			good = isHex(text[i])
		}
	}
	if !good {
		c.report.errorf(v.Position, "write it as in \"00112233-4455-6677-8899-aabbccddeeff\"", "%s is no uuid", where)
	}
}

func (c *checker) fitsContainer(v, meant *Value, t *Type, where string, depth int) {
	empty := len(meant.List)+len(meant.Map) == 0
	want := ValueList
	if t.Kind == Map {
		want = ValueMap
	}
	isContainer := meant.Kind == ValueList || meant.Kind == ValueMap
	if meant.Kind != want && !(isContainer && empty) {
		c.misfit(v, meant, t, where)
		return
	}
	if v != meant {
		return
	}
	for _, e := range v.List {
		c.fits(e, t.Value, where, depth+1)
	}
	seen := map[string]*Value{}
	if t.Kind == Set {
		for _, e := range v.List {
			c.twice(seen, e, t.Value, where, "element", "it counts once")
		}
	}
	for _, pair := range v.Map {
		c.fits(pair.Key, t.Key, where, depth+1)
		c.fits(pair.Value, t.Value, where, depth+1)
		c.twice(seen, pair.Key, t.Key, where, "key", "the last one counts")
	}
}

// twice warns of keys and elements that a constant has more than once; it does not compare containers.
func (c *checker) twice(seen map[string]*Value, v *Value, t *Type, where, what, effect string) {
	key, ok := v.ScalarKey(t)
	if !ok {
		return
	}
	known := seen[key]
	if known == nil {
		seen[key] = v
		return
	}
	c.report.warnf(v.Position, "remove one of them", "%s has the %s %s twice (first in line %d): %s", where, what, key, known.Line, effect)
}

// ScalarKey returns a text that is equal for two scalars of a type if they are the same key of a map, and whether the value is a
// scalar. The type may be nil.
func (v *Value) ScalarKey(t *Type) (string, bool) {
	meant := v.Real()
	switch {
	case meant == nil:
		return "", false
	case meant.EnumValue != nil:
		return strconv.FormatInt(meant.EnumValue.Number, 10), true
	case meant.Kind == ValueInt && (t.Real() == nil || t.Real().Kind != Double):
		return strconv.FormatInt(meant.Int, 10), true
	case meant.Kind == ValueInt:
		return strconv.FormatFloat(float64(meant.Int), 'g', -1, 64), true
	case meant.Kind == ValueDouble:
		return strconv.FormatFloat(meant.Double+0, 'g', -1, 64), true // without the sign of zero
	case meant.Kind == ValueLiteral:
		return strconv.Quote(meant.Text), true
	}
	return "", false
}

func (c *checker) fitsNamed(v, meant *Value, t *Type, where string, depth int) {
	switch d := t.Target.(type) {
	case *Enum:
		c.fitsEnum(v, meant, d, where)
	case *Struct:
		if meant.Kind != ValueMap {
			c.misfit(v, meant, t, where)
		} else if v == meant {
			c.fitsStruct(v, d, where, depth)
		}
	}
}

func (c *checker) fitsEnum(v, meant *Value, e *Enum, where string) {
	switch {
	case meant.EnumValue != nil && meant.EnumValue.Enum != e:
		c.report.errorf(v.Position, "write a value of "+e.Name, "%s is of the enum %s and cannot be a value of %s", where, e.Name, meant.EnumValue.Enum.Name)
	case meant.EnumValue != nil:
	case meant.Kind == ValueInt:
		if e.ByNumber(meant.Int) != nil {
			return
		}
		c.report.warnf(v.Position, "write one of its values", "%s: the enum %s has no value with the number %d, which Apache's compiler refuses",
			where, e.Name, meant.Int)
	default:
		c.report.errorf(v.Position, "write one of its values, as in "+e.Name+".NAME", "%s is of the enum %s", where, e.Name)
	}
}

func (c *checker) fitsStruct(v *Value, s *Struct, where string, depth int) {
	fields := c.fieldsByName(s)
	given := map[string]*Value{}
	for _, pair := range v.Map {
		key := pair.Key.Real()
		if key == nil {
			continue
		}
		if key.Kind != ValueLiteral {
			c.report.errorf(pair.Key.Position, "write it in quotes", "%s: the key must be the name of a field of %s", where, s.Name)
			continue
		}
		f := fields[key.Text]
		if f == nil {
			c.report.errorf(pair.Key.Position, mendOr(c.fieldLike(key.Text, fields), "add the field, or remove it here"), "%s: the %s %s has no field '%s'", where, s.Kind, s.Name, key.Text)
			continue
		}
		c.twice(given, pair.Key, nil, where, "field", "the last one counts")
		c.fits(pair.Value, f.Type, where+", field "+f.Name, depth+1)
	}
	c.requiredGiven(v, s, given, where)
}

func (c *checker) fieldLike(name string, fields map[string]*Field) string {
	if c.report.full() {
		return ""
	}
	return DidYouMean(name, sortedKeys(fields))
}

func (c *checker) requiredGiven(v *Value, s *Struct, given map[string]*Value, where string) {
	if s.Kind == KindUnion {
		if len(v.Map) > 1 {
			c.report.errorf(v.Position, "keep one field", "%s: a value of the union %s sets %d fields", where, s.Name, len(v.Map))
		}
		return
	}
	for _, f := range s.Fields {
		if f.Requiredness == Required && f.Default == nil && given[strconv.Quote(f.Name)] == nil {
			c.report.warnf(v.Position, fmt.Sprintf("add %q: ...", f.Name), "%s: the required field '%s' of %s is missing, and so has its zero value",
				where, f.Name, s.Name)
		}
	}
}
