package generic

import "hone/go/idl"

// defaults makes the bytes of all defaults of what was described.
func (all *descriptions) defaults() {
	for _, s := range all.all {
		for i := range s.fields {
			s.fields[i].makeStandard()
		}
	}
}

// makeStandard makes the bytes of a field's default, if it has one. Those of fields in it are made before: the IDL refuses defaults that
// contain themselves, and those that their types do not have.
func (f *field) makeStandard() {
	constant := f.constant
	if constant == nil {
		return
	}
	f.constant = nil
	w := &writer{limit: mostDefaultBytes, depth: idl.MaxNesting, isConstant: true}
	if err := w.value(f.value, goOf(constant, f.declared)); err == nil {
		f.standard = w.b[:w.off:w.off]
	}
}

// mostDefaultBytes is the length that a default may have. Defaults in an IDL are shorter.
const mostDefaultBytes = 1 << 30

// goOf is a constant of a type as a value of Go.
func goOf(v *idl.Value, t *idl.Type) any {
	v, real := v.Real(), t.Real()
	if s := real.Struct(); s != nil {
		return goOfStruct(v, s)
	}
	switch real.Kind {
	case idl.Bool:
		return integerOf(v) != 0
	case idl.Double:
		if v.Kind == idl.ValueInt {
			return float64(v.Int)
		}
		return v.Double
	case idl.Binary:
		return []byte(v.Text)
	case idl.String, idl.UUID:
		return v.Text
	case idl.List, idl.Set:
		return goOfList(v, real)
	case idl.Map:
		return goOfMap(v, real)
	}
	return integerOf(v)
}

// integerOf is a whole number, which may be written as the value of an enum.
func integerOf(v *idl.Value) int64 {
	if v.EnumValue != nil {
		return v.EnumValue.Number
	}
	return v.Int
}

func goOfStruct(v *idl.Value, s *idl.Struct) any {
	types := map[string]*idl.Type{}
	for _, f := range s.Fields {
		types[f.Name] = f.Type
	}
	fields := map[string]any{}
	for _, pair := range v.Map {
		name := pair.Key.Real().Text // which may be a constant
		fields[name] = goOf(pair.Value, types[name])
	}
	return fields
}

// goOfList is a list, or a set: that has an element once, however often the constant has it.
func goOfList(v *idl.Value, t *idl.Type) any {
	elements, seen := []any{}, map[string]bool{}
	for _, element := range v.List {
		if key, ok := element.ScalarKey(t.Value); ok && t.Kind == idl.Set {
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		elements = append(elements, goOf(element, t.Value))
	}
	return elements
}

// goOfMap is a map as pairs. Of a key that the constant has several times the last one counts.
func goOfMap(v *idl.Value, t *idl.Type) any {
	last := map[string]int{}
	for i, pair := range v.Map {
		if key, ok := pair.Key.ScalarKey(t.Key); ok {
			last[key] = i
		}
	}
	pairs := []any{}
	for i, pair := range v.Map {
		if key, ok := pair.Key.ScalarKey(t.Key); ok && last[key] != i {
			continue
		}
		pairs = append(pairs, []any{goOf(pair.Key, t.Key), goOf(pair.Value, t.Value)})
	}
	return pairs
}
