package idl

import (
	"fmt"
	"math"
	"slices"
)

// checker finds the faults of a file whose names are resolved.
type checker struct {
	resolver
	// heights holds the heights of typedefs; 0 while a typedef is being measured.
	heights map[*Typedef]int
	// weights holds the number of types that each typedef is made of.
	weights map[*Typedef]int
	// circular holds the services where a circle of `extends` begins.
	circular map[*Service]bool
}

func (c *checker) check() {
	c.heights, c.weights = map[*Typedef]int{}, map[*Typedef]int{}
	c.circular = c.circles()
	for _, d := range c.file.Definitions {
		switch d := d.(type) {
		case *Typedef:
			c.typedef(d)
		case *Const:
			c.constant(d)
		case *Enum:
			c.enum(d)
		case *Struct:
			c.structure(d)
		case *Service:
			c.service(d)
		}
	}
	c.weighValues()
}

func (c *checker) typedef(d *Typedef) {
	if d.Type.Kind != Named || d.Type.Target != nil {
		c.height(d, 0)
	}
	c.weighType(d.Type)
}

// tooHigh is the height of a typedef that has been reported already.
const tooHigh = MaxTypedefs + 1

// height is the number of typedefs that lie in one another below d. It goes into containers, but not into the fields of structs.
// Each typedef is visited once.
func (c *checker) height(d *Typedef, above int) int {
	known, seen := c.heights[d]
	switch {
	case seen && known == 0:
		c.report.errorf(d.Position, "put a struct between them", "the typedef '%s' contains itself", d.Name)
		return tooHigh
	case seen:
		return known
	case above > MaxTypedefs:
		c.report.errorf(d.Position, "name the types directly", "typedefs are nested more than %d deep", MaxTypedefs)
		return tooHigh
	}
	c.heights[d] = 0
	height := 1 + c.typeHeight(d.Type, above+1)
	if height > MaxTypedefs && height < tooHigh+1 {
		c.report.errorf(d.Position, "name the types directly", "typedefs are nested more than %d deep", MaxTypedefs)
	}
	height = min(height, tooHigh)
	c.heights[d] = height
	return height
}

func (c *checker) typeHeight(t *Type, above int) int {
	if t == nil {
		return 0
	}
	if d, ok := t.Target.(*Typedef); ok {
		return c.height(d, above)
	}
	return max(c.typeHeight(t.Key, above), c.typeHeight(t.Value, above))
}

func (c *checker) enum(e *Enum) {
	names, numbers := map[string]*EnumValue{}, map[int64]*EnumValue{}
	for _, v := range e.Values {
		if known := names[v.Name]; known != nil {
			c.report.errorf(v.Position, "rename one of them", "the enum %s has the value '%s' already in line %d", e.Name, v.Name, known.Line)
		}
		names[v.Name] = v
		if v.Number < math.MinInt32 || v.Number > math.MaxInt32 {
			c.report.errorf(v.Position, "choose a number from -2147483648 to 2147483647", "the number %d of '%s' does not fit into 32 bits", v.Number, v.Name)
		}
		if known := numbers[v.Number]; known != nil {
			c.report.warnf(v.Position, "give each value its own number, or keep it as an alias", "'%s' has the number %d of '%s'", v.Name, v.Number, known.Name)
		} else {
			numbers[v.Number] = v
		}
	}
}

func (c *checker) structure(s *Struct) {
	c.fields(s.Fields, s.Kind.String()+" "+s.Name)
	if s.Kind == KindUnion {
		c.union(s)
	}
}

func (c *checker) union(s *Struct) {
	var first *Field
	for _, f := range s.Fields {
		if f.Requiredness == Required {
			c.report.warnf(f.Position, "remove 'required'", "the field %s of the union %s is required, but a union holds one field only; it counts as optional", f.Name, s.Name)
		}
		if f.Default == nil {
			continue
		}
		if first != nil {
			c.report.errorf(f.Position, "keep one default", "the union %s has a second default; the first is that of %s", s.Name, first.Name)
		}
		first = f
	}
}

// fields checks names and ids, and the defaults against their types.
func (c *checker) fields(fields []*Field, where string) {
	names, ids := map[string]*Field{}, map[int32]*Field{}
	for _, f := range fields {
		if known := names[f.Name]; known != nil {
			c.report.errorf(f.NamePosition, "rename one of them", "%s has the field '%s' already in line %d", where, f.Name, known.Line)
		} else {
			names[f.Name] = f
		}
		if known := ids[f.ID]; known != nil && f.ID != wrongID {
			c.report.errorf(f.Position, "give the field an id that is free", "%s has the id %d already, for '%s' in line %d", where, f.ID, known.Name, known.Line)
		} else {
			ids[f.ID] = f
		}
		c.weighType(f.Type)
		if f.Default != nil {
			c.fits(f.Default, f.Type, "the default of "+f.Name, 0)
		}
	}
}

