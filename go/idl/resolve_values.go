package idl

import (
	"fmt"
	"strings"
)

// useValue finds the meaning of the names in a value. The type is nil where it is not known.
func (r *resolver) useValue(v *Value, t *Type) {
	real := t.Real()
	var key, value *Type
	if real != nil {
		key, value = real.Key, real.Value
	}
	for _, e := range v.List {
		r.useValue(e, value)
	}
	s := t.Struct()
	for _, pair := range v.Map {
		r.useValue(pair.Key, key)
		if s != nil {
			value = r.typeOfField(s, pair.Key)
		}
		r.useValue(pair.Value, value)
	}
	if v.Kind == ValueIdentifier {
		r.identifier(v, t)
	}
}

// typeOfField returns the type of the field, of a struct, that a value names; nil for none.
func (r *resolver) typeOfField(s *Struct, name *Value) *Type {
	if name = name.Real(); name != nil && name.Kind == ValueLiteral {
		if f := r.fieldsByName(s)[name.Text]; f != nil {
			return f.Type
		}
	}
	return nil
}

func (r *resolver) fieldsByName(s *Struct) map[string]*Field {
	fields := r.byName[s]
	if fields == nil {
		fields = make(map[string]*Field, len(s.Fields))
		for _, f := range s.Fields {
			fields[f.Name] = f
		}
		if r.byName == nil {
			r.byName = map[*Struct]map[string]*Field{}
		}
		r.byName[s] = fields
	}
	return fields
}

// identifier resolves CONST, Enum.VALUE, file.CONST and file.Enum.VALUE, also with a typedef of an enum in place of the enum.
func (r *resolver) identifier(v *Value, t *Type) {
	places := r.places(v.Text)
	var found Definition
	for _, p := range places {
		d, value := valueIn(p)
		if d == nil || d == found {
			continue
		}
		if found != nil {
			r.ambiguous(v.Text, v.Position, found, d)
			return
		}
		found, v.EnumValue = d, value
		v.Const, _ = d.(*Const)
	}
	switch {
	case found != nil:
		r.early(found, v.Position)
		return
	case len(places) == 0, r.expected(v, t):
		return
	}
	for _, p := range places {
		owner, member, dotted := strings.Cut(p.rest, ".")
		if d := p.file.names[owner]; enumOf(d) != nil {
			r.early(d, v.Position)
			r.noMember(v, enumOf(d), member, dotted)
			return
		}
	}
	r.unknownValue(v, places[0].file, places[0].prefix, places[0].rest)
}

// valueIn returns the constant that the name means in a place, or the enum, or typedef of one, with its value.
func valueIn(p place) (Definition, *EnumValue) {
	owner, member, dotted := strings.Cut(p.rest, ".")
	d := p.file.names[owner]
	if constant, ok := d.(*Const); ok && !dotted {
		return constant, nil
	}
	if enum := enumOf(d); dotted && enum != nil && enum.byName[member] != nil {
		return d, enum.byName[member]
	}
	return nil, nil
}

// enumOf returns the enum behind a definition, after all typedefs; nil for none.
func enumOf(d Definition) *Enum {
	switch d := d.(type) {
	case *Enum:
		return d
	case *Typedef:
		return d.Type.Enum()
	}
	return nil
}

// expected resolves the name of a value of the expected enum, if something else comes before the dot: Apache's compiler looks only
// at the last word.
func (r *resolver) expected(v *Value, t *Type) bool {
	enum, dot := t.Enum(), strings.LastIndexByte(v.Text, '.')
	if enum == nil || dot < 0 {
		return false
	}
	v.EnumValue = enum.byName[v.Text[dot+1:]]
	if v.EnumValue == nil {
		return false
	}
	r.report.warnf(v.Position, fmt.Sprintf("write the name of the enum before the dot: %s.%s", enum.Name, v.EnumValue.Name),
		"there is no '%s'; it is taken for '%s' of the enum %s, as Apache's compiler does", v.Text, v.EnumValue.Name, enum.Name)
	return true
}

// noMember reports a name that is no value of an enum.
func (r *resolver) noMember(v *Value, e *Enum, member string, dotted bool) {
	if r.report.full() {
		return
	}
	var names []string
	for _, value := range e.Values {
		names = append(names, e.Name+"."+value.Name)
	}
	if !dotted {
		r.report.errorf(v.Position, "write it with one of its values", "'%s' is an enum, not a value", v.Text)
		return
	}
	r.report.errorf(v.Position, mendOr(DidYouMean(e.Name+"."+member, names), "add it to the enum"), "the enum %s has no value '%s'", e.Name, member)
}

func (r *resolver) unknownValue(v *Value, file *File, prefix, name string) {
	if r.report.full() {
		return
	}
	var names []string
	for _, d := range file.Definitions {
		switch d := d.(type) {
		case *Const:
			names = append(names, prefix+d.Name)
		case *Enum:
			for _, value := range d.Values {
				if value.Name == name {
					r.report.errorf(v.Position, fmt.Sprintf("write '%s%s.%s'", prefix, d.Name, name), "the enum value '%s' needs the name of its enum", v.Text)
					return
				}
				names = append(names, prefix+d.Name+"."+value.Name)
			}
		}
	}
	r.report.errorf(v.Position, mendOr(DidYouMean(v.Text, names), "define it, or put a text in quotes"), "there is no constant or enum value '%s'", v.Text)
}
