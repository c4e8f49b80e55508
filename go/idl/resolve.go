package idl

import (
	"fmt"
	"slices"
	"strings"
)

// resolver finds the meaning of the names within one file.
type resolver struct {
	file   *File
	report *reporter
	// order is the place of each definition of the file, and at is the place of the definition that is being resolved.
	order map[Definition]int
	at    int
	// byName holds the fields of the structs that values name.
	byName map[*Struct]map[string]*Field
}

// includes records the prefixes of included files. Files of several directories may have the same prefix: then each name means the
// file that defines it.
func (r *resolver) includes() {
	r.file.includes = make(map[string][]*Include, len(r.file.Includes))
	for _, i := range r.file.Includes {
		isTwice := i.File != nil && slices.ContainsFunc(r.file.includes[i.Name], func(known *Include) bool { return known.File == i.File })
		if isTwice {
			r.report.warnf(i.Position, "remove one of them", "%q is included twice", i.Path)
			continue
		}
		r.file.includes[i.Name] = append(r.file.includes[i.Name], i)
	}
}

// define records the names that the file defines.
func (r *resolver) define() {
	r.file.names = make(map[string]Definition, len(r.file.Definitions))
	for _, d := range r.file.Definitions {
		d.setFile(r.file)
		name := d.DefinedName()
		if known := r.file.names[name]; known != nil {
			r.report.errorf(namePosition(d), "rename one of them", "'%s' is already defined, as a %s in line %d", name, known.What(), known.Pos().Line)
			continue
		}
		r.file.names[name] = d
		if e, ok := d.(*Enum); ok {
			e.index()
		}
	}
}

func (e *Enum) index() {
	e.byName, e.byNumber = make(map[string]*EnumValue, len(e.Values)), make(map[int64]*EnumValue, len(e.Values))
	for _, v := range e.Values {
		if e.byName[v.Name] == nil {
			e.byName[v.Name] = v
		}
		if e.byNumber[v.Number] == nil {
			e.byNumber[v.Number] = v
		}
	}
}

func headerOf(d Definition) *header {
	switch d := d.(type) {
	case *Typedef:
		return &d.header
	case *Const:
		return &d.header
	case *Enum:
		return &d.header
	case *Struct:
		return &d.header
	case *Service:
		return &d.header
	}
	return nil
}

func namePosition(d Definition) Position { return headerOf(d).NamePosition }

// types visits every type of the file.
func (r *resolver) types() {
	r.order = make(map[Definition]int, len(r.file.Definitions))
	for i, d := range r.file.Definitions {
		r.order[d] = i
	}
	for i, d := range r.file.Definitions {
		r.at = i
		switch d := d.(type) {
		case *Typedef:
			r.useType(d.Type)
		case *Const:
			r.useType(d.Type)
		case *Struct:
			r.useTypes(d.Fields)
		case *Service:
			r.service(d)
		}
	}
}

// values visits every value of the file. The meaning of a name may depend on its type, so this comes after all types of the program
// are known.
func (r *resolver) values() {
	for i, d := range r.file.Definitions {
		r.at = i
		switch d := d.(type) {
		case *Const:
			r.useValue(d.Value, d.Type)
		case *Struct:
			r.useDefaults(d.Fields)
		case *Service:
			for _, f := range d.Functions {
				r.useDefaults(f.Arguments)
				r.useDefaults(f.Throws)
				r.earlyThrows(f)
			}
		}
	}
}

func (r *resolver) service(s *Service) {
	if s.Extends != "" {
		if d := r.find(s.Extends, s.ExtendsPosition, "service", isService); d != nil {
			s.Base, _ = d.(*Service)
			r.early(d, s.ExtendsPosition)
		}
	}
	for _, f := range s.Functions {
		r.useType(f.Result)
		r.useTypes(f.Arguments)
		r.useTypes(f.Throws)
	}
}

func (r *resolver) earlyThrows(f *Function) {
	for _, e := range f.Throws {
		if t := e.Type.Struct(); t != nil && e.Type.Target == Definition(t) {
			r.early(t, e.Type.Position)
		}
	}
}

