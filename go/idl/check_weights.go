package idl

// weigher counts the values that constants and defaults become in generated code. There a constant that is named is written out in
// full, and a struct has the defaults of its fields. The weigher finds values that contain themselves, and values that grow without
// bound.
type weigher struct {
	checker   *checker
	constants map[*Const]int
	defaults  map[*Field]int
	total     int
	// depth is the number of constants and defaults that lie in each other at the present place. isTooDeep says that they were once
	// too many.
	depth     int
	isTooDeep bool
}

// weighing marks a value that is being weighed: a walk that meets it again has come round in a circle.
const weighing = -1

func (c *checker) weighValues() {
	w := &weigher{checker: c, constants: map[*Const]int{}, defaults: map[*Field]int{}}
	for _, d := range c.file.Definitions {
		switch d := d.(type) {
		case *Const:
			w.add(w.constant(d), d.Value.Position)
		case *Struct:
			w.fields(d.Fields)
		case *Service:
			for _, f := range d.Functions {
				w.fields(f.Arguments)
			}
		}
	}
}

func (w *weigher) fields(fields []*Field) {
	for _, f := range fields {
		if f.Default != nil {
			w.add(w.ofDefault(f, w.checker.file), f.Default.Position)
		}
	}
}

// add counts up to the limit, and reports once that the limit is passed.
func (w *weigher) add(weight int, at Position) {
	if w.isTooDeep {
		w.checker.report.errorf(at, "name fewer constants within constants", "constants and defaults lie in each other more than %d deep", MaxTypedefs)
		w.isTooDeep = false
	}
	if w.total <= MaxValues && w.total+weight > MaxValues {
		w.checker.report.errorf(at, "name fewer constants within constants",
			"the constants and defaults of the file have more than %d values, with those that they name", MaxValues)
	}
	w.total = min(w.total+weight, MaxValues+1)
}

func (w *weigher) constant(d *Const) int {
	weight, isCircle := weighedOnce(w, w.constants, d, d.Value, d.Type)
	if isCircle {
		w.circle(d.In(), d.Value.Position, "the constant '%s' contains itself", d.Name)
	}
	return weight
}

// ofDefault weighs the default of a field of this file.
func (w *weigher) ofDefault(f *Field, file *File) int {
	weight, isCircle := weighedOnce(w, w.defaults, f, f.Default, f.Type)
	if isCircle {
		w.circle(file, f.Default.Position, "the default of '%s' contains a struct with the same default", f.Name)
	}
	return weight
}

// weighedOnce returns the weight of a constant or a default with this value, and remembers it. It returns 1 for one that is being
// weighed already, or lies too deep.
func weighedOnce[K comparable](w *weigher, known map[K]int, of K, value *Value, t *Type) (weight int, isCircle bool) {
	weight, isKnown := known[of]
	switch {
	case weight == weighing:
		return 1, true
	case isKnown:
		return weight, false
	}
	if w.depth == MaxTypedefs {
		w.isTooDeep = true
		return 1, false
	}
	known[of] = weighing
	w.depth++
	weight = w.value(value, t)
	w.depth--
	known[of] = weight
	return weight, false
}

// circle reports a circle, if it lies in the file that is being checked.
func (w *weigher) circle(file *File, at Position, format, name string) {
	if file == w.checker.file {
		w.checker.report.errorf(at, "remove one of the values in the circle", format, name)
	}
}

func (w *weigher) value(v *Value, t *Type) int {
	if v.Kind == ValueIdentifier {
		if v.Const == nil {
			return 1
		}
		return w.constant(v.Const)
	}
	real := t.Real()
	if real == nil {
		return 1
	}
	if s := real.Struct(); s != nil {
		return w.structure(v, s)
	}
	weight := 1
	for _, element := range v.List {
		if real.Value != nil {
			weight = heavier(weight, w.value(element, real.Value))
		}
	}
	for _, pair := range v.Map {
		if real.Key != nil && real.Value != nil {
			weight = heavier(heavier(weight, w.value(pair.Key, real.Key)), w.value(pair.Value, real.Value))
		}
	}
	return weight
}

func (w *weigher) structure(v *Value, s *Struct) int {
	given := make(map[string]*Value, len(v.Map))
	for _, pair := range v.Map {
		if key := pair.Key.Real(); key != nil {
			given[key.Text] = pair.Value
		}
	}
	weight := 1
	for _, f := range s.Fields {
		if value := given[f.Name]; value != nil {
			weight = heavier(weight, w.value(value, f.Type))
		} else if f.Default != nil {
			weight = heavier(weight, w.ofDefault(f, s.In()))
		}
	}
	return weight
}

// heavier adds two weights, up to the limit.
func heavier(a, b int) int { return min(a+b, MaxValues+1) }

// typeWeight is the number of types that a type is made of, up to the limit. Each typedef is visited once.
func (c *checker) typeWeight(t *Type) int {
	if t == nil {
		return 0
	}
	d, ok := t.Target.(*Typedef)
	if !ok {
		return min(1+c.typeWeight(t.Key)+c.typeWeight(t.Value), MaxTypes+1)
	}
	if _, seen := c.weights[d]; !seen {
		c.weights[d] = 1 // for a typedef in a circle, which is reported elsewhere
		c.weights[d] = c.typeWeight(d.Type)
	}
	return c.weights[d]
}

// namesTooMany reports whether a type names a typedef that is too large itself.
func (c *checker) namesTooMany(t *Type) bool {
	if t == nil {
		return false
	}
	if d, ok := t.Target.(*Typedef); ok {
		return c.weights[d] > MaxTypes
	}
	return c.namesTooMany(t.Key) || c.namesTooMany(t.Value)
}

// weighType reports types that are too large, but not other types that only name them.
func (c *checker) weighType(t *Type) {
	if t != nil && c.typeWeight(t) > MaxTypes && !c.namesTooMany(t) {
		c.report.errorf(t.Position, "put a struct between them", "the type consists of more than %d types, with those that its typedefs stand for", MaxTypes)
	}
}
