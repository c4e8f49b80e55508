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
	// dir is where it lies, below the directory of all packages.
	dir  string
	name string
	// naming is how its names are made.
	naming Naming
	// names are those of its declarations, by what they are of.
	names scope
	types map[idl.Definition]string
	// makers are the functions that make structs, and those that typedefs name.
	makers map[idl.Definition]string
	// slots are the places of its structs' batches.
	slots map[*idl.Struct]int
	// services are the names of what is made of services.
	services map[*idl.Service]serviceNames
	// functions are the names of their functions.
	functions map[*idl.Function]functionNames
	// messageMakers are the functions that make what functions take and give, by these structs' names.
	messageMakers map[string]string
	// enums are the names of what belongs to enums.
	enums map[*idl.Enum]enumNames
	// files are the names of its source files.
	files map[*idl.File]string
	// helpers are what the names of a file's functions for containers begin with.
	helpers map[*idl.File]string
	taken   scope
}

// packagesOf gives each file of a program its package. Files come after those that they include, so that what these have keeps its
// names whatever includes them.
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

// dirOf is the directory of a file's package: its namespace for Go, or its own name as thriftgo takes it, in small letters and with a
// directory for each dot.
func dirOf(file *idl.File) string {
	namespace := file.Namespace("go")
	if namespace == "" {
		namespace = strings.Map(inPath, strings.ToLower(idl.BaseName(file.Path)))
	}
	return strings.ReplaceAll(namespace, ".", "/")
}

// inPath is a letter as the path of an import may have it.
func inPath(r rune) rune {
	if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r)) {
		return r
	}
	return '_'
}

// packageName is the last part of a package's directory, as far as Go takes it.
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
	// Nothing can import a package main, by the name init, or a package documentation, whose files Go does not read.
	if token.IsKeyword(name) || name == "main" || name == "init" || name == "documentation" {
		return name + "_"
	}
	return name
}

// fileName is the name of a Go file, without its end, for a file of the IDL. Names that Go's tools take for tests, or for
// files of one system only, or do not see, are changed. The tools look at what stands before the first dot, so that there is none.
func fileName(file *idl.File) string {
	name := strings.TrimLeft(strings.ReplaceAll(idl.BaseName(file.Path), ".", "_"), "_")
	last := name[strings.LastIndexByte(name, '_')+1:]
	if last != name && (last == "test" || systems[last]) || name == "" {
		return name + "_thrift"
	}
	return name
}

// systems are words that build constraints in names of files are made of: GOOS and GOARCH (go help buildconstraint).
var systems = wordSet(`aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris unix wasip1 windows zos
	386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 ppc64le
	riscv riscv64 s390 s390x sparc sparc64 wasm`)

// imports are the packages that a file's code names.
type imports struct {
	byPath map[string]string
	names  scope
}

// newImports keeps the names of variables from being those of packages, which they would hide.
func newImports() *imports {
	i := &imports{byPath: map[string]string{}, names: scope{}}
	for _, names := range []map[string]bool{usedByCode, variables, predeclared} {
		for name := range names {
			i.names[name] = true
		}
	}
	return i
}

// useAs imports a package by a name that is kept for it.
func (i *imports) useAs(importPath, name string) string {
	i.byPath[importPath] = name
	return name
}

// use imports a package, and gives the name it has here.
func (i *imports) use(importPath, name string) string {
	if known, ok := i.byPath[importPath]; ok {
		return known
	}
	name = i.names.take(name)
	i.byPath[importPath] = name
	return name
}

// lines are the import declarations of packages whose names are used: those of Go itself, and the others.
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
