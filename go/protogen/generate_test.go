package protogen_test

import (
	"os"
	"strings"
	"testing"

	google "google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/gofeaturespb"
	"google.golang.org/protobuf/types/pluginpb"
	"hone/go/internal/greeter"
	"hone/go/internal/protosample"
	"hone/go/protogen"
)

// file returns a .proto file with one message that has these fields.
func file(fields ...*descriptorpb.FieldDescriptorProto) *descriptorpb.FileDescriptorProto {
	return &descriptorpb.FileDescriptorProto{
		Name: proto.String("shop/order.proto"), Package: proto.String("shop"), Syntax: proto.String("proto3"),
		Options:     &descriptorpb.FileOptions{GoPackage: proto.String("example.com/shop")},
		MessageType: []*descriptorpb.DescriptorProto{{Name: proto.String("Order"), Field: fields}},
		SourceCodeInfo: &descriptorpb.SourceCodeInfo{Location: []*descriptorpb.SourceCodeInfo_Location{
			{Path: []int32{4, 0}, Span: []int32{5, 0, 20}}, {Path: []int32{4, 0, 2, 0}, Span: []int32{6, 2, 20}}, {Path: []int32{4, 0, 8, 0}, Span: []int32{7, 2, 20}},
		}},
	}
}

func text(name string) *descriptorpb.FieldDescriptorProto {
	return &descriptorpb.FieldDescriptorProto{
		Name: proto.String(name), Number: proto.Int32(1), Type: descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum(), Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
	}
}

// generate runs the generator over files. The request wants code for the last file.
func generate(t *testing.T, parameter string, files ...*descriptorpb.FileDescriptorProto) (*pluginpb.CodeGeneratorResponse, error) {
	t.Helper()
	var options protogen.Options
	plugin, err := google.Options{ParamFunc: options.Set}.New(&pluginpb.CodeGeneratorRequest{
		Parameter: proto.String(parameter), ProtoFile: files, FileToGenerate: []string{files[len(files)-1].GetName()},
	})
	if err != nil {
		return nil, err
	}
	err = options.Generate(plugin)
	return plugin.Response(), err
}

func TestNamesOfMethodsThatFieldsHaveAreErrors(t *testing.T) {
	oneof := file(text("word"))
	oneof.MessageType[0].Field[0].OneofIndex = proto.Int32(0)
	oneof.MessageType[0].OneofDecl = []*descriptorpb.OneofDescriptorProto{{Name: proto.String("check_p_b")}}
	for _, c := range []struct {
		file *descriptorpb.FileDescriptorProto
		want string
	}{
		{file(text("size_PB")), "" /* the Go name is Size_PB */},
		{file(text("sizePB")), "shop/order.proto:7:3: field shop.Order.sizePB gets the Go name SizePB, which is a method that protoc-gen-hone writes: rename the field, or leave the file out"},
		{file(text("unmarshal_p_b")), "gets the Go name UnmarshalPB"},
		{file(text("size")), ""},
		{file(text("marshal")), ""},
		{oneof, "shop/order.proto:8:3: oneof shop.Order.check_p_b gets the Go name CheckPB"},
	} {
		_, err := generate(t, "", c.file)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v, not %q", c.file.MessageType[0].Field[0].GetName(), err, c.want)
		}
	}
}

func TestStructsThatHideTheirFieldsAreAnError(t *testing.T) {
	for _, level := range []string{"API_OPAQUE", "API_HYBRID"} {
		_, err := generate(t, "default_api_level="+level, file(text("name")))
		if err == nil || !strings.HasPrefix(err.Error(), "shop/order.proto:6:1: message shop.Order has the API "+level) || !strings.Contains(err.Error(), "default_api_level=API_OPEN") {
			t.Error(err)
		}
	}
}

func TestEdition2024NeedsTheOpenAPI(t *testing.T) {
	edition := func() *descriptorpb.FileDescriptorProto {
		f := file(text("name"))
		f.Syntax, f.Edition = proto.String("editions"), descriptorpb.Edition_EDITION_2024.Enum()
		return f
	}
	if _, err := generate(t, "", edition()); err == nil || !strings.Contains(err.Error(), "API_OPAQUE") {
		t.Error(err)
	}
	open := edition()
	features := &descriptorpb.FeatureSet{}
	proto.SetExtension(features, gofeaturespb.E_Go, &gofeaturespb.GoFeatures{ApiLevel: gofeaturespb.GoFeatures_API_OPEN.Enum()})
	open.Options.Features = features
	if response, err := generate(t, "", open); err != nil || len(response.File) != 1 {
		t.Error(err)
	}
}

func TestAFileWithoutMessagesHasNoCode(t *testing.T) {
	enums := file()
	enums.MessageType = nil
	enums.EnumType = []*descriptorpb.EnumDescriptorProto{{Name: proto.String("Kind"), Value: []*descriptorpb.EnumValueDescriptorProto{{Name: proto.String("NONE"), Number: proto.Int32(0)}}}}
	response, err := generate(t, "", enums)
	if err != nil || len(response.File) > 0 {
		t.Errorf("%v (%v)", response.File, err)
	}
}

func TestCodeStandsBesideTheStructs(t *testing.T) {
	for parameter, want := range map[string]string{"": "example.com/shop/order_hone.pb.go", "paths=source_relative": "shop/order_hone.pb.go", "module=example.com/shop": "order_hone.pb.go"} {
		response, err := generate(t, parameter, file(text("name")))
		if err != nil || len(response.File) != 1 || response.File[0].GetName() != want {
			t.Errorf("%q: %v (%v)", parameter, response, err)
		}
	}
}

func TestSamplesAreAsTheyAreGenerated(t *testing.T) {
	for _, sample := range []struct {
		of   protoreflect.FileDescriptor
		dir  string
		code []string
	}{
		{protosample.File_sample_proto, "protosample", []string{"sample_hone.pb.go"}},
		{greeter.File_greeter_proto, "greeter", []string{"greeter_hone.pb.go", "greeter_hone_rpc.pb.go"}},
	} {
		var files []*descriptorpb.FileDescriptorProto
		for i := range sample.of.Imports().Len() {
			files = append(files, protodesc.ToFileDescriptorProto(sample.of.Imports().Get(i)))
		}
		response, err := generate(t, "module=hone/go/internal/"+sample.dir, append(files, protodesc.ToFileDescriptorProto(sample.of))...)
		if err != nil || response.Error != nil || len(response.File) != len(sample.code) {
			t.Fatal(response.GetError(), err)
		}
		for i, name := range sample.code {
			if before := readSample(t, sample.dir+"/"+name); response.File[i].GetName() != name || withoutNotes(response.File[i].GetContent()) != withoutNotes(before) {
				t.Errorf("%s is not as it is generated: go generate ./internal/%s", name, sample.dir)
			}
		}
	}
}

// withoutNotes returns code without its comments, because a program does not know the comments of its .proto files.
func withoutNotes(code string) string {
	var kept strings.Builder
	for line := range strings.Lines(code) {
		if !strings.HasPrefix(strings.TrimSpace(line), "//") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

func readSample(t *testing.T, name string) string {
	t.Helper()
	code, err := os.ReadFile("../internal/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(code)
}
