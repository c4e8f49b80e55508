package generic

import (
	"bytes"
	"encoding/json"

	"hone/go/idl"
)

// Example is JSON of what the function takes, with a value for each field as far as they fit: defaults of the IDL where there are some. It is
// indented. [Message.UnmarshalJSON] takes it. It is {} where a struct requires itself, of which there is no value.
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
	// JSON of ours is right.
	_ = json.Indent(&indented, text, "", "  ")
	return indented.Bytes()
}

// exampler makes examples, as values of Go.
type exampler struct {
	// inside are the structs around.
	inside map[*structure]bool
	// values is the number of values so far.
	values int
}

// After so many values, an example has no more of what need not be there; it has no more at all after as many again.
const usualExample = 1000

// isLong reports whether the example has enough values.
func (e *exampler) isLong() bool { return e.values > usualExample }

// structOf gives an example of a struct, if there is one.
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

// field is the default of a field, or an example of its type.
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

// element is an example of what need not be there.
func (e *exampler) element(v *value) (any, bool) {
	if e.isLong() {
		return nil, false
	}
	return e.value(v)
}

// mapping is a map as pairs.
func (e *exampler) mapping(v *value) any {
	key, hasKey := e.element(v.key)
	one, hasValue := e.element(v.element)
	if hasKey && hasValue {
		return []any{[]any{key, one}}
	}
	return []any{}
}
