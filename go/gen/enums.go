package gen

import (
	"path"

	"hone/go/idl"
)

// typedef writes an alias, so that values need no conversion. For a struct the alias is of the struct's own name.
func (g *generator) typedef(d *idl.Typedef) {
	name := g.pack.types[d]
	g.doc(d.Notes, name+" is a typedef of "+path.Base(g.file.Path)+".")
	if s := d.Type.Struct(); s != nil {
		g.out("type %s = %s\n", name, g.nameOf(s))
		maker := g.pack.makers[d]
		g.out("// %s returns a value with the defaults of the IDL.", maker)
		g.out("func %s() *%s { return %s() }\n", maker, name, g.inPackageOf(s, g.packs[s.In()].makers[s]))
		return
	}
	g.out("type %s = %s\n", name, g.goType(d.Type))
}

// enum writes an enum's type with its values, and functions between the values and their names.
func (g *generator) enum(d *idl.Enum) {
	name, names := g.pack.types[d], g.pack.enums[d]
	g.doc(d.Notes, name+" is an enum of "+path.Base(g.file.Path)+".")
	g.out("type %s int64\n", name)
	if len(d.Values) > 0 {
		g.out("// Values of %s.", name)
	}
	g.out("const (")
	for _, value := range d.Values {
		g.doc(value.Notes, "")
		g.out("%s %s = %d", names.values[value], name, value.Number)
	}
	g.out(")\n")
	g.out("// String returns the name in the IDL, or \"<UNSET>\" for a number that has none.")
	g.out("func (e %s) String() string {\nswitch e {", name)
	seen := map[int64]bool{}
	for _, value := range d.Values {
		if !seen[value.Number] {
			seen[value.Number] = true
			g.out("case %s:\nreturn %q", names.values[value], value.Name)
		}
	}
	g.out("}\nreturn \"<UNSET>\"\n}\n")
	g.out("// %s returns the value with a name.", names.fromString)
	g.out("func %s(name string) (%s, error) {\nswitch name {", names.fromString, name)
	for _, value := range d.Values {
		g.out("case %q:\nreturn %s, nil", value.Name, names.values[value])
	}
	g.out("}\nreturn 0, %s.Errorf(\"%%q is no %s\", name)\n}\n", g.std("fmt"), name)
	g.out("// %s returns a pointer to a value.", names.pointer)
	g.out("func %s(value %s) *%s { return &value }\n", names.pointer, name, name)
}