func (c *checker) service(s *Service) {
	switch {
	case c.circular[s]:
		c.report.errorf(s.ExtendsPosition, "remove one 'extends'", "the service %s extends itself", s.Name)
	case c.hasManyBases(s):
		c.report.errorf(s.ExtendsPosition, "remove one 'extends'", "the service %s extends more than %d others", s.Name, maxBases)
	}
	names := map[string]*Function{}
	for _, f := range s.Functions {
		if known := names[f.Name]; known != nil {
			c.report.errorf(f.NamePosition, "rename one of them", "the service %s has the function '%s' already in line %d", s.Name, f.Name, known.Line)
		} else {
			names[f.Name] = f
		}
		c.function(f)
	}
	c.inherited(s)
}

// circles finds the services of the file that extend themselves. Each service is visited once.
func (c *checker) circles() map[*Service]bool {
	const walking, done = 1, 2
	state, found := map[*Service]int{}, map[*Service]bool{}
	for _, d := range c.file.Definitions {
		s, ok := d.(*Service)
		if !ok {
			continue
		}
		var path []*Service
		for ; s != nil && state[s] == 0; s = s.Base {
			state[s] = walking
			path = append(path, s)
		}
		if s != nil && state[s] == walking {
			found[s] = true
		}
		for _, p := range path {
			state[p] = done
		}
	}
	return found
}

// maxBases is the largest number of services above a service that are compared.
const maxBases = 64

// inherited reports functions that a base has too. In Go both are in one interface, so they must be the same.
func (c *checker) inherited(s *Service) {
	type place struct {
		of *Service
		f  *Function
	}
	known := map[string]place{}
	base := s.Base
	for n := 0; base != nil && base != s && n < maxBases; n++ {
		for _, f := range base.Functions {
			if known[f.Name].f == nil {
				known[f.Name] = place{base, f}
			}
		}
		base = base.Base
	}
	for _, f := range s.Functions {
		first, ok := known[f.Name]
		if !ok {
			continue
		}
		where := fmt.Sprintf("the service %s (%s:%d)", first.of.Name, first.of.In().Path, first.f.NamePosition.Line)
		if isSameFunction(f, first.f) {
			c.report.warnf(f.NamePosition, "remove it", "the function '%s' is that of %s again", f.Name, where)
		} else {
			c.report.errorf(f.NamePosition, "rename one of them", "the service %s has the function '%s' otherwise than %s, which it extends", s.Name, f.Name, where)
		}
	}
}

// hasManyBases reports whether a service has exactly one base more than are compared. So only one service of a long line is
// reported.
func (c *checker) hasManyBases(s *Service) bool {
	n := 0
	for base := s.Base; base != nil && n <= maxBases+1; base = base.Base {
		n++
	}
	return n == maxBases+1
}

// isSameFunction reports whether two functions are the same in Go and on the wire.
func isSameFunction(a, b *Function) bool {
	return a.Oneway == b.Oneway && a.Streaming() == b.Streaming() && isSameType(a.Result, b.Result) && areSameFields(a.Arguments, b.Arguments) && areSameFields(a.Throws, b.Throws)
}

func areSameFields(a, b []*Field) bool {
	return slices.EqualFunc(a, b, func(a, b *Field) bool {
		return a.ID == b.ID && a.Requiredness == b.Requiredness && (a.Default == nil) == (b.Default == nil) && isSameType(a.Type, b.Type)
	})
}

func isSameType(a, b *Type) bool {
	a, b = a.Real(), b.Real()
	if a == nil || b == nil {
		return a == b
	}
	return a.Kind == b.Kind && a.Target == b.Target && isSameType(a.Key, b.Key) && isSameType(a.Value, b.Value)
}

func (c *checker) function(f *Function) {
	c.weighType(f.Result)
	c.fields(f.Arguments, "the function "+f.Name)
	c.fields(f.Throws, "the throws of "+f.Name)
	c.streaming(f)
	for _, a := range f.Arguments {
		if a.Requiredness == Optional {
			c.report.warnf(a.Position, "remove 'optional'", "the argument %s is optional, which Apache's compiler ignores", a.Name)
		}
	}
	for _, e := range f.Throws {
		t := e.Type.Struct()
		if e.Type.Kind == Named && e.Type.Target == nil {
			continue
		}
		if t == nil || t.Kind != KindException {
			c.report.errorf(e.Type.Position, "define it with 'exception'", "the function %s throws '%s', which is no exception", f.Name, e.Type)
		}
	}
	if f.Oneway && f.Result != nil {
		c.report.errorf(f.Result.Position, "write 'oneway void', or remove 'oneway'", "the oneway function %s has a result, which nobody would receive", f.Name)
	}
	if f.Oneway && len(f.Throws) > 0 {
		c.report.errorf(f.NamePosition, "remove 'throws' or 'oneway'", "the oneway function %s throws, which nobody would receive", f.Name)
	}
}
