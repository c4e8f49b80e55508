package idl

import (
	"fmt"
	"strings"
)

func (c *comparer) structs(old, new *Struct) {
	if old.Kind != new.Kind {
		effect := BreaksSource
		if old.Kind == KindUnion || new.Kind == KindUnion {
			effect = BreaksWire
		}
		c.add(effect, old.Position, new.Position, "was %s, is %s", withArticle(old.Kind.String()), withArticle(new.Kind.String()))
	}
	c.fields(old.Fields, new.Fields, fieldPlace{union: new.Kind == KindUnion && old.Kind == KindUnion, what: "field"})
}

// fieldPlace says what the fields belong to. That decides what their changes break.
type fieldPlace struct {
	what      string
	union     bool
	arguments bool
	throws    bool
}

func (c *comparer) fields(old, new []*Field, place fieldPlace) {
	ids, names := map[int32]*Field{}, map[string]*Field{}
	for _, f := range new {
		ids[f.ID], names[f.Name] = f, f
	}
	oldIDs, oldNames := map[int32]bool{}, map[string]bool{}
	for _, f := range old {
		oldIDs[f.ID], oldNames[f.Name] = true, true
		now := ids[f.ID]
		switch moved := names[f.Name]; {
		case now != nil && now.Name == f.Name:
			c.field(f, now, place)
		case moved != nil:
			c.add(BreaksWire, f.Position, moved.Position, "the id of the %s %s was %d, is %d", place.what, f.Name, f.ID, moved.ID)
			if now != nil {
				c.add(BreaksWire, f.Position, now.Position, "the id %d of the %s %s is used for %s now", f.ID, place.what, f.Name, now.Name)
			}
		case now != nil && c.same(f.Type, now.Type, true):
			c.add(BreaksSource, f.Position, now.Position, "the %s %d is renamed from %s to %s", place.what, f.ID, f.Name, now.Name)
			c.field(f, now, place)
		case now != nil:
			c.add(BreaksWire, f.Position, now.Position, "the id %d was the %s %s (%s) and is used for %s (%s) now", f.ID, place.what, f.Name, f.Type, now.Name, now.Type)
		default:
			c.removed(f, place)
		}
	}
	for _, f := range new {
		if !oldIDs[f.ID] && !oldNames[f.Name] {
			c.added(f, place)
		}
	}
}

func (c *comparer) removed(f *Field, place fieldPlace) {
	switch {
	case place.throws:
		c.add(BreaksSource, f.Position, nowhere, "the exception %d %s is removed", f.ID, f.Name)
	case place.union:
		c.add(BreaksWire, f.Position, nowhere, "the field %d %s of the union is removed", f.ID, f.Name)
	case f.Requiredness == Required:
		c.add(BreaksWire, f.Position, nowhere, "the required %s %d %s is removed", place.what, f.ID, f.Name)
	default:
		c.add(BreaksSource, f.Position, nowhere, "the %s %d %s is removed; never use its id again", place.what, f.ID, f.Name)
	}
}

func (c *comparer) added(f *Field, place fieldPlace) {
	switch {
	case place.throws:
		c.add(BreaksWire, nowhere, f.Position, "the exception %d %s is added, which old clients do not know", f.ID, f.Name)
	case f.Requiredness == Required && !place.union:
		c.add(BreaksWire, nowhere, f.Position, "the required %s %d %s is added, which old programs do not send", place.what, f.ID, f.Name)
	case place.arguments:
		c.add(BreaksSource, nowhere, f.Position, "the argument %d %s is added", f.ID, f.Name)
	default:
		c.add(Safe, nowhere, f.Position, "the %s %d %s is added", place.what, f.ID, f.Name)
	}
}

// field compares two fields with the same id.
func (c *comparer) field(old, new *Field, place fieldPlace) {
	c.typeChange(old.Type, new.Type, fmt.Sprintf("the type of the %s %d %s", place.what, old.ID, new.Name), BreaksWire)
	if old.Requiredness != new.Requiredness && !place.union && !place.throws {
		effect := BreaksSource
		if old.Requiredness == Required || new.Requiredness == Required {
			effect = BreaksWire
		}
		if place.arguments && effect == BreaksSource {
			effect = Safe // both are ignored in arguments
		}
		c.add(effect, old.Position, new.Position, "the %s %d %s was %s, is %s", place.what, old.ID, new.Name, old.Requiredness, new.Requiredness)
	}
	if a, b := valueKey(old.Default), valueKey(new.Default); a != b {
		c.add(Risky, old.Position, new.Position, "the default of the %s %d %s was %s, is %s", place.what, old.ID, new.Name, orNothing(shorten(a)), orNothing(shorten(b)))
	}
}

