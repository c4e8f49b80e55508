// Package reflection tells clients which services of protobuf a server has, with their definitions, by gRPC's reflection
// (https://github.com/grpc/grpc/blob/master/doc/server-reflection.md). Tools such as grpcurl use it to call services without .proto
// files.
package reflection

import (
	"io"
	"slices"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"hone/go/rpc"
	"hone/go/rpc/internal/definition"
)

// Register answers questions about a server's services, in both versions of the protocol: v1 and v1alpha. Anybody who can call the
// server can read all definitions that the program has.
func Register(server *rpc.Server) {
	known := sync.OnceValue(func() *protoregistry.Files { return filesOf(server.Services()) })
	for _, version := range []string{"v1", "v1alpha"} {
		file := definition.Parse(strings.ReplaceAll(text, "VERSION", version))
		r := &reflection{server, file, known}
		server.Register(rpc.Service{Name: "grpc.reflection." + version + ".ServerReflection", File: file.FileDescriptor, Methods: []rpc.Method{
			{Name: "ServerReflectionInfo", ClientStreams: true, ServerStreams: true, Stream: r.info},
		}})
	}
}

// reflection is one version of the protocol.
type reflection struct {
	server *rpc.Server
	file   definition.File
	// known has the files of registered services, and the files that they import.
	known func() *protoregistry.Files
}

// filesOf returns the files that define services, and the files that they import.
func filesOf(services []rpc.Service) *protoregistry.Files {
	files := new(protoregistry.Files)
	var add func(file protoreflect.FileDescriptor)
	add = func(file protoreflect.FileDescriptor) {
		if _, err := files.FindFileByPath(file.Path()); err == nil || file.IsPlaceholder() {
			return
		}
		// A file that defines names of another file is left out.
		files.RegisterFile(file)
		for i := range file.Imports().Len() {
			add(file.Imports().Get(i).FileDescriptor)
		}
	}
	for _, service := range services {
		if service.File != nil {
			add(service.File)
		}
	}
	return files
}

// info answers one question after the other.
func (r *reflection) info(stream *rpc.ServerStream) error {
	sent := map[string]bool{}
	for {
		request := r.file.New("ServerReflectionRequest")
		err := stream.Receive(request.Interface())
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		response := r.file.New("ServerReflectionResponse")
		response.SetText("valid_host", request.Text("host"))
		response.SetInner("original_request", request)
		if err := r.answer(request, response, sent); err != nil {
			failure := response.Inner("error_response")
			failure.SetInt("error_code", int32(rpc.CodeOf(err)))
			failure.SetText("error_message", err.Message)
		}
		if err := stream.Send(response.Interface()); err != nil {
			return err
		}
	}
}

// answer answers one question. Files that have been sent are not sent again as imports of other files.
func (r *reflection) answer(request, response definition.Message, sent map[string]bool) *rpc.Error {
	switch question := request.Member("message_request"); question {
	case "list_services":
		r.list(response.Inner("list_services_response"))
		return nil
	case "file_by_filename":
		path := request.Text(question)
		file, err := r.known().FindFileByPath(path)
		if err != nil {
			file, err = protoregistry.GlobalFiles.FindFileByPath(path)
		}
		return send(response, file, err, "file "+path, sent)
	case "file_containing_symbol":
		name := request.Text(question)
		file, err := r.fileOf(protoreflect.FullName(name))
		return send(response, file, err, "symbol "+name, sent)
	case "file_containing_extension":
		asked := request.Inner(question)
		extended, number := asked.Text("containing_type"), asked.Int("extension_number")
		extension, err := protoregistry.GlobalTypes.FindExtensionByNumber(protoreflect.FullName(extended), protoreflect.FieldNumber(number))
		if err != nil {
			return rpc.Errorf(rpc.NotFound, "no extension %d of %s is known", number, extended)
		}
		return send(response, extension.TypeDescriptor().ParentFile(), nil, "", sent)
	case "all_extension_numbers_of_type":
		return r.extensions(request.Text(question), response)
	}
	return rpc.Errorf(rpc.InvalidArgument, "the request asks for nothing that is known")
}

func (r *reflection) list(response definition.Message) {
	var names []string
	for _, service := range r.server.Services() {
		names = append(names, service.Name)
	}
	slices.Sort(names)
	for _, name := range names {
		service := r.file.New("ServiceResponse")
		service.SetText("name", name)
		response.Append("service", service)
	}
}

func (r *reflection) fileOf(name protoreflect.FullName) (protoreflect.FileDescriptor, error) {
	found, err := r.known().FindDescriptorByName(name)
	if err != nil {
		found, err = protoregistry.GlobalFiles.FindDescriptorByName(name)
	}
	if err != nil {
		return nil, err
	}
	return found.ParentFile(), nil
}

func (r *reflection) extensions(extended string, response definition.Message) *rpc.Error {
	if _, err := r.fileOf(protoreflect.FullName(extended)); err != nil {
		return rpc.Errorf(rpc.NotFound, "type %s is not known", extended)
	}
	var numbers []int32
	protoregistry.GlobalTypes.RangeExtensionsByMessage(protoreflect.FullName(extended), func(extension protoreflect.ExtensionType) bool {
		numbers = append(numbers, int32(extension.TypeDescriptor().Number()))
		return true
	})
	slices.Sort(numbers)
	told := response.Inner("all_extension_numbers_response")
	told.SetText("base_type_name", extended)
	for _, number := range numbers {
		told.Append("extension_number", number)
	}
	return nil
}

// send puts a file into a response, and the files that it imports and that have not been sent.
func send(response definition.Message, file protoreflect.FileDescriptor, err error, what string, sent map[string]bool) *rpc.Error {
	if err != nil {
		return rpc.Errorf(rpc.NotFound, "%s is not known", what)
	}
	delete(sent, file.Path())
	told := response.Inner("file_descriptor_response")
	for waiting := []protoreflect.FileDescriptor{file}; len(waiting) > 0; waiting = waiting[1:] {
		next := waiting[0]
		if sent[next.Path()] || next.IsPlaceholder() {
			continue
		}
		sent[next.Path()] = true
		written, err := proto.Marshal(protodesc.ToFileDescriptorProto(next))
		if err != nil {
			return rpc.Errorf(rpc.Internal, "the definition %s cannot be written: %v", next.Path(), err)
		}
		told.Append("file_descriptor_proto", written)
		for i := range next.Imports().Len() {
			waiting = append(waiting, next.Imports().Get(i).FileDescriptor)
		}
	}
	return nil
}
