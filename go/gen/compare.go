package gen

import (
	"fmt"

	"hone/go/idl"
)

// comparisons writes DeepEqual and DeepCopy where the options ask for them.
func (g *generator) comparisons(s *structure) {
	if g.options.DeepEqual {
		g.deepEqual(s)
	}
	if g.options.DeepCopy {
		g.deepCopy(s)
	}
}

func (g *generator) deepEqual(s *structure) {
	g.out("// DeepEqual reports whether both have the same fields with the same values. A NaN equals a NaN of the same bits.")
	g.out("func (p *%s) DeepEqual(other *%s) bool {", s.name, s.name)
	g.out("if p == other {\nreturn true\n}\nif p == nil || other == nil {\nreturn false\n}")
	for _, f := range s.fields {
		condition := g.differ(f.Type, "p."+f.name, "other."+f.name)
		if f.isPointer {
			condition = fmt.Sprintf("!thrift.EqualPointers(p.%s, other.%s)", f.name, f.name)
		}
		g.out("if %s {\nreturn false\n}", condition)
	}
	if g.options.KeepUnknown {
		g.out("if string(p.unknown) != string(other.unknown) {\nreturn false\n}")
	}
	g.out("return true\n}\n")
}

// differ makes a condition that is true where two values of a type differ.
func (g *generator) differ(t *idl.Type, a, b string) string {
	switch real := t.Real(); {
	case real.Struct() != nil:
		return fmt.Sprintf("!%s.DeepEqual(%s)", a, b)
	case isScalar(real) && real.Kind != idl.Double:
		return a + " != " + b
	}
	return fmt.Sprintf("!thrift.DeepEqual(%s, %s)", a, b)
}

func (g *generator) deepCopy(s *structure) {
	g.out("// DeepCopy returns a copy that shares no memory with the original but that of strings.")
	g.out("func (p *%s) DeepCopy() *%s {", s.name, s.name)
	g.out("if p == nil {\nreturn nil\n}\ncopied := *p")
	for _, f := range s.fields {
		switch real := f.Type.Real(); {
		case f.isPointer:
			g.out("if p.%s != nil {\nvalue := *p.%s\ncopied.%s = &value\n}", f.name, f.name, f.name)
		case real.Struct() != nil:
			g.out("copied.%s = p.%s.DeepCopy()", f.name, f.name)
		case !isScalar(real):
			g.out("copied.%s = thrift.DeepCopy(p.%s)", f.name, f.name)
		}
	}
	if g.options.KeepUnknown {
		g.out("copied.unknown = append([]byte(nil), p.unknown...)")
	}
	g.out("return &copied\n}\n")
}