func (r *resolver) useTypes(fields []*Field) {
	for _, f := range fields {
		r.useType(f.Type)
	}
}

func (r *resolver) useDefaults(fields []*Field) {
	for _, f := range fields {
		if f.Default != nil {
			r.useValue(f.Default, f.Type)
		}
	}
}

// early warns where a definition of the file is used in a place where Apache's
// compiler, which reads once from top to bottom, must know it already.
func (r *resolver) early(d Definition, at Position) {
	if place, here := r.order[d]; here && place > r.at {
		r.report.warnf(at, "move its definition up", "'%s' is used before its definition in line %d, which Apache's compiler refuses",
			d.DefinedName(), d.Pos().Line)
	}
}

func (r *resolver) useType(t *Type) {
	switch {
	case t == nil:
	case t.Kind == Named:
		t.Target = r.find(t.Name, t.Position, "type", isType)
	default:
		r.useType(t.Key)
		r.useType(t.Value)
	}
}

func isType(d Definition) bool {
	switch d.(type) {
	case *Typedef, *Enum, *Struct:
		return true
	}
	return false
}

func isService(d Definition) bool { _, ok := d.(*Service); return ok }

// maxPrefixDots is the largest number of dots in the name of an included file.
const maxPrefixDots = 16

// place is a file that a name may belong to: prefix is the name of the file there, and rest is the name within the file.
type place struct {
	file         *File
	prefix, rest string
}

// places returns the files that a name may belong to: the resolver's own file, and those that are included by one of the name's
// prefixes. A prefix may have dots itself ("a.b" for a.b.thrift), so "a.b.C" may also belong to a.thrift. The first place is the
// likeliest. There are none where an include has failed, which has been reported already.
func (r *resolver) places(name string) []place {
	var places []place
	dot := 0
	for range maxPrefixDots {
		next := strings.IndexByte(name[dot:], '.')
		if next < 0 {
			break
		}
		dot += next
		for _, i := range r.file.includes[name[:dot]] {
			if i.File == nil {
				return nil
			}
			places = append(places, place{i.File, name[:dot+1], name[dot+1:]})
		}
		dot++
	}
	return append(places, place{r.file, "", name})
}

// ambiguous reports a name that several files define: the first one's meaning would be a guess.
func (r *resolver) ambiguous(name string, at Position, one, other Definition) {
	r.report.errorf(at, "rename one of the files or definitions", "'%s' may be the %s in %s, line %d, or the %s in %s, line %d", name,
		one.What(), one.In().Path, one.Pos().Line, other.What(), other.In().Path, other.Pos().Line)
}

// find looks a definition up. It reports a problem if there is none of the wanted sort.
func (r *resolver) find(name string, at Position, what string, wanted func(Definition) bool) Definition {
	places := r.places(name)
	var found, other Definition
	for _, p := range places {
		switch d := p.file.names[p.rest]; {
		case d == nil || d == found:
		case !wanted(d):
			other = d
		case found != nil:
			r.ambiguous(name, at, found, d)
			return nil
		default:
			found = d
		}
	}
	if found != nil || len(places) == 0 {
		return found
	}
	if other != nil {
		r.report.errorf(at, "name a "+what, "'%s' is a %s, not a %s", name, other.What(), what)
		return nil
	}
	r.report.errorf(at, mendOr(r.suggestion(name, places[0].file, places[0].prefix, wanted), "define it, or include the file that does"),
		"the %s '%s' is not defined", what, name)
	return nil
}

func (r *resolver) suggestion(name string, file *File, prefix string, wanted func(Definition) bool) string {
	if r.report.full() {
		return ""
	}
	var names []string
	add := func(f *File, prefix string) {
		for _, d := range f.Definitions {
			if wanted(d) {
				names = append(names, prefix+d.DefinedName())
			}
		}
	}
	add(file, prefix)
	if prefix == "" {
		for _, i := range r.file.Includes {
			if i.File == nil {
				continue
			}
			if d := i.File.names[name]; d != nil && wanted(d) {
				return fmt.Sprintf("did you mean '%s.%s'?", i.Name, name)
			}
			add(i.File, i.Name+".")
		}
	}
	return DidYouMean(name, names)
}
