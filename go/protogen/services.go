package protogen

import (
	"path"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/types/descriptorpb"
)

// apartPackage returns the name of the package that holds only services.
func apartPackage(file *protogen.File) protogen.GoPackageName { return file.GoPackageName + "rpc" }

// apart returns the place of the code of services that is in a package of its own.
func apart(file *protogen.File) place {
	dir, base := path.Split(file.GeneratedFilenamePrefix)
	name := apartPackage(file)
	return place{path.Join(dir, string(name), base), protogen.GoImportPath(path.Join(string(file.GoImportPath), string(name))), name}
}

// services writes all services of the file: interfaces, clients, and functions that register implementations.
func (g *generator) services() {
	for _, service := range g.file.Services {
		g.methodNames(service)
		g.interfaceOf(service)
		g.unimplemented(service)
		g.register(service)
		g.client(service)
	}
}

// fullMethodName returns the name of the constant with a method's name; protoc-gen-go-grpc uses the same one.
func fullMethodName(method *protogen.Method) string {
	return method.Parent.GoName + "_" + method.GoName + "_FullMethodName"
}

func (g *generator) methodNames(service *protogen.Service) {
	if len(service.Methods) == 0 {
		return
	}
	g.P("// The names of methods of ", service.GoName, ", as interceptors and callers without generated code see them.")
	g.P("const (")
	for _, method := range service.Methods {
		g.P(fullMethodName(method), ` = "/`, service.Desc.FullName(), "/", method.Desc.Name(), `"`)
	}
	g.P(")\n")
}

func (g *generator) interfaceOf(service *protogen.Service) {
	g.doc(service.Comments.Leading, service.GoName+" is the service "+string(service.Desc.FullName())+".",
		service.Desc.Options().(*descriptorpb.ServiceOptions).GetDeprecated())
	g.P("type ", service.GoName, " interface {")
	for _, method := range service.Methods {
		g.doc(method.Comments.Leading, "", isDeprecated(method))
		g.P(method.GoName, g.serverSignature(method))
	}
	g.P("}\n")
}

// doc writes the comment from the .proto file, or another text if there is none.
func (g *generator) doc(comments protogen.Comments, otherwise string, isDeprecated bool) {
	text := strings.TrimSuffix(comments.String(), "\n")
	if text == "" && otherwise != "" {
		text = "// " + otherwise
	}
	if isDeprecated {
		if text != "" {
			text += "\n//\n"
		}
		text += "// Deprecated: the .proto file says so."
	}
	if text != "" {
		g.P(text)
	}
}

func isDeprecated(method *protogen.Method) bool {
	return method.Desc.Options().(*descriptorpb.MethodOptions).GetDeprecated()
}

// kindOfMethod returns the part of names of package rpc that says which sides send several messages.
func kindOfMethod(method *protogen.Method) string {
	switch {
	case method.Desc.IsStreamingClient() && method.Desc.IsStreamingServer():
		return "BidiStreaming"
	case method.Desc.IsStreamingClient():
		return "ClientStreaming"
	case method.Desc.IsStreamingServer():
		return "ServerStreaming"
	}
	return "Unary"
}

// messagesOf returns the types of a method's messages, as type arguments of generic types and functions of package rpc.
func (g *generator) messagesOf(method *protogen.Method) string {
	request, response := g.typeName(method.Input.GoIdent), g.typeName(method.Output.GoIdent)
	if method.Desc.IsStreamingClient() {
		return "[" + request + ", " + response + "]"
	}
	return "[" + response + "]"
}

// serverSignature returns the parameters and results of a method of an implementation, the same as in the code of protoc-gen-go-grpc.
func (g *generator) serverSignature(method *protogen.Method) string {
	kind := kindOfMethod(method)
	stream := g.rpc(kind+"Server") + g.messagesOf(method)
	switch kind {
	case "Unary":
		return "(" + g.context() + ", *" + g.typeName(method.Input.GoIdent) + ") (*" + g.typeName(method.Output.GoIdent) + ", error)"
	case "ServerStreaming":
		return "(*" + g.typeName(method.Input.GoIdent) + ", " + stream + ") error"
	}
	return "(" + stream + ") error"
}

