package reflection_test

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"hone/go/internal/greeter"
	"hone/go/rpc"
	"hone/go/rpc/internal/definition"
	"hone/go/rpc/reflection"
)

// patience is the longest time that a test waits for something that must happen.
const patience = 4 * time.Minute

// messages are the messages of the protocol, with the parts that these tests need. The tests ask for all texts by a field's number.
var messages = definition.Parse(`name: "r" package: "r" syntax: "proto3"
message_type {
  name: "Request"
  field { name: "file_by_filename" number: 3 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "file_containing_symbol" number: 4 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "file_containing_extension" number: 5 type: TYPE_MESSAGE type_name: ".r.Extension" label: LABEL_OPTIONAL }
  field { name: "all_extension_numbers_of_type" number: 6 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "list_services" number: 7 type: TYPE_STRING label: LABEL_OPTIONAL }
}
message_type {
  name: "Extension"
  field { name: "containing_type" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "extension_number" number: 2 type: TYPE_INT32 label: LABEL_OPTIONAL }
}
message_type {
  name: "Response"
  field { name: "files" number: 4 type: TYPE_MESSAGE type_name: ".r.Texts" label: LABEL_OPTIONAL }
  field { name: "extensions" number: 5 type: TYPE_MESSAGE type_name: ".r.Numbers" label: LABEL_OPTIONAL }
  field { name: "services" number: 6 type: TYPE_MESSAGE type_name: ".r.Services" label: LABEL_OPTIONAL }
  field { name: "error" number: 7 type: TYPE_MESSAGE type_name: ".r.Error" label: LABEL_OPTIONAL }
}
message_type { name: "Texts" field { name: "text" number: 1 type: TYPE_BYTES label: LABEL_REPEATED } }
message_type { name: "Numbers" field { name: "number" number: 2 type: TYPE_INT32 label: LABEL_REPEATED } }
message_type { name: "Services" field { name: "service" number: 1 type: TYPE_MESSAGE type_name: ".r.Texts" label: LABEL_REPEATED } }
message_type {
  name: "Error"
  field { name: "code" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL }
  field { name: "text" number: 2 type: TYPE_STRING label: LABEL_OPTIONAL }
}
`)

// conversation asks one question after the other.
type conversation struct {
	*testing.T
	stream *rpc.ClientStream
}

func begin(t *testing.T, version string) *conversation {
	t.Helper()
	server := rpc.NewServer()
	greeter.RegisterGreeter(server, greeter.UnimplementedGreeter{})
	server.Register(rpc.Service{Name: "without.Definition"})
	reflection.Register(server)
	address := "unix://" + filepath.Join(t.TempDir(), "s")
	listener, err := rpc.Listen(address)
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(listener)
	client := rpc.Dial(address)
	client.Wire = rpc.GRPC
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(func() {
		cancel()
		client.Close()
		server.Close()
	})
	stream, err := client.Open(ctx, "/grpc.reflection."+version+".ServerReflection/ServerReflectionInfo")
	if err != nil {
		t.Fatal(err)
	}
	return &conversation{t, stream}
}

func (c *conversation) ask(request definition.Message) definition.Message {
	c.Helper()
	response := messages.New("Response")
	if err := c.stream.Send(request.Interface()); err != nil {
		c.Fatal(err)
	}
	if err := c.stream.Receive(response.Interface()); err != nil {
		c.Fatal(err)
	}
	return response
}

func (c *conversation) askFor(what protoreflect.Name, text string) definition.Message {
	c.Helper()
	request := messages.New("Request")
	request.SetText(what, text)
	return c.ask(request)
}

// files returns the paths of the definitions in a response.
func (c *conversation) files(response definition.Message) (paths []string) {
	c.Helper()
	texts := response.Inner("files")
	list := texts.Get(texts.Descriptor().Fields().ByName("text")).List()
	for i := range list.Len() {
		var file descriptorpb.FileDescriptorProto
		if err := proto.Unmarshal(list.Get(i).Bytes(), &file); err != nil {
			c.Fatal(err)
		}
		paths = append(paths, file.GetName())
	}
	return paths
}

