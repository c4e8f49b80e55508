package protogen

import (
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// claims has the names of a Go package that are taken, with the definitions in .proto files that take them.
type claims map[string]protoreflect.Descriptor

// claim takes a name for a definition. It returns an error if a service or a method needs a name that something else has taken.
func (c claims) claim(name string, of protoreflect.Descriptor) error {
	before, isTaken := c[name]
	if !isTaken {
		c[name] = of
		return nil
	}
	if isOfService(before) && !isOfService(of) {
		before, of = of, before
	}
	if !isOfService(of) {
		// A clash between names of protoc-gen-go is not reported here: protoc-gen-go itself handles it.
		return nil
	}
	return problem(of, "%s gets the Go name %s, which %s (%s) has too: rename one of them, or pass services=package, "+
		"which puts services into a package of their own, or services=off", of.FullName(), name, before.FullName(), placeOf(before))
}

func isOfService(of protoreflect.Descriptor) bool {
	switch of.(type) {
	case protoreflect.ServiceDescriptor, protoreflect.MethodDescriptor:
		return true
	}
	return false
}

// checkServices returns an error if the code of a file's services needs a name that something else in its Go package has.
func (o *Options) checkServices(file *protogen.File, all []*protogen.File) error {
	if !hasServices(file, o) {
		return nil
	}
	names := claims{}
	for _, other := range all {
		if other.GoImportPath != file.GoImportPath {
			continue
		}
		if o.Services == Beside {
			names.claimTypes(other)
		}
		for _, service := range other.Services {
			if err := names.claimService(service); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c claims) claimService(service *protogen.Service) error {
	name := service.GoName
	for _, name := range []string{name, "Unimplemented" + name, "Register" + name, name + "Client", "New" + name + "Client"} {
		if err := c.claim(name, service.Desc); err != nil {
			return err
		}
	}
	methods := claims{}
	for _, method := range service.Methods {
		if err := methods.claim(method.GoName, method.Desc); err != nil {
			return err
		}
		if err := c.claim(fullMethodName(method), method.Desc); err != nil {
			return err
		}
	}
	return nil
}

// claimTypes takes the exported names in protoc-gen-go's code of a file.
func (c claims) claimTypes(file *protogen.File) {
	c.claim(file.GoDescriptorIdent.GoName, file.Desc)
	c.claimEnums(file.Enums)
	c.claimExtensions(file.Extensions)
	for _, message := range allMessages(file.Messages) {
		c.claim(message.GoIdent.GoName, message.Desc)
		c.claimEnums(message.Enums)
		c.claimExtensions(message.Extensions)
		for _, field := range message.Fields {
			// Each member of a oneof has a type of its own.
			if field.Oneof != nil && !field.Oneof.Desc.IsSynthetic() {
				c.claim(field.GoIdent.GoName, field.Desc)
			}
			if field.Desc.HasDefault() {
				c.claim("Default_"+message.GoIdent.GoName+"_"+field.GoName, field.Desc)
			}
		}
	}
}

func (c claims) claimEnums(enums []*protogen.Enum) {
	for _, enum := range enums {
		for _, suffix := range []string{"", "_name", "_value"} {
			c.claim(enum.GoIdent.GoName+suffix, enum.Desc)
		}
		for _, value := range enum.Values {
			c.claim(value.GoIdent.GoName, value.Desc)
		}
	}
}

func (c claims) claimExtensions(extensions []*protogen.Extension) {
	for _, extension := range extensions {
		c.claim("E_"+extension.GoIdent.GoName, extension.Desc)
	}
}