// rpc returns a function, a type or a constant of package rpc by the name that it has in this file.
func (g *generator) rpc(name string) string {
	return g.QualifiedGoIdent(protogen.GoImportPath("hone/go/rpc").Ident(name))
}

func (g *generator) context() string {
	return g.QualifiedGoIdent(protogen.GoImportPath("context").Ident("Context"))
}

func (g *generator) unimplemented(service *protogen.Service) {
	name := "Unimplemented" + service.GoName
	g.P("// ", name, " answers all methods with Unimplemented. An implementation that embeds it still compiles when the service gets more methods.")
	g.P("type ", name, " struct{}\n")
	for _, method := range service.Methods {
		values := ""
		if kindOfMethod(method) == "Unary" {
			values = "nil, "
		}
		g.P("// ", method.GoName, " returns an error: the method is not implemented.")
		g.P("func (", name, ") ", method.GoName, g.serverSignature(method), " {")
		g.P("return ", values, g.rpc("Errorf"), "(", g.rpc("Unimplemented"), `, "method `, method.Desc.Name(), ` is not implemented")`)
		g.P("}\n")
	}
}

// register writes the function that registers an implementation as a service.
func (g *generator) register(service *protogen.Service) {
	file := g.QualifiedGoIdent(g.file.GoDescriptorIdent)
	server, implementation := "server", "implementation"
	if pack, _, isForeign := strings.Cut(file, "."); isForeign && (pack == server || pack == implementation) {
		server, implementation = server+"_", implementation+"_"
	}
	g.P("// Register", service.GoName, " adds the service to a server, which answers calls by the implementation.")
	g.P("func Register", service.GoName, "(", server, " ", g.rpc("Registrar"), ", ", implementation, " ", service.GoName, ") {")
	g.P(server, ".Register(", g.rpc("Service"), `{Name: "`, service.Desc.FullName(), `", File: `, file, ", Methods: []", g.rpc("Method"), "{")
	for _, method := range service.Methods {
		g.P(g.rpc(kindOfMethod(method)+"Method"), `("`, method.Desc.Name(), `", `, implementation, ".", method.GoName, "),")
	}
	g.P("}})\n}\n")
}

func (g *generator) client(service *protogen.Service) {
	name := service.GoName + "Client"
	g.P("// ", name, " calls the service ", service.Desc.FullName(), ".")
	g.P("type ", name, " struct{ invoker ", g.rpc("Invoker"), " }\n")
	g.P("// New", name, " returns a client that calls by an invoker, such as a rpc.Client whose Wire is rpc.GRPC.")
	g.P("func New", name, "(invoker ", g.rpc("Invoker"), ") *", name, " { return &", name, "{invoker} }\n")
	for _, method := range service.Methods {
		g.doc(method.Comments.Leading, method.GoName+" calls the method of this name.", isDeprecated(method))
		g.callMethod(name, method)
	}
}

// callMethod writes a method of a client.
func (g *generator) callMethod(client string, method *protogen.Method) {
	kind := kindOfMethod(method)
	parameters, arguments, call := "ctx "+g.context(), "", "Open"+kind
	result := g.rpc(kind+"Client") + g.messagesOf(method)
	if !method.Desc.IsStreamingClient() {
		parameters += ", request *" + g.typeName(method.Input.GoIdent)
		arguments = ", request"
	}
	if kind == "Unary" {
		call, result = "CallUnary", "*"+g.typeName(method.Output.GoIdent)
	}
	g.P("func (c *", client, ") ", method.GoName, "(", parameters, ") (", result, ", error) {")
	g.P("return ", g.rpc(call), g.messagesOf(method), "(ctx, c.invoker, ", fullMethodName(method), arguments, ")")
	g.P("}\n")
}
