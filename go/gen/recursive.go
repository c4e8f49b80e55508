package gen

import "hone/go/idl"

// recursiveStructs are those that a value of theirs may contain: their depth is counted while they are read. They are the structs of
// circles of fields, which Tarjan's algorithm finds in one walk over all.
func recursiveStructs(program *idl.Program) map[*idl.Struct]bool {
	w := &circleWalk{number: map[*idl.Struct]int{}, lowest: map[*idl.Struct]int{}, isOpen: map[*idl.Struct]bool{}, found: map[*idl.Struct]bool{}}
	for _, file := range program.Files {
		for _, definition := range file.Definitions {
			if s, ok := definition.(*idl.Struct); ok && w.number[s] == 0 {
				w.visit(s)
			}
		}
	}
	return w.found
}

type circleWalk struct {
	// number is a struct's place in the walk, from 1; lowest is the first struct that can be reached and reaches it.
	number, lowest map[*idl.Struct]int
	// open are the structs whose circle is not closed yet.
	open   []*idl.Struct
	isOpen map[*idl.Struct]bool
	found  map[*idl.Struct]bool
}

func (w *circleWalk) visit(s *idl.Struct) {
	w.number[s] = len(w.number) + 1
	w.lowest[s] = w.number[s]
	w.open, w.isOpen[s] = append(w.open, s), true
	for _, field := range s.Fields {
		for _, inner := range structsIn(field.Type) {
			switch {
			case w.number[inner] == 0:
				w.visit(inner)
				w.lowest[s] = min(w.lowest[s], w.lowest[inner])
			case inner == s:
				w.found[s] = true
			case w.isOpen[inner]:
				w.lowest[s] = min(w.lowest[s], w.number[inner])
			}
		}
	}
	if w.lowest[s] < w.number[s] {
		return
	}
	for circle := w.openFrom(s); len(circle) > 1; circle = circle[1:] {
		w.found[circle[0]], w.found[circle[1]] = true, true
	}
}

// openFrom takes the structs from s on, which are in a circle with it if they are several.
func (w *circleWalk) openFrom(s *idl.Struct) []*idl.Struct {
	at := len(w.open) - 1
	for w.open[at] != s {
		at--
	}
	circle := w.open[at:]
	w.open = w.open[:at]
	for _, one := range circle {
		w.isOpen[one] = false
	}
	return circle
}

// structsIn are the structs that a type names, in containers too.
func structsIn(t *idl.Type) []*idl.Struct {
	real := t.Real()
	switch real.Kind {
	case idl.List, idl.Set:
		return structsIn(real.Value)
	case idl.Map:
		return append(structsIn(real.Key), structsIn(real.Value)...)
	}
	if s := real.Struct(); s != nil {
		return []*idl.Struct{s}
	}
	return nil
}
