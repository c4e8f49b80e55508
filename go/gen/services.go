package gen

import (
	"fmt"
	"path"
	"strings"

	"hone/go/idl"
)

// function is a function of a service with its names and structs in Go.
type function struct {
	*idl.Function
	name   string
	args   *structure
	result *structure // nil for a function without an answer
	// parameters are the names of the arguments within the code of functions.
	parameters []string
}

// service writes the interface of a service, its client, and its processor.
func (g *generator) service(d *idl.Service) {
	name := g.pack.types[d]
	functions := g.functionsOf(d)
	g.doc(d.Notes, name+" is a service of "+path.Base(g.file.Path)+".")
	g.out("type %s interface {", name)
	if d.Base != nil {
		g.out("%s", g.nameOf(d.Base))
	}
	for _, f := range functions {
		g.doc(f.Notes, "")
		if f.isStream() {
			g.out("%s%s", f.name, g.streamSignature(f))
		} else {
			g.out("%s%s", f.name, g.signature(f))
		}
	}
	g.out("}\n")
	for _, f := range functions {
		if f.isStream() {
			continue
		}
		g.message(f.args, apacheMessageName(f.Function, "args"))
		g.forFrameworks(f.args, false)
		if f.result != nil {
			g.message(f.result, apacheMessageName(f.Function, "result"))
			g.forFrameworks(f.result, true)
		}
	}
	g.client(d, name, functions)
	g.processor(d, name, functions)
}

// message writes the struct that holds a function's arguments, or its result.
func (g *generator) message(s *structure, wireName string) {
	g.declare(s)
	g.read(s)
	g.write(s)
	if g.options.FastCodec {
		g.fastCodec(s)
	}
	g.apache(s, wireName)
}

func (g *generator) functionsOf(d *idl.Service) []function {
	var functions []function
	for _, f := range d.Functions {
		names := g.pack.functions[f]
		function := function{
			Function: f,
			name:     names.function,
			args:     &structure{name: names.args, fields: g.fieldsOf(argumentFields(f), g.options.messageMethodNames())},
		}
		locals := scope{}
		for _, argument := range f.Arguments {
			function.parameters = append(function.parameters, locals.take(local(argument.Name)))
		}
		if !f.Oneway {
			function.result = &structure{name: names.result, fields: g.fieldsOf(resultFields(f), g.options.messageMethodNames())}
		}
		functions = append(functions, function)
	}
	return functions
}

// argumentFields returns the fields of the struct of a function's arguments. As in Apache's compiler, an optional argument is like
// any other.
func argumentFields(f *idl.Function) []*idl.Field {
	var fields []*idl.Field
	for _, argument := range f.Arguments {
		field := *argument
		if field.Requiredness == idl.Optional {
			field.Requiredness = idl.RequiredDefault
		}
		fields = append(fields, &field)
	}
	return fields
}

// resultFields returns the fields of the struct of a function's result: the result with id 0, and the exceptions. One of them is
// set.
func resultFields(f *idl.Function) []*idl.Field {
	var fields []*idl.Field
	if f.Result != nil {
		fields = append(fields, &idl.Field{ID: 0, HasID: true, Requiredness: idl.Optional, Type: f.Result, Name: "success"})
	}
	for _, thrown := range f.Throws {
		optional := *thrown
		optional.Requiredness = idl.Optional
		fields = append(fields, &optional)
	}
	return fields
}

// signature returns the parameters and results of a function.
func (g *generator) signature(f function) string {
	parameters := []string{"ctx " + g.std("context") + ".Context"}
	for i, field := range f.args.fields {
		parameters = append(parameters, f.parameters[i]+" "+field.goType)
	}
	if f.Result == nil {
		return fmt.Sprintf("(%s) (err error)", strings.Join(parameters, ", "))
	}
	return fmt.Sprintf("(%s) (r %s, err error)", strings.Join(parameters, ", "), g.goType(f.Result))
}

func (g *generator) client(d *idl.Service, name string, functions []function) {
	names := g.pack.services[d]
	client := names.client
	g.out("// %s calls the service %s.", client, name)
	g.out("type %s struct {", client)
	if d.Base != nil {
		g.out("*%s", g.inPackageOf(d.Base, g.packs[d.Base.In()].services[d.Base].client))
	}
	g.out("caller thrift.Caller\n}\n")
	g.out("// %s returns a client that calls by a caller, such as a rpc.Client or a thrift.Client.", names.newClient)
	g.out("func %s(caller thrift.Caller) *%s {", names.newClient, client)
	named := fmt.Sprintf("%q", d.Name)
	for _, f := range g.idempotent(d) {
		named += fmt.Sprintf(", %q", f)
	}
	g.out("caller = thrift.CallerOf(caller, %s)", named)
	if d.Base != nil {
		g.out("return &%s{%s(caller), caller}\n}\n", client, g.inPackageOf(d.Base, g.packs[d.Base.In()].services[d.Base].newClient))
	} else {
		g.out("return &%s{caller}\n}\n", client)
	}
	for _, f := range functions {
		if f.isStream() {
			g.openStream(client, f)
		} else {
			g.call(client, f)
		}
	}
}