func TestServicesAndTheirDefinitionsAreTold(t *testing.T) {
	for _, version := range []string{"v1", "v1alpha"} {
		c := begin(t, version)
		services := c.askFor("list_services", "*").Inner("services")
		list := services.Get(services.Descriptor().Fields().ByName("service")).List()
		var names []string
		for i := range list.Len() {
			name := definition.Message{Message: list.Get(i).Message()}
			names = append(names, string(name.Get(name.Descriptor().Fields().ByName("text")).List().Get(0).Bytes()))
		}
		want := []string{"grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection", "hone.greeter.v1.Greeter", "without.Definition"}
		if !slices.Equal(names, want) {
			t.Error(names)
		}
		// Imports are sent only once.
		for _, question := range []struct {
			what, text string
			want       []string
		}{
			{"file_containing_symbol", "hone.greeter.v1.Greeter.Hello", []string{"greeter.proto", "google/protobuf/empty.proto"}},
			{"file_containing_symbol", "hone.greeter.v1.Item", []string{"greeter.proto"}},
			{"file_by_filename", "google/protobuf/empty.proto", []string{"google/protobuf/empty.proto"}},
			{"file_by_filename", "google/protobuf/descriptor.proto", []string{"google/protobuf/descriptor.proto"}},
			{"file_containing_symbol", "grpc.reflection." + version + ".ServerReflection", []string{"grpc/reflection/" + version + "/reflection.proto"}},
		} {
			if got := c.files(c.askFor(protoreflect.Name(question.what), question.text)); !slices.Equal(got, question.want) {
				t.Errorf("%s %s: %v", question.what, question.text, got)
			}
		}
		c.stream.CloseSend()
		if err := c.stream.Receive(messages.New("Response").Interface()); err != io.EOF {
			t.Error(err)
		}
	}
}

func TestExtensionsAreTold(t *testing.T) {
	c := begin(t, "v1")
	// Package protogen, by which services are described, has this extension, which is for Go's plugins.
	numbers := c.askFor("all_extension_numbers_of_type", "google.protobuf.FeatureSet").Inner("extensions")
	list := numbers.Get(numbers.Descriptor().Fields().ByName("number")).List()
	request := messages.New("Request")
	asked := request.Inner("file_containing_extension")
	asked.SetText("containing_type", "google.protobuf.FeatureSet")
	if list.Len() == 0 {
		t.Fatal("no extension is known")
	}
	asked.SetInt("extension_number", int32(list.Get(0).Int()))
	if files := c.files(c.ask(request)); len(files) == 0 || files[0] != "google/protobuf/go_features.proto" {
		t.Error(files)
	}
}

func TestWhatIsNotKnownIsToldAndTheStreamGoesOn(t *testing.T) {
	c := begin(t, "v1")
	extension := messages.New("Request")
	extension.Inner("file_containing_extension").SetInt("extension_number", 5)
	for text, response := range map[string]definition.Message{
		"file none.proto is not known":               c.askFor("file_by_filename", "none.proto"),
		"symbol none.None is not known":              c.askFor("file_containing_symbol", "none.None"),
		"symbol without.Definition is not known":     c.askFor("file_containing_symbol", "without.Definition"),
		"no extension 5 of  is known":                c.ask(extension),
		"type none is not known":                     c.askFor("all_extension_numbers_of_type", "none"),
		"the request asks for nothing that is known": c.ask(messages.New("Request")),
	} {
		if failure := response.Inner("error"); failure.Text("text") != text || failure.Int("code") == 0 {
			t.Errorf("%q: %v", text, failure)
		}
	}
	if got := c.files(c.askFor("file_by_filename", "greeter.proto")); len(got) != 2 {
		t.Error(got)
	}
}
