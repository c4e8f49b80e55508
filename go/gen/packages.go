package gen

import (
	"go/token"
	"hash/fnv"
	"path"
	"sort"
	"strings"
	"unicode"

	"hone/go/idl"
	"hone/go/thrift"
)

// pack is one Go package: all files of a namespace.
type pack struct {
	// dir is where it lies, below the directory of all packages.
	dir  string
	name string
	// names are those of its declarations, by what they are of.
	names scope
	types map[idl.Definition]string
	// makers are the functions that make structs.
	makers map[*idl.Struct]string
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

// packagesOf gives each file of a program its package.
func packagesOf(program *idl.Program) map[*idl.File]*pack {
	byDir := map[string]*pack{}
	packs := map[*idl.File]*pack{}
	for _, file := range program.Files {
		dir := dirOf(file)
		p := byDir[dir]
		if p == nil {
			p = &pack{
				dir:           dir,
				name:          packageName(dir),
				names:         scope{},
				types:         map[idl.Definition]string{},
				makers:        map[*idl.Struct]string{},
				slots:         map[*idl.Struct]int{},
				services:      map[*idl.Service]serviceNames{},
				functions:     map[*idl.Function]functionNames{},
				messageMakers: map[string]string{},
				enums:         map[*idl.Enum]enumNames{},
				files:         map[*idl.File]string{},
				helpers:       map[*idl.File]string{},
				taken:         scope{},
			}
			byDir[dir] = p
		}
		// Files come after those that they include, so that what these have keeps its names whatever includes them.
		p.declare(file)
		p.declareMakers(file)
		packs[file] = p
	}
	return packs
}

// dirOf is the directory of a file's package: its namespace for Go, or its own name.
func dirOf(file *idl.File) string {
	if namespace := file.Namespace("go"); namespace != "" {
		return strings.ReplaceAll(namespace, ".", "/")
	}
	return strings.TrimSuffix(path.Base(file.Path), ".thrift")
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
	// Nothing can import a package main.
	if token.IsKeyword(name) || name == "main" {
		return name + "_"
	}
	return name
}

// declare names all definitions of a file. Structs get places for their batches by the file alone, so that its code does not
// depend on which others there are.
func (p *pack) declare(file *idl.File) {
	hash := fnv.New32a()
	hash.Write([]byte(path.Base(file.Path)))
	slot := int(hash.Sum32() % thrift.Slots)
	for _, definition := range file.Definitions {
		p.types[definition] = p.names.take(exported(definition.DefinedName()))
		if s, ok := definition.(*idl.Struct); ok {
			p.slots[s] = slot
			slot++
		}
	}
}

// declareMakers names what belongs to definitions. All of these have their names by then, so that it is this that gives way.
func (p *pack) declareMakers(file *idl.File) {
	p.files[file] = p.taken.take(fileName(file))
	p.helpers[file] = p.names.take(exported(p.files[file]) + "_")
	for _, definition := range file.Definitions {
		name := p.types[definition]
		switch d := definition.(type) {
		case *idl.Struct:
			p.makers[d] = p.names.take("New" + name)
		case *idl.Enum:
			p.enums[d] = enumNames{p.names.take(name + "FromString"), p.names.take(name + "Ptr")}
		case *idl.Service:
			client := p.names.take(name + "Client")
			p.services[d] = serviceNames{client, p.names.take("New" + client), p.names.take("New" + name + "Processor")}
			p.declareFunctions(d, name)
		}
	}
}

// declareFunctions names a service's functions, and the structs of what they take and give.
func (p *pack) declareFunctions(d *idl.Service, service string) {
	names := scope{}
	for _, f := range d.Functions {
		name := names.take(exported(f.Name))
		args, result := p.names.take(service+name+"Args"), p.names.take(service+name+"Result")
		p.functions[f] = functionNames{name, args, result}
		p.messageMakers[args], p.messageMakers[result] = p.names.take("New"+args), p.names.take("New"+result)
	}
}

// functionNames are the names of a function, and of what it takes and gives.
type functionNames struct{ function, args, result string }

// serviceNames are the names of a service's client, of what makes one, and of what makes a processor.
type serviceNames struct{ client, newClient, newProcessor string }

// enumNames are the names of an enum's functions.
type enumNames struct{ fromString, pointer string }

// fileName is the name of a Go file, without its end, for a file of the IDL. Names that Go's tools take for tests, or for
// files of one system only, or do not see, are changed.
func fileName(file *idl.File) string {
	name := strings.TrimLeft(strings.TrimSuffix(path.Base(file.Path), ".thrift"), "_.")
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
	for _, names := range []map[string]bool{usedByCode, variables} {
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