// idempotent returns the names of the functions, a service's own and inherited ones, that may run twice for one call: those with
// the annotation (idempotent = "true").
func (g *generator) idempotent(d *idl.Service) []string {
	var names []string
	for ; d != nil; d = d.Base {
		for _, f := range d.Functions {
			for _, a := range f.Annotations {
				switch {
				case a.Name != "idempotent" || a.Value == "false":
				case a.Value == "true" || !a.HasValue:
					names = append(names, f.Name)
				case g.problem == nil:
					g.problem = fmt.Errorf("%s:%d:%d: function %s has the annotation idempotent = %q: write \"true\" or \"false\"",
						d.In().Path, a.Line, a.Column, f.Name, a.Value)
				}
			}
		}
	}
	return names
}

// call writes a client's method.
func (g *generator) call(client string, f function) {
	g.doc(f.Notes, f.name+" calls the function of this name.")
	g.out("func (p *%s) %s%s {", client, f.name, g.signature(f))
	var given []string
	for i, field := range f.args.fields {
		given = append(given, field.name+": "+f.parameters[i])
	}
	args := "&" + f.args.name + "{" + strings.Join(given, ", ") + "}"
	if f.result == nil {
		g.out("return p.caller.Call(ctx, %q, %s, nil)\n}\n", f.Name, args)
		return
	}
	failed, nothing := "return r, err", "return r, "
	if f.Result == nil {
		failed, nothing = "return err", "return "
	}
	g.out("var result %s", f.result.name)
	g.out("if err = p.caller.Call(ctx, %q, %s, &result); err != nil {\n%s\n}", f.Name, args, failed)
	for _, field := range f.result.fields {
		if field.ID != 0 {
			g.out("if result.%s != nil {\n%sresult.%s\n}", field.name, nothing, field.name)
		}
	}
	if f.Result == nil {
		g.out("return nil\n}\n")
		return
	}
	success := f.result.fields[0]
	value := "result." + success.name
	g.out("if %s == nil {\nreturn r, thrift.MissingResult(%q)\n}", value, f.Name)
	if success.isPointer {
		value = "*" + value
	}
	g.out("return %s, nil\n}\n", value)
}

// processor writes the function that makes a processor of an implementation.
func (g *generator) processor(d *idl.Service, name string, functions []function) {
	constructor := g.pack.services[d].newProcessor
	g.out("// %s returns a processor that answers calls by an implementation.", constructor)
	g.out("func %s(handler %s) *thrift.Processor {", constructor, name)
	if d.Base != nil {
		g.out("p := %s(handler)", g.inPackageOf(d.Base, g.packs[d.Base.In()].services[d.Base].newProcessor))
	} else {
		g.out("p := thrift.NewProcessor()")
	}
	for _, f := range functions {
		if f.isStream() {
			g.streamHandler(f)
		} else {
			g.handler(f)
		}
	}
	g.out("return p\n}\n")
	register := g.pack.services[d].register
	g.out("// %s adds the service to a server, such as a rpc.Server, which answers calls by the implementation.", register)
	g.out("func %s(server thrift.Registrar, handler %s) {\nserver.RegisterThrift(%q, %s(handler))\n}\n", register, name, d.Name, constructor)
}

// handler writes the code by which a processor answers calls of one function.
func (g *generator) handler(f function) {
	context := g.std("context")
	g.out("p.Handle(%q, thrift.Handler{", f.Name)
	g.out("Args: func() thrift.Reader { return new(%s) },", f.args.name)
	if f.result == nil {
		g.out("IsOneway: true,")
	}
	g.out("Serve: func(ctx %s.Context, args thrift.Reader) (thrift.Writer, error) {", context)
	var values []string
	for _, field := range f.args.fields {
		values = append(values, "a."+field.name)
	}
	if len(values) > 0 {
		g.out("a := args.(*%s)", f.args.name)
	}
	call := fmt.Sprintf("handler.%s(%s)", f.name, strings.Join(append([]string{"ctx"}, values...), ", "))
	if f.result == nil {
		g.out("return nil, %s\n},\n})", call)
		return
	}
	g.out("result := new(%s)", f.result.name)
	if f.Result == nil {
		g.out("err := %s", call)
	} else {
		g.out("r, err := %s", call)
	}
	g.thrown(f)
	if f.Result != nil {
		success := f.result.fields[0]
		value := "r"
		if success.isPointer {
			value = "&r"
		} else if success.Type.Struct() == nil {
			// A nil result is an empty one, not a missing one.
			g.out("if r == nil {\nr = %s{}\n}", success.goType)
		}
		g.out("result.%s = %s", success.name, value)
	}
	g.out("return result, nil\n},\n})")
}

// thrown writes the code that makes results of the exceptions that the IDL names. Other errors are left to the processor, and so
// are nil pointers to such exceptions: a result with a nil exception would say that nothing went wrong.
func (g *generator) thrown(f function) {
	if len(f.Throws) == 0 {
		g.out("if err != nil {\nreturn nil, err\n}")
		return
	}
	g.out("if err != nil {")
	for _, field := range f.result.fields {
		if field.ID == 0 && field.Name == "success" {
			continue
		}
		g.out("if e := %s(nil); %s.As(err, &e) && e != nil {\nresult.%s = e\nreturn result, nil\n}",
			"("+field.goType+")", g.std("errors"), field.name)
	}
	g.out("return nil, err\n}")
}
