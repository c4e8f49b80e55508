package idl

import (
	"fmt"
	"strings"
)

// Effect says which programs a change breaks.
type Effect uint8

// The effects, the worst first.
const (
	// BreaksWire: programs of the old and the new version misread each other.
	BreaksWire Effect = iota
	// BreaksSource: the bytes stay the same, but code that uses the generated code no longer compiles.
	BreaksSource
	// Risky: both versions still work, but they may mean different things (defaults).
	Risky
	// Safe changes break nothing.
	Safe
)

var effectNames = [...]string{"breaks wire", "breaks source", "warning", "safe"}

func (e Effect) String() string { return effectNames[e] }

// MarshalText writes the effect as words.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// Change is one difference between two versions.
type Change struct {
	Effect Effect `json:"effect"`
	// Subject is the definition that has changed: "struct Item", "service S, function f".
	Subject string `json:"subject"`
	Text    string `json:"text"`
	// Old and New are its places in the two versions; zero for a version that does not have it.
	Old Place `json:"old"`
	New Place `json:"new"`
}

// Place is a position in a file.
type Place struct {
	Path string `json:"path,omitempty"`
	Position
}

func (p Place) String() string {
	if p.Path == "" {
		return "-"
	}
	return fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Column)
}

// String is "effect: subject: text (old place -> new place)".
func (c Change) String() string {
	return fmt.Sprintf("%s: %s: %s (%s -> %s)", c.Effect, c.Subject, c.Text, c.Old, c.New)
}

// Compare returns the changes between two versions of a program: first those of the old version's definitions, in their order, then
// the new definitions. Files are matched by their includes: root with root, then each include by its name. Types are compared as
// they are on the wire: typedefs are looked through, an enum is an i32 and a binary is a string. A struct is known by its name, and
// its fields are compared where it is defined. A struct that moved to another file is the same if its fields are.
func Compare(before, after *Program) []Change {
	c := &comparer{files: map[*File]*File{}, compared: map[typePair]bool{}, shapes: map[[2]*Struct]bool{}}
	c.pair(before.Root, after.Root)
	for _, f := range c.order {
		c.compareFiles(f, c.files[f])
	}
	return c.changes
}

type comparer struct {
	files   map[*File]*File
	order   []*File
	changes []Change
	old     *File
	new     *File
	subject string
	// compared holds the pairs of types that were compared.
	compared map[typePair]bool
	shapes   map[[2]*Struct]bool
}

// pair matches a file and the files that it includes. A file that only one side includes is not compared: the definitions that used
// its names show the change.
func (c *comparer) pair(old, new *File) {
	if old == nil || new == nil || c.files[old] != nil {
		return
	}
	c.files[old] = new
	c.order = append(c.order, old)
	for _, i := range old.Includes {
		if j := new.includeLike(i); j != nil {
			c.pair(i.File, j.File)
		}
	}
}

// includeLike returns the include of the same path, or else the first include with the same prefix.
func (f *File) includeLike(other *Include) *Include {
	alike := f.includes[other.Name]
	for _, i := range alike {
		if i.Path == other.Path {
			return i
		}
	}
	if len(alike) == 0 {
		return nil
	}
	return alike[0]
}

func (c *comparer) add(effect Effect, old, new Position, format string, args ...any) {
	change := Change{Effect: effect, Subject: c.subject, Text: fmt.Sprintf(format, args...)}
	if old.Line > 0 {
		change.Old = Place{c.old.Path, old}
	}
	if new.Line > 0 {
		change.New = Place{c.new.Path, new}
	}
	c.changes = append(c.changes, change)
}

var nowhere Position

func (c *comparer) compareFiles(old, new *File) {
	c.old, c.new = old, new
	c.namespaces(old, new)
	for _, d := range old.Definitions {
		c.subject = d.What() + " " + d.DefinedName()
		c.definition(d, new.names[d.DefinedName()])
	}
	for _, d := range new.Definitions {
		if old.names[d.DefinedName()] == nil {
			c.subject = d.What() + " " + d.DefinedName()
			c.add(Safe, nowhere, d.Pos(), "added")
		}
	}
}

func (c *comparer) namespaces(old, new *File) {
	for _, n := range old.Namespaces {
		c.subject = "namespace " + n.Scope
		if name := new.Namespace(n.Scope); name != n.Name {
			c.add(BreaksSource, n.Position, nowhere, "was %s, is %s", n.Name, orNothing(name))
		}
	}
	for _, n := range new.Namespaces {
		c.subject = "namespace " + n.Scope
		if old.Namespace(n.Scope) == "" {
			c.add(BreaksSource, nowhere, n.Position, "was nothing, is %s", n.Name)
		}
	}
}

// withArticle returns "a struct", "an enum" or "a union".
func withArticle(what string) string {
	if strings.ContainsAny(what[:1], "aeio") {
		return "an " + what
	}
	return "a " + what
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

func (c *comparer) definition(old, new Definition) {
	if new == nil {
		// A removed type breaks the wire where it was used. The change is reported there.
		effect := BreaksSource
		if _, isService := old.(*Service); isService {
			effect = BreaksWire
		}
		c.add(effect, old.Pos(), nowhere, "removed")
		return
	}
	switch o := old.(type) {
	case *Typedef:
		if n, ok := new.(*Typedef); ok {
			c.typeChange(o.Type, n.Type, "the type", BreaksSource)
			return
		}
	case *Const:
		if n, ok := new.(*Const); ok {
			c.constants(o, n)
			return
		}
	case *Enum:
		if n, ok := new.(*Enum); ok {
			c.enums(o, n)
			return
		}
	case *Struct:
		if n, ok := new.(*Struct); ok {
			c.structs(o, n)
			return
		}
	case *Service:
		if n, ok := new.(*Service); ok {
			c.services(o, n)
			return
		}
	}
	// Where such a name was used as a type, the fields show what breaks.
	c.add(BreaksSource, old.Pos(), new.Pos(), "was %s, is %s", withArticle(old.What()), withArticle(new.What()))
}

func (c *comparer) constants(old, new *Const) {
	c.typeChange(old.Type, new.Type, "the type", BreaksSource)
	if a, b := valueKey(old.Value), valueKey(new.Value); a != b {
		c.add(Risky, old.Value.Position, new.Value.Position, "the value was %s, is %s", shorten(a), shorten(b))
	}
}

func (c *comparer) enums(old, new *Enum) {
	names, numbers := map[string]*EnumValue{}, map[int64]*EnumValue{}
	for _, v := range new.Values {
		names[v.Name] = v
		if numbers[v.Number] == nil {
			numbers[v.Number] = v
		}
	}
	oldNames, oldNumbers := map[string]bool{}, map[int64]bool{}
	for _, v := range old.Values {
		oldNames[v.Name], oldNumbers[v.Number] = true, true
		now := names[v.Name]
		switch {
		case now != nil && now.Number == v.Number:
		case now != nil:
			c.add(BreaksWire, v.Position, now.Position, "the number of %s was %d, is %d", v.Name, v.Number, now.Number)
		case numbers[v.Number] != nil:
			c.add(BreaksSource, v.Position, numbers[v.Number].Position, "the value %s = %d is renamed to %s", v.Name, v.Number, numbers[v.Number].Name)
		default:
			c.add(BreaksWire, v.Position, nowhere, "the value %s = %d is removed", v.Name, v.Number)
		}
	}
	for _, v := range new.Values {
		if !oldNames[v.Name] && !oldNumbers[v.Number] {
			c.add(Safe, nowhere, v.Position, "the value %s = %d is added", v.Name, v.Number)
		}
	}
}
