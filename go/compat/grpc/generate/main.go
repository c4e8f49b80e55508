// Command generate writes the packages below ours, without protoc: it passes the plugins the definition that is in the code of
// hone/go/internal/greeter.
package main

import (
	"bytes"
	"flag"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	gengo "google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	google "google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/pluginpb"

	"hone/go/internal/greeter"
	"hone/go/protogen"
)

func main() {
	out := flag.String("o", ".", "the `directory` of all packages")
	prefix := flag.String("prefix", "", "what the import `path` of each package begins with")
	flag.Parse()
	log.SetFlags(0)
	for _, response := range []*pluginpb.CodeGeneratorResponse{peer(*prefix), both(*prefix), bothByTheirs(*prefix)} {
		if response.Error != nil {
			log.Fatal(response.GetError())
		}
		for _, file := range response.File {
			write(filepath.Join(*out, filepath.FromSlash(file.GetName())), file.GetContent())
		}
	}
}

func write(to, content string) {
	err := os.MkdirAll(filepath.Dir(to), 0o777)
	if err == nil {
		err = os.WriteFile(to, []byte(content), 0o666)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func empty() *descriptorpb.FileDescriptorProto {
	return protodesc.ToFileDescriptorProto(emptypb.File_google_protobuf_empty_proto)
}

func sample() *descriptorpb.FileDescriptorProto {
	return protodesc.ToFileDescriptorProto(greeter.File_greeter_proto)
}

func request(prefix, options string, files ...*descriptorpb.FileDescriptorProto) *pluginpb.CodeGeneratorRequest {
	return &pluginpb.CodeGeneratorRequest{
		Parameter: proto.String("module=" + prefix + options), ProtoFile: files, FileToGenerate: []string{files[len(files)-1].GetName()},
	}
}

// peer returns the code of the services alone, in a file beside the one with the messages, whose code is in hone/go/internal/greeter.
func peer(prefix string) *pluginpb.CodeGeneratorResponse {
	messages := sample()
	services := &descriptorpb.FileDescriptorProto{
		Name: proto.String("peer.proto"), Package: messages.Package, Syntax: messages.Syntax, Service: messages.Service,
		Dependency: append([]string{messages.GetName()}, messages.Dependency...),
		Options:    &descriptorpb.FileOptions{GoPackage: proto.String(prefix + "/peer")},
	}
	messages.Service = nil
	return theirs(request(prefix, "", empty(), messages, services))
}

// copied returns the definition under another name.
func copied(prefix string) *descriptorpb.FileDescriptorProto {
	file := sample()
	renamed, err := proto.Marshal(file)
	if err != nil {
		log.Fatal(err)
	}
	// The new package name is as long as the old one, so that lengths in the encoding stay valid.
	renamed = bytes.ReplaceAll(renamed, []byte("hone.greeter.v1"), []byte("hone.bothpkg.v1"))
	file = new(descriptorpb.FileDescriptorProto)
	if err := proto.Unmarshal(renamed, file); err != nil {
		log.Fatal(err)
	}
	file.Name, file.Options = proto.String("both.proto"), &descriptorpb.FileOptions{GoPackage: proto.String(prefix + "/both")}
	return file
}

// both returns the code of protoc-gen-go and protoc-gen-hone, which leaves names to protoc-gen-go-grpc.
func both(prefix string) *pluginpb.CodeGeneratorResponse {
	var options protogen.Options
	plugin, err := google.Options{ParamFunc: options.Set}.New(request(prefix, ",services=package", empty(), copied(prefix)))
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range plugin.Files {
		if file.Generate {
			gengo.GenerateFile(plugin, file)
		}
	}
	if err := options.Generate(plugin); err != nil {
		log.Fatal(err)
	}
	return plugin.Response()
}

func bothByTheirs(prefix string) *pluginpb.CodeGeneratorResponse {
	return theirs(request(prefix, "", empty(), copied(prefix)))
}

// theirs runs protoc-gen-go-grpc.
func theirs(request *pluginpb.CodeGeneratorRequest) *pluginpb.CodeGeneratorResponse {
	in, err := proto.Marshal(request)
	if err != nil {
		log.Fatal(err)
	}
	var said strings.Builder
	command := exec.Command("go", "tool", "protoc-gen-go-grpc")
	command.Stdin, command.Stderr = bytes.NewReader(in), &said
	out, err := command.Output()
	if err != nil {
		log.Fatalf("protoc-gen-go-grpc: %v: %s", err, said.String())
	}
	response := new(pluginpb.CodeGeneratorResponse)
	if err := proto.Unmarshal(out, response); err != nil {
		log.Fatal(err)
	}
	return response
}
