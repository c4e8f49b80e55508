package rpc

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Service is a service of protobuf messages. Generated code makes one of an implementation and registers it.
type Service struct {
	// Name is its name with its package, such as hello.v1.Greeter.
	Name    string
	Methods []Method
	// File is the .proto file that defines it, for clients that ask by reflection; nil where there is none.
	File protoreflect.FileDescriptor
}

// Method is a function of a [Service]. It has Serve, or Stream.
type Method struct {
	Name string
	// ClientStreams and ServerStreams are whether there may be several requests, and several responses.
	ClientStreams, ServerStreams bool
	// NewRequest makes room for a request: a pointer to a message.
	NewRequest func() any
	// Serve answers a request, where there is one of each.
	Serve func(ctx context.Context, request any) (any, error)
	// Stream answers a stream of requests or responses; it ends when the function returns.
	Stream func(stream *ServerStream) error
}

// Registrar is what services are registered with, such as a [Server].
type Registrar interface {
	Register(service Service)
}

// Invoker is what generated clients call by, such as a [Client].
type Invoker interface {
	// Invoke calls a function with one request and one response. Its name is /SERVICE/METHOD. The response is a pointer to a message, which is
	// read into.
	Invoke(ctx context.Context, method string, request, response any) error
	// Open opens a stream, and OpenWith one whose only request goes with what opens it.
	Open(ctx context.Context, method string) (*ClientStream, error)
	OpenWith(ctx context.Context, method string, request any) (*ClientStream, error)
}

// protoMethod is a function of a service that is registered.
type protoMethod struct {
	Method
	service string
	labels  context.Context
}

// Register answers calls of a service over gRPC. Generated code calls it: hello.RegisterGreeter(server, implementation). A service that is
// registered twice is a mistake of the program: it panics.
func (s *Server) Register(service Service) {
	if s.protos == nil {
		s.protos = map[string]*protoMethod{}
	}
	for _, known := range s.services {
		if known.Name == service.Name {
			panic(fmt.Sprintf("rpc: service %s is registered twice", service.Name))
		}
	}
	s.services = append(s.services, service)
	for _, method := range service.Methods {
		s.protos["/"+service.Name+"/"+method.Name] = &protoMethod{method, service.Name, labelsOf(service.Name, method.Name)}
	}
}

// Services are the services of protobuf that are registered.
func (s *Server) Services() []Service { return slices.Clone(s.services) }

// splitMethod gives the service and the function of /SERVICE/METHOD.
func splitMethod(full string) (service, method string, err error) {
	service, method, isWhole := strings.Cut(strings.TrimPrefix(full, "/"), "/")
	if !isWhole || service == "" || method == "" || full[0] != '/' {
		return "", "", fmt.Errorf("method %q has not the form /SERVICE/METHOD", full)
	}
	return service, method, nil
}
