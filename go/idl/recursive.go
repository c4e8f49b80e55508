package idl

// RecursiveStructs returns the structs that may contain a value of their own type: their depth is counted while they are read. They
// are the structs in circles of fields. Tarjan's algorithm finds these in one walk over all structs.
func (p *Program) RecursiveStructs() map[*Struct]bool {
	w := &circleWalk{number: map[*Struct]int{}, lowest: map[*Struct]int{}, isOpen: map[*Struct]bool{}, found: map[*Struct]bool{}}
	for _, file := range p.Files {
		for _, definition := range file.Definitions {
			if s, ok := definition.(*Struct); ok && w.number[s] == 0 {
				w.visit(s)
			}
		}
	}
	return w.found
}

type circleWalk struct {
	// number is a struct's place in the walk, from 1. lowest is the place of the first struct that the struct reaches and that reaches
	// the struct.
	number, lowest map[*Struct]int
	// open are the structs whose circle is not closed yet.
	open   []*Struct
	isOpen map[*Struct]bool
	found  map[*Struct]bool
}

func (w *circleWalk) visit(s *Struct) {
	w.number[s] = len(w.number) + 1
	w.lowest[s] = w.number[s]
	w.open, w.isOpen[s] = append(w.open, s), true
	for _, field := range s.Fields {
		for _, inner := range field.Type.Structs() {
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

// openFrom takes the structs from s on off the open ones. If there are several, they form a circle with s.
func (w *circleWalk) openFrom(s *Struct) []*Struct {
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

// Structs returns the structs that a type names, in containers too.
func (t *Type) Structs() []*Struct {
	real := t.Real()
	switch real.Kind {
	case List, Set:
		return real.Value.Structs()
	case Map:
		return append(real.Key.Structs(), real.Value.Structs()...)
	}
	if s := real.Struct(); s != nil {
		return []*Struct{s}
	}
	return nil
}
