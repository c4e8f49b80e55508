package generic

import (
	"bytes"
	"encoding/json"

	"hone/go/idl"
)

// Example returns JSON of the function's arguments, indented, with a value for each field as long as the example is short. A field that has a default
// in the IDL has that default. [Message.UnmarshalJSON] reads this JSON. The example is {} if a struct requires itself, because such a struct has no
// finite value.
func (f *Function) Example() []byte {
	e := &exampler{inside: map[*structure]bool{}}
	args := f.Args()
	if example, ok := e.structOf(f.args); !ok || args.set(example, mostDefaultBytes) != nil {
		return []byte("{}")
	}
	text, err := args.MarshalJSON()
	if err != nil {
		return []byte("{}")
	}
	var indented bytes.Buffer
	// jsonText always writes valid JSON.
	_ = json.Indent(&indented, text, "", "  ")
	return indented.Bytes()
}

// exampler makes examples, as values of Go.
type exampler struct {
	// inside has the structs that the current value is in.
	inside map[*structure]bool
	// values is the number of values of the example so far.
	values int
}

// usualExample is the number of values after which an example leaves out all that is not required. After twice as many, it has no more structs.
const usualExample = 1000

// isLong reports whether the example has enough values.
func (e *exampler) isLong() bool { return e.values > usualExample }

// structOf returns an example of a struct, if there is one.
func (e *exampler) structOf(s *structure) (map[string]any, bool) {
	if e.inside[s] || e.values > 2*usualExample {
		return nil, false
	}
	e.inside[s] = true
	defer delete(e.inside, s)
	fields := map[string]any{}
	for i := range s.fields {
		f := &s.fields[i]
		if e.isLong() && f.need != idl.Required && !s.isUnion {
			continue
		}
		one, ok := e.field(f)
		switch {
		case ok:
			fields[f.name] = one
		case f.need == idl.Required:
			return nil, false
		}
		if ok && s.isUnion {
			break
		}
	}
	return fields, !s.isUnion || len(fields) == 1
}

// field returns the default of a field, or an example of its type.
func (e *exampler) field(f *field) (any, bool) {
	if f.standard == nil {
		return e.value(f.value)
	}
	to := &goValue{}
	r := &reader{to: to, room: mostDefaultBytes}
	r.standard(f)
	e.values++
	return to.made, true
}

func (e *exampler) value(v *value) (any, bool) {
	e.values++
	switch {
	case v.structure != nil:
		return e.structOf(v.structure)
	case v.enum != nil:
		if len(v.enum.Values) == 0 {
			return int64(0), true
		}
		return v.enum.Values[0].Name, true
	}
	switch v.kind {
	case idl.Bool:
		return true, true
	case idl.Double:
		return 1.5, true
	case idl.String:
		return "text", true
	case idl.Binary:
		return []byte("bytes"), true
	case idl.UUID:
		return "00112233-4455-6677-8899-aabbccddeeff", true
	case idl.List, idl.Set:
		if element, ok := e.element(v.element); ok {
			return []any{element}, true
		}
		return []any{}, true
	case idl.Map:
		return e.mapping(v), true
	}
	return int64(1), true
}

// element returns an example of an element that may be left out.
func (e *exampler) element(v *value) (any, bool) {
	if e.isLong() {
		return nil, false
	}
	return e.value(v)
}

// mapping returns an example of a map, as pairs.
func (e *exampler) mapping(v *value) any {
	key, hasKey := e.element(v.key)
	one, hasValue := e.element(v.element)
	if hasKey && hasValue {
		return []any{[]any{key, one}}
	}
	return []any{}
}
