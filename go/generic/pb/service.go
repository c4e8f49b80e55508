package pb

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"hone/go/generic"
)

// Options say how messages are turned into JSON and Go. The zero value is right for most programs.
type Options struct {
	// NamesOfIDL names fields as the definition does (user_id), not as protobuf's JSON does (userId). Both names are read.
	NamesOfIDL bool
	// Depth is the number of levels of messages that may be inside each other in JSON; 0 means [DefaultDepth].
	Depth int
}

// DefaultDepth is the depth that other implementations of protobuf allow.
const DefaultDepth = 100

// Service is a service of protobuf definitions. Several goroutines may use it.
type Service struct {
	// Name is the service's full name: "shop.v1.Shop".
	Name string
	// Functions are in the order of the definition.
	Functions []*Function
	byName    map[string]*Function
}

// Function is a method of a service.
type Function struct {
	// Name is the method's name within the service. Path is its name in calls of gRPC: "/shop.v1.Shop/Find".
	Name, Path string
	// Doc is the comment before the method, if the descriptor has comments.
	Doc string
	// TakesStream is true if there may be any number of requests, and GivesStream if there may be any number of responses.
	TakesStream, GivesStream bool

	method  protoreflect.MethodDescriptor
	types   *dynamicpb.Types
	options Options
}

// NewService describes a service by its full name, or by the last part of the name if only one service has it.
//
// # Errors
//
// A [generic.UnknownError].
func NewService(files *protoregistry.Files, name string, options Options) (*Service, error) {
	found := servicesOf(files)
	var meant []protoreflect.ServiceDescriptor
	for _, s := range found {
		if string(s.FullName()) == name {
			meant = []protoreflect.ServiceDescriptor{s}
			break
		}
		if string(s.Name()) == name {
			meant = append(meant, s)
		}
	}
	if len(meant) != 1 {
		return nil, &generic.UnknownError{What: "service", Name: name, Known: ServiceNames(files)}
	}
	s := &Service{Name: string(meant[0].FullName()), byName: map[string]*Function{}}
	types, methods := dynamicpb.NewTypes(files), meant[0].Methods()
	for i := range methods.Len() {
		f := newFunction(methods.Get(i), types, options)
		s.Functions, s.byName[f.Name] = append(s.Functions, f), f
	}
	return s, nil
}

func newFunction(method protoreflect.MethodDescriptor, types *dynamicpb.Types, options Options) *Function {
	place := method.ParentFile().SourceLocations().ByDescriptor(method)
	return &Function{
		Name:        string(method.Name()),
		Path:        fmt.Sprintf("/%s/%s", method.Parent().FullName(), method.Name()),
		Doc:         strings.TrimSpace(place.LeadingComments),
		TakesStream: method.IsStreamingClient(),
		GivesStream: method.IsStreamingServer(),
		method:      method,
		types:       types,
		options:     options,
	}
}

// ServiceNames returns the full names of all services, sorted.
func ServiceNames(files *protoregistry.Files) []string {
	var names []string
	for _, s := range servicesOf(files) {
		names = append(names, string(s.FullName()))
	}
	slices.Sort(names)
	return names
}

func servicesOf(files *protoregistry.Files) []protoreflect.ServiceDescriptor {
	var found []protoreflect.ServiceDescriptor
	files.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		for i := range file.Services().Len() {
			found = append(found, file.Services().Get(i))
		}
		return true
	})
	return found
}

// Function returns a method by its name.
//
// # Errors
//
// A [generic.UnknownError].
func (s *Service) Function(name string) (*Function, error) {
	if f := s.byName[name]; f != nil {
		return f, nil
	}
	known := make([]string, len(s.Functions))
	for i, f := range s.Functions {
		known[i] = f.Name
	}
	slices.Sort(known)
	return nil, &generic.UnknownError{What: "function", Of: "the service " + s.Name, Name: name, Known: known}
}

// String returns the method as its definition has it, in one line.
func (f *Function) String() string {
	stream := map[bool]string{true: "stream "}
	takes, gives := f.method.Input().FullName(), f.method.Output().FullName()
	return fmt.Sprintf("rpc %s(%s%s) returns (%s%s)", f.Name, stream[f.TakesStream], takes, stream[f.GivesStream], gives)
}

// Args returns an empty message for a request of the method.
func (f *Function) Args() *Message { return f.message("args", f.method.Input()) }

// Result returns an empty message for a response of the method.
func (f *Function) Result() *Message { return f.message("result", f.method.Output()) }

func (f *Function) message(root string, of protoreflect.MessageDescriptor) *Message {
	return &Message{message: dynamicpb.NewMessage(of), root: root, types: f.types, options: f.options}
}
