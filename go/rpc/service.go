package rpc

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Service is a service of protobuf messages. Generated code makes one from an implementation and registers it.
type Service struct {
	// Name is the service's name with its package, such as hello.v1.Greeter.
	Name    string
	Methods []Method
	// File is the .proto file that defines the service, for clients that use reflection; nil if there is none.
	File protoreflect.FileDescriptor
}

// Method is a function of a [Service]. Either Serve or Stream is set.
type Method struct {
	Name string
	// ClientStreams is true if there may be several requests, and ServerStreams if there may be several responses.
	ClientStreams, ServerStreams bool
	// NewRequest makes an empty request: a pointer to a message.
	NewRequest func() any
	// Serve answers a request, if the function has one request and one response.
	Serve func(ctx context.Context, request any) (any, error)
	// Stream answers a stream of requests or responses; it ends when the function returns.
	Stream func(stream *ServerStream) error
}

// Registrar registers services, as a [Server] does.
type Registrar interface {
	Register(service Service)
}

// Invoker makes the calls of generated clients, as a [Client] does.
type Invoker interface {
	// Invoke calls a function with one request and one response. method is /SERVICE/METHOD. response is a pointer to a message, into which the answer
	// is read.
	Invoke(ctx context.Context, method string, request, response any) error
	// Open opens a stream. OpenWith opens a stream whose only request is sent with its opening.
	Open(ctx context.Context, method string) (*ClientStream, error)
	OpenWith(ctx context.Context, method string, request any) (*ClientStream, error)
}

// protoMethod is a function of a service that is registered.
type protoMethod struct {
	Method
	service string
	labels  context.Context
}

// Register makes the server answer the calls of a service over gRPC. Generated code calls it: hello.RegisterGreeter(server, implementation). It
// panics if a service is registered twice: that is a mistake of the program.
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

// Services returns the services of protobuf that are registered.
func (s *Server) Services() []Service { return slices.Clone(s.services) }

// splitMethod splits /SERVICE/METHOD into the service and the function.
func splitMethod(full string) (service, method string, err error) {
	service, method, isWhole := strings.Cut(strings.TrimPrefix(full, "/"), "/")
	if !isWhole || service == "" || method == "" || full[0] != '/' {
		return "", "", fmt.Errorf("method %q has not the form /SERVICE/METHOD", full)
	}
	return service, method, nil
}
