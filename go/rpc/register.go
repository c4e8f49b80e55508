package rpc

import (
	"context"
	"fmt"

	"hone/go/thrift"
)

// thriftMethod is a function of a service of Thrift.
type thriftMethod struct {
	service, name string
	handler       thrift.Handler
	// labels holds the names of the service and the function, for profiles.
	labels context.Context
}

// RegisterThrift makes a processor answer the calls of a service. Generated code calls it: hello.RegisterHello(server, implementation).
//
// Functions are found by their names. If several services have a function of the same name, it is found by SERVICE:FUNCTION, as Apache's multiplexed
// processor wants it, or by the service that a TTHeader names. RegisterThrift panics if a service is registered twice: that is a mistake of the program.
func (s *Server) RegisterThrift(service string, processor *thrift.Processor) {
	if s.methods == nil {
		s.methods, s.twice = map[string]*thriftMethod{}, map[string]bool{}
	}
	for _, name := range processor.Methods() {
		handler, _ := processor.Handler(name)
		method := &thriftMethod{service, name, handler, labelsOf(service, name)}
		full := service + ":" + name
		if s.methods[full] != nil {
			panic(fmt.Sprintf("rpc: service %s is registered twice", service))
		}
		s.methods[full] = method
		if s.methods[name] != nil {
			s.twice[name] = true
		}
		s.methods[name] = method
	}
}

// thriftMethod finds the function that a message names, in the service that its header names.
func (s *Server) thriftMethod(name, service string) (*thriftMethod, error) {
	if service != "" {
		if method := s.methods[service+":"+name]; method != nil {
			return method, nil
		}
	}
	method := s.methods[name]
	switch {
	case method == nil:
		return nil, &thrift.ApplicationException{Type: thrift.UnknownMethod, Message: "unknown function " + name}
	case s.twice[name]:
		return nil, &thrift.ApplicationException{Type: thrift.UnknownMethod,
			Message: "several services have a function " + name + "; call it as SERVICE:" + name}
	}
	return method, nil
}
