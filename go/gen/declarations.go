package gen

import (
	"hash/fnv"
	"path"
	"slices"

	"hone/go/idl"
	"hone/go/thrift"
)

// functionNames are the names of a function, of its arguments' struct and of its result's struct.
type functionNames struct{ function, args, result string }

// serviceNames are the names of a service's client, of the functions that make a client and a processor, and of the function that
// registers the service.
type serviceNames struct{ client, newClient, newProcessor, register string }

// enumNames are the names of an enum's functions and values.
type enumNames struct {
	fromString, pointer string
	values              map[*idl.EnumValue]string
}

// declare names everything that a file's code declares, except the functions of services. The slot of a struct's batch depends only
// on the file, so that its code does not depend on other files.
func (p *pack) declare(file *idl.File) {
	hash := fnv.New32a()
	hash.Write([]byte(path.Base(file.Path)))
	slot := int(hash.Sum32() % thrift.Slots)
	for _, definition := range file.Definitions {
		if s, ok := definition.(*idl.Struct); ok {
			p.slots[s] = slot
			slot++
		}
	}
	for _, definition := range p.inOrder(file.Definitions) {
		p.define(definition)
	}
	p.files[file] = p.taken.takeFile(fileName(file))
	p.helpers[file] = p.names.take(exported(p.files[file]) + "_")
	for _, definition := range file.Definitions {
		p.declareMore(definition)
	}
}

// inOrder returns the definitions in the order in which they take their names. It is thriftgo's order, so that of two equal names
// the same one changes. Names that thriftgo does not export come last, so that they change no other name.
func (p *pack) inOrder(definitions []idl.Definition) []idl.Definition {
	ordered := slices.Clone(definitions)
	slices.SortStableFunc(ordered, func(a, b idl.Definition) int { return p.rank(a) - p.rank(b) })
	return ordered
}

func (p *pack) rank(definition idl.Definition) int {
	rank := 0
	switch d := definition.(type) {
	case *idl.Struct:
		rank = 1 + [...]int{idl.KindStruct: 0, idl.KindUnion: 1, idl.KindException: 2}[d.Kind]
	case *idl.Enum:
		rank = 4
	case *idl.Typedef:
		rank = 5
	case *idl.Const:
		rank = 6
	}
	if !p.naming.isExported(definition.DefinedName()) {
		rank += 7
	}
	return rank
}

// define names a definition, and the declarations that thriftgo makes for it.
func (p *pack) define(definition idl.Definition) {
	name := p.names.take(p.naming.exported(definition.DefinedName()))
	p.types[definition] = name
	switch d := definition.(type) {
	case *idl.Struct:
		p.makers[d] = p.names.take("New" + name)
	case *idl.Typedef:
		if d.Type.Struct() != nil {
			p.makers[d] = p.names.take("New" + name)
		}
	case *idl.Service:
		for _, f := range d.Functions {
			p.functions[f] = functionNames{args: p.message(d, f, "args"), result: p.message(d, f, "result")}
		}
		p.services[d] = serviceNames{client: p.names.take(name + "Client")}
		p.names[name+"Processor"] = true // a type that thriftgo declares
	}
}

// message names the struct of a function's arguments or of its result, and the function that makes one.
func (p *pack) message(d *idl.Service, f *idl.Function, what string) string {
	if f.Oneway && what == "result" {
		return ""
	}
	name := p.names.take(p.naming.message(d.Name, f.Name, what))
	p.messageMakers[name] = p.names.take("New" + name)
	return name
}

// declareMore names the declarations that thriftgo does not have, or does not keep apart from other names. All definitions have
// their names by then, so it is these names that change.
func (p *pack) declareMore(definition idl.Definition) {
	name := p.types[definition]
	switch d := definition.(type) {
	case *idl.Enum:
		names := enumNames{p.names.take(name + "FromString"), p.names.take(name + "Ptr"), map[*idl.EnumValue]string{}}
		for _, value := range d.Values {
			names.values[value] = p.names.take(name + "_" + value.Name)
		}
		p.enums[d] = names
	case *idl.Service:
		client := p.services[d].client
		p.services[d] = serviceNames{client, p.names.take("New" + client), p.names.take("New" + name + "Processor"), p.names.take("Register" + name)}
	}
}

// nameFunctions names the functions of a file's services. All services have their names by then.
func nameFunctions(file *idl.File, packs map[*idl.File]*pack) {
	for _, definition := range file.Definitions {
		if d, ok := definition.(*idl.Service); ok {
			packs[file].nameFunctionsOf(d, packs)
		}
	}
}

// nameFunctionsOf names a service's functions. A name differs from all inherited ones, unless it is the same function again (if the
// two differ, the IDL is refused). It also differs from the name of the base's client, which is a field of the client.
func (p *pack) nameFunctionsOf(d *idl.Service, packs map[*idl.File]*pack) {
	if len(d.Functions) > 0 && p.functions[d.Functions[0]].function != "" {
		return
	}
	names, inherited := scope{}, map[string]*idl.Function{}
	for base := d.Base; base != nil; base = base.Base {
		pack := packs[base.In()]
		pack.nameFunctionsOf(base, packs)
		for _, f := range base.Functions {
			inherited[pack.functions[f].function] = f
		}
		names[pack.services[base].client] = true
	}
	for _, isExported := range []bool{true, false} {
		for _, f := range d.Functions {
			if p.naming.isExported(f.Name) == isExported {
				named := p.functions[f]
				named.function = names.takeUnless(p.naming.exported(f.Name), func(name string) bool {
					return inherited[name] != nil && inherited[name].Name != f.Name
				})
				p.functions[f] = named
			}
		}
	}
}
