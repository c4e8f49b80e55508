package generic

import "hone/go/idl"

// defaults makes the bytes of the defaults of all structs that were described.
func (all *descriptions) defaults() {
	for _, s := range all.all {
		for i := range s.fields {
			s.fields[i].makeStandard()
		}
	}
}

// makeStandard makes the bytes of a field's default, if it has one. If that default is a struct, the defaults of its fields are made first. This
// ends, because the IDL refuses defaults that contain themselves. The IDL also refuses defaults that do not fit their types.
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

// mostDefaultBytes is the length limit of a default, in bytes. No default that the IDL allows is longer.
const mostDefaultBytes = 1 << 30

// goOf returns a constant of the given type as a value of Go.
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

// integerOf returns a whole number, which may be written as the value of an enum.
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
		name := pair.Key.Real().Text // the name may be a constant
		fields[name] = goOf(pair.Value, types[name])
	}
	return fields
}

// goOfList returns a list or a set. A set has each element once, even if the constant has it several times.
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

// goOfMap returns a map as pairs. If the constant has a key several times, the last one counts.
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
