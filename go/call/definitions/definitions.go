package definitions

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"hone/go/generic"
	"hone/go/idl"
)

// Language is the language of definitions.
type Language string

// The languages.
const (
	Thrift   Language = "Thrift"
	Protobuf Language = "protobuf"
)

// Message is an argument or a result of a function: for Thrift a thrift.Writer and thrift.Reader, for protobuf a proto.Message.
type Message interface {
	json.Marshaler
	json.Unmarshaler
}

// Function is a function of a service, of either language.
type Function struct {
	Language Language
	// Service and Name are the names in the definition.
	Service, Name string
	// Method is the name of the function on the wire: the name in Thrift, "/package.Service/Name" in gRPC.
	Method string
	// Declaration is the function's declaration in one line, and Doc the comment before it.
	Declaration, Doc string
	// IsOneway is true if the function has no answer.
	IsOneway bool
	// TakesStream is true if there may be any number of requests, GivesStream if there may be any number of responses.
	TakesStream, GivesStream bool
	// Example returns JSON of an argument.
	Example func() []byte
	// Args and Result return empty messages for the argument and the result: of a stream, for one request and one response. Result returns nil if the
	// function is oneway.
	Args, Result func() Message
}

// FullName returns "Service.Name".
func (f *Function) FullName() string { return f.Service + "." + f.Name }

// Definitions are the services of a file and of all files that it includes.
type Definitions struct {
	Language Language
	// Warnings describe doubtful parts of the files, one line each.
	Warnings []string
	// services are the names of services in the order of the definition.
	services []string
	service  func(name string) ([]*Function, error)
}

// Load reads definitions: Thrift's, or protobuf's if the path ends in .proto. It calls read with paths relative to this file or to the directories,
// which are searched for included files.
//
// # Errors
//
// An error with a line for each problem of the files.
func Load(file string, read func(path string) ([]byte, error), directories []string) (*Definitions, error) {
	if path.Ext(file) == ".proto" {
		return loadProtobuf(file, read, directories)
	}
	return loadThrift(file, read, directories)
}

func loadThrift(file string, read func(path string) ([]byte, error), directories []string) (*Definitions, error) {
	program, problems := idl.Load(file, read, directories)
	if problems.HasErrors() {
		problems = slices.DeleteFunc(problems, func(p idl.Problem) bool { return p.Severity != idl.Error })
		return nil, fmt.Errorf("%s", problems)
	}
	d := &Definitions{Language: Thrift, services: generic.ServiceNames(program)}
	for _, warning := range problems {
		d.Warnings = append(d.Warnings, warning.String())
	}
	d.service = func(name string) ([]*Function, error) {
		s, err := generic.NewService(program, name, generic.Options{})
		if err != nil {
			return nil, err
		}
		functions := make([]*Function, len(s.Functions))
		for i, f := range s.Functions {
			functions[i] = ofThrift(name, f)
		}
		return functions, nil
	}
	return d, nil
}

func ofThrift(service string, f *generic.Function) *Function {
	return &Function{
		Language: Thrift, Service: service, Name: f.Name, Method: f.Name, Declaration: f.String(), Doc: f.Doc, IsOneway: f.IsOneway,
		TakesStream: f.TakesStream, GivesStream: f.GivesStream, Example: f.Example,
		Args: func() Message { return f.Args() },
		Result: func() Message {
			if f.IsOneway {
				return nil
			}
			return f.Result()
		},
	}
}

// Function finds a function by "Service.Name", or by its name alone if there is only one service.
//
// # Errors
//
// A [generic.UnknownError], or an error that says how to name a function.
func (d *Definitions) Function(name string) (*Function, error) {
	service, function := "", name
	if dot := strings.LastIndexAny(name, "./"); dot >= 0 {
		service, function = strings.TrimPrefix(name[:dot], "/"), name[dot+1:]
	}
	if service == "" {
		if len(d.services) != 1 {
			return nil, fmt.Errorf("%q names no service; write one of %s before it, as in Service.%s", name, strings.Join(d.services, ", "), function)
		}
		service = d.services[0]
	}
	functions, err := d.service(service)
	if err != nil {
		return nil, err
	}
	var known []string
	for _, f := range functions {
		if f.Name == function {
			return f, nil
		}
		known = append(known, f.Name)
	}
	slices.Sort(known)
	return nil, &generic.UnknownError{What: "function", Of: "the service " + service, Name: function, Known: known}
}

// All returns the functions of all services.
func (d *Definitions) All() ([]*Function, error) {
	var all []*Function
	for _, name := range d.services {
		functions, err := d.service(name)
		if err != nil {
			return nil, err
		}
		all = append(all, functions...)
	}
	return all, nil
}
