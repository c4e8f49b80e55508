package gen

import (
	"fmt"
	"go/token"
	"path"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"hone/go/idl"
)

// pack is one Go package: all files of a namespace.
type pack struct {
	// dir is the package's directory below the directory of all packages.
	dir  string
	name string
	// naming says how the package's names are made.
	naming Naming
	// names are the names of the package's declarations, types those of the types of definitions.
	names scope
	types map[idl.Definition]string
	// makers are the functions that make structs; typedefs of structs have them too.
	makers map[idl.Definition]string
	// slots are the places of the structs' batches.
	slots map[*idl.Struct]int
	// services are the names of the declarations for services.
	services map[*idl.Service]serviceNames
	// functions are the names of the services' functions.
	functions map[*idl.Function]functionNames
	// messageMakers are the functions that make structs of arguments and results, by the names of these structs.
	messageMakers map[string]string
	// enums are the names of the declarations for enums.
	enums map[*idl.Enum]enumNames
	// files are the names of its source files.
	files map[*idl.File]string
	// helpers are the starts of the names of a file's functions for containers.
	helpers map[*idl.File]string
	taken   scope
}

// packagesOf gives each file of a program its package. A file comes after those that it includes, so that the included files keep
// their names whatever includes them.
func packagesOf(program *idl.Program, naming Naming) (map[*idl.File]*pack, error) {
	byDir := map[string]*pack{}
	packs := map[*idl.File]*pack{}
	for _, file := range program.Files {
		dir := dirOf(file)
		p := byDir[strings.ToLower(dir)]
		if p == nil {
			p = newPack(dir, naming)
			byDir[strings.ToLower(dir)] = p
		}
		if p.dir != dir {
			return nil, fmt.Errorf("%s: its package %s and the package %s differ only in case, and Go builds no program of both; give the files one 'namespace go'",
				file.Path, dir, p.dir)
		}
		p.declare(file)
		packs[file] = p
	}
	for _, file := range program.Files {
		nameFunctions(file, packs)
	}
	return packs, nil
}

func newPack(dir string, naming Naming) *pack {
	return &pack{
		dir:           dir,
		name:          packageName(dir),
		naming:        naming,
		names:         scope{},
		types:         map[idl.Definition]string{},
		makers:        map[idl.Definition]string{},
		slots:         map[*idl.Struct]int{},
		services:      map[*idl.Service]serviceNames{},
		functions:     map[*idl.Function]functionNames{},
		messageMakers: map[string]string{},
		enums:         map[*idl.Enum]enumNames{},
		files:         map[*idl.File]string{},
		helpers:       map[*idl.File]string{},
		taken:         scope{},
	}
}

// dirOf returns the directory of a file's package: the file's namespace for Go, or the file's own name as thriftgo does, in small
// letters and with a directory for each dot.
func dirOf(file *idl.File) string {
	namespace := file.Namespace("go")
	if namespace == "" {
		namespace = strings.Map(inPath, strings.ToLower(idl.BaseName(file.Path)))
	}
	return strings.ReplaceAll(namespace, ".", "/")
}

// inPath returns a letter in a form that the path of an import may have.
func inPath(r rune) rune {
	if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r)) {
		return r
	}
	return '_'
}

// packageName makes a name that Go accepts of the last part of a package's directory.
func packageName(dir string) string {
	name := strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return '_'
	}, path.Base(dir))
	if isDigit(name[0]) || name == "_" {
		name = "x" + name
	}
	// Nothing can import a package main or a package by the name init, and Go does not read the files of a package documentation.
	if token.IsKeyword(name) || name == "main" || name == "init" || name == "documentation" {
		return name + "_"
	}
	return name
}

// fileName returns the name of a Go file, without its ending, for a file of the IDL. It changes names that Go's tools would take
// for tests or for files of one system only, or would ignore. The tools look at the part before the first dot, so the name has no
// dot.
func fileName(file *idl.File) string {
	name := strings.TrimLeft(strings.ReplaceAll(idl.BaseName(file.Path), ".", "_"), "_")
	last := name[strings.LastIndexByte(name, '_')+1:]
	if last != name && (last == "test" || systems[last]) || name == "" {
		return name + "_thrift"
	}
	return name
}

// systems are the words that make a build constraint of a file's name: GOOS and GOARCH (go help buildconstraint).
var systems = wordSet(`aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris unix wasip1 windows zos
	386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 ppc64le
	riscv riscv64 s390 s390x sparc sparc64 wasm`)

// imports are the packages that a file's code names.
type imports struct {
	byPath map[string]string
	names  scope
}

// newImports makes sure that no package gets the name of a variable, which would hide the package.
func newImports() *imports {
	i := &imports{byPath: map[string]string{}, names: scope{}}
	for _, names := range []map[string]bool{usedByCode, variables, predeclared} {
		for name := range names {
			i.names[name] = true
		}
	}
	return i
}

// useAs imports a package by a given name, which no other package can have.
func (i *imports) useAs(importPath, name string) string {
	i.byPath[importPath] = name
	return name
}

// use imports a package, and returns its name in this file.
func (i *imports) use(importPath, name string) string {
	if known, ok := i.byPath[importPath]; ok {
		return known
	}
	name = i.names.take(name)
	i.byPath[importPath] = name
	return name
}

// lines returns the import declarations of packages whose names are used: first those of Go itself, then the others.
func (i *imports) lines(used map[string]bool) string {
	var own, others []string
	for importPath, name := range i.byPath {
		if !used[name] {
			continue
		}
		line := "\t\"" + importPath + "\"\n"
		if path.Base(importPath) != name {
			line = "\t" + name + " \"" + importPath + "\"\n"
		}
		if strings.Contains(importPath, ".") || strings.Contains(importPath, "hone/") {
			others = append(others, line)
		} else {
			own = append(own, line)
		}
	}
	if len(own)+len(others) == 0 {
		return ""
	}
	sort.Strings(own)
	sort.Strings(others)
	text := "import (\n" + strings.Join(own, "")
	if len(own) > 0 && len(others) > 0 {
		text += "\n"
	}
	return text + strings.Join(others, "") + ")\n"
}
