package gen

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"hone/go/idl"
)

// Import says that a generated package imports another one, and which part of the IDL makes it do so.
type Import struct {
	// From and To are the directories of the packages, as [Output.Path] has them.
	From, To string
	// Path and Position say where the include is that leads the file to the definition it uses. Included is the path of the included
	// file.
	Path     string
	Position idl.Position
	Included string
	// Name is the first definition that the file uses: "b.Shop".
	Name string
}

// String describes an import: "x imports y for b.Shop (a.thrift:3 includes b.thrift)".
func (i Import) String() string {
	return fmt.Sprintf("%s imports %s for %s (%s:%d includes %s)", i.From, i.To, i.Name, i.Path, i.Position.Line, i.Included)
}

// CircleError is the error of packages that import each other in a circle. Go does not build them. Files never include each other
// in a circle, but a file of one package may include a file of another, which includes a third file that is in the first package
// again.
type CircleError struct {
	// Imports are the circle: the To of each is the From of the next, and the To of the last is the From of the first.
	Imports []Import
}

// Error describes each import with the line of its include, and says what to do.
func (e *CircleError) Error() string {
	var imports []string
	for _, i := range e.Imports {
		imports = append(imports, i.String())
	}
	first, last := e.Imports[0], e.Imports[len(e.Imports)-1]
	return fmt.Sprintf("%s:%d:%d: Go packages would import each other in a circle, which Go refuses: %s; give %s or %s another 'namespace go', or all of these files the same",
		first.Path, first.Position.Line, first.Position.Column, strings.Join(imports, ", "), first.Path, last.Included)
}

// CheckImports looks for a circle among the packages of some outputs, which may be of several programs.
//
// # Errors
//
// A [CircleError].
func CheckImports(outputs []Output) error {
	walk := importWalk{byDir: map[string][]Import{}, isDone: map[string]bool{}}
	for _, output := range outputs {
		dir := path.Dir(output.Path)
		walk.byDir[dir] = append(walk.byDir[dir], output.Imports...)
	}
	for _, output := range outputs {
		if circle := walk.visit(path.Dir(output.Path)); circle != nil {
			return &CircleError{circle}
		}
	}
	return nil
}

// importWalk goes over packages by their imports, depth first.
type importWalk struct {
	byDir map[string][]Import
	// trail are the imports that led to the present package.
	trail  []Import
	isDone map[string]bool
}

// visit returns a circle that a package leads to.
func (w *importWalk) visit(dir string) []Import {
	if start := slices.IndexFunc(w.trail, func(i Import) bool { return i.From == dir }); start >= 0 {
		return slices.Clone(w.trail[start:])
	}
	if w.isDone[dir] {
		return nil
	}
	for _, i := range w.byDir[dir] {
		w.trail = append(w.trail, i)
		if circle := w.visit(i.To); circle != nil {
			return circle
		}
		w.trail = w.trail[:len(w.trail)-1]
	}
	w.isDone[dir] = true
	return nil
}

// mayCircle reports whether the includes of a program lead from a package to another one and back: only then may the imports do so
// too.
func mayCircle(program *idl.Program, packs map[*idl.File]*pack) bool {
	var outputs []Output
	for _, file := range program.Files {
		output := Output{Path: path.Join(packs[file].dir, "_")}
		for _, include := range file.Includes {
			if include.File != nil && packs[include.File] != packs[file] {
				output.Imports = append(output.Imports, Import{From: packs[file].dir, To: packs[include.File].dir})
			}
		}
		outputs = append(outputs, output)
	}
	return CheckImports(outputs) != nil
}

// importOf says why the file's code imports the package of a definition.
func (g *generator) importOf(definition idl.Definition) Import {
	of := definition.In()
	include := includeOf(g.file, of)
	return Import{
		From: g.pack.dir, To: g.packs[of].dir,
		Path: g.file.Path, Position: include.Position, Included: include.File.Path,
		Name: idl.BaseName(of.Path) + "." + definition.DefinedName(),
	}
}

// includeOf returns the include by which a file reaches another one: the include of that file, or else one that leads to it, as
// with a typedef.
func includeOf(file, other *idl.File) *idl.Include {
	for _, include := range file.Includes {
		if include.File == other {
			return include
		}
	}
	visited := map[*idl.File]bool{}
	for _, include := range file.Includes {
		if leadsTo(include.File, other, visited) {
			return include
		}
	}
	return nil
}

func leadsTo(file, other *idl.File, visited map[*idl.File]bool) bool {
	if file == nil || visited[file] {
		return false
	}
	visited[file] = true
	return file == other || slices.ContainsFunc(file.Includes, func(i *idl.Include) bool { return leadsTo(i.File, other, visited) })
}