// typeChange reports a type that has changed: with the effect on the wire if the bytes differ, otherwise as a change in source
// code.
func (c *comparer) typeChange(old, new *Type, what string, onWire Effect) {
	switch {
	case !c.same(old, new, true):
		c.add(onWire, placeOf(old), placeOf(new), "%s was %s, is %s", what, describeType(old), describeType(new))
	case !c.same(old, new, false):
		c.add(BreaksSource, placeOf(old), placeOf(new), "%s was %s, is %s; the bytes stay the same", what, describeType(old), describeType(new))
	}
}

func placeOf(t *Type) Position {
	if t == nil {
		return nowhere
	}
	return t.Position
}

// describeType names a type, and the type behind its typedefs.
func describeType(t *Type) string {
	if real := t.Real(); real != nil && real != t {
		return fmt.Sprintf("%s (%s)", t, real)
	}
	return t.String()
}

// typePair is one comparison of types that has been made.
type typePair struct {
	old, new *Type
	wire     bool
}

// same reports whether two types have the same bytes (wire), or else whether generated code writes them alike. Pairs are
// remembered: otherwise the code would follow typedefs of maps of typedefs exponentially often.
func (c *comparer) same(old, new *Type, wire bool) bool {
	a, b := old.Real(), new.Real()
	if a == nil || b == nil {
		return a == b
	}
	key := typePair{a, b, wire}
	if known, seen := c.compared[key]; seen {
		return known
	}
	result := c.sameReal(a, b, wire)
	c.compared[key] = result
	return result
}

func (c *comparer) sameReal(a, b *Type, wire bool) bool {
	if wire && wireKind(a) != wireKind(b) || !wire && a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case List, Set:
		return c.same(a.Value, b.Value, wire)
	case Map:
		return c.same(a.Key, b.Key, wire) && c.same(a.Value, b.Value, wire)
	case Named:
		if wire && wireKind(a) == I32 {
			return true
		}
		if a.Target.DefinedName() != b.Target.DefinedName() {
			return wire && c.sameShapes(a.Target, b.Target) // names do not matter on the wire
		}
		return c.sameDefinition(a.Target, b.Target)
	}
	return true
}

// sameDefinition reports whether two definitions of the same name are the same one. Those of matched files are (changes inside them
// are reported there). Those of other files are if their fields have the same ids and types.
func (c *comparer) sameDefinition(old, new Definition) bool {
	if c.files[old.In()] == new.In() {
		return true
	}
	return c.sameShapes(old, new)
}

// sameShapes reports whether two definitions have fields of the same ids and types, whatever their names are.
func (c *comparer) sameShapes(old, new Definition) bool {
	a, isStruct := old.(*Struct)
	b, alsoStruct := new.(*Struct)
	if !isStruct || !alsoStruct {
		return !isStruct && !alsoStruct
	}
	pair := [2]*Struct{a, b}
	if known, seen := c.shapes[pair]; seen {
		return known
	}
	c.shapes[pair] = true // assumed for a struct within itself
	c.shapes[pair] = c.sameShape(a, b)
	return c.shapes[pair]
}

func (c *comparer) sameShape(a, b *Struct) bool {
	if a.Kind != b.Kind || len(a.Fields) != len(b.Fields) {
		return false
	}
	ids := make(map[int32]*Field, len(b.Fields))
	for _, f := range b.Fields {
		ids[f.ID] = f
	}
	for _, f := range a.Fields {
		g := ids[f.ID]
		if g == nil || (f.Requiredness == Required) != (g.Requiredness == Required) || !c.same(f.Type, g.Type, true) {
			return false
		}
	}
	return true
}

// wireKind returns one kind for all types with the same bytes.
func wireKind(t *Type) TypeKind {
	if _, isEnum := t.Target.(*Enum); isEnum {
		return I32
	}
	if t.Kind == Binary {
		return String
	}
	return t.Kind
}

// valueKey returns a text that is equal for values that mean the same; "" for no value.
func valueKey(v *Value) string {
	if v == nil {
		return ""
	}
	var b strings.Builder
	writeValueKey(&b, v, 0)
	return b.String()
}

// maxValueKey bounds the text of a value: constants that name constants could
// otherwise grow without end.
const maxValueKey = 1 << 16

func writeValueKey(b *strings.Builder, v *Value, depth int) {
	real := v.Real()
	if real == nil || depth > MaxNesting || b.Len() > maxValueKey {
		b.WriteString(v.Text)
		return
	}
	if key, ok := real.ScalarKey(nil); ok {
		b.WriteString(key)
		return
	}
	brackets := "[]"
	if real.Kind == ValueMap {
		brackets = "{}"
	}
	b.WriteByte(brackets[0])
	for i, e := range real.List {
		comma(b, i)
		writeValueKey(b, e, depth+1)
	}
	for i, pair := range real.Map {
		comma(b, i)
		writeValueKey(b, pair.Key, depth+1)
		b.WriteString(": ")
		writeValueKey(b, pair.Value, depth+1)
	}
	b.WriteByte(brackets[1])
}

func comma(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteString(", ")
	}
}

func shorten(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:57], "") + "..."
	}
	return s
}
