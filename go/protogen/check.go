package protogen

import (
	"fmt"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/gofeaturespb"
)

// methods has the names of the methods that protoc-gen-hone writes for messages.
var methods = map[string]bool{"SizePB": true, "MarshalToPB": true, "UnmarshalPB": true, "ReadPB": true, "WritePB": true, "CheckPB": true}

// check returns an error for a message that no code can be written for.
func check(file *protogen.File) error {
	for _, message := range allMessages(file.Messages) {
		if message.APILevel != gofeaturespb.GoFeatures_API_OPEN {
			return problem(message.Desc, "message %s has the API %s of protoc-gen-go, whose structs hide their fields, and protoc-gen-hone writes code for the open API only: "+
				"set option features.(pb.go).api_level = API_OPEN, or pass default_api_level=API_OPEN to both plugins, or leave the file out",
				message.Desc.FullName(), message.APILevel)
		}
		if err := checkNames(message); err != nil {
			return err
		}
	}
	return nil
}

// checkNames returns an error if a field or a oneof of a struct gets the name of a method that protoc-gen-hone writes.
func checkNames(message *protogen.Message) error {
	for _, field := range message.Fields {
		for _, name := range []string{field.GoName, "Get" + field.GoName} {
			if methods[name] {
				return clash(field.Desc, "field", name)
			}
		}
	}
	for _, oneof := range message.Oneofs {
		for _, name := range []string{oneof.GoName, "Get" + oneof.GoName} {
			if methods[name] && !oneof.Desc.IsSynthetic() {
				return clash(oneof.Desc, "oneof", name)
			}
		}
	}
	return nil
}

func clash(of protoreflect.Descriptor, what, name string) error {
	return problem(of, "%s %s gets the Go name %s, which is a method that protoc-gen-hone writes: rename the %s, or leave the file out", what, of.FullName(), name, what)
}

// problem returns an error with its place, in the form of protoc's own errors.
func problem(of protoreflect.Descriptor, format string, args ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{placeOf(of)}, args...)...)
}

// placeOf returns the file of a definition, and its line and column if they are known.
func placeOf(of protoreflect.Descriptor) string {
	place := of.ParentFile().Path()
	if at := of.ParentFile().SourceLocations().ByDescriptor(of); at.Path != nil {
		return fmt.Sprintf("%s:%d:%d", place, at.StartLine+1, at.StartColumn+1)
	}
	return place
}
