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

// Message is what a function takes or gives: of Thrift a thrift.Writer and thrift.Reader, of protobuf a proto.Message.
type Message interface {
	json.Marshaler
	json.Unmarshaler
}

// Function is a function of a service, of either language.
type Function struct {
	Language Language
	// Service and Name are those of the definition.
	Service, Name string
	// Method is what calls have on the wire: the name in Thrift, "/package.Service/Name" in gRPC.
	Method string
	// Declaration is the function as its definition has it, in one line, and Doc the comment before it.
	Declaration, Doc string
	// IsOneway is whether nobody waits for an answer.
	IsOneway bool
	// TakesStream and GivesStream are whether there may be any number of requests, and of responses.
	TakesStream, GivesStream bool
	// Example is JSON of what it takes.
	Example func() []byte
	// Args and Result make room for messages, of a stream for one request and one response; Result is nil for one that is oneway.
	Args, Result func() Message
}

// FullName is "Service.Name".
func (f *Function) FullName() string { return f.Service + "." + f.Name }

// Definitions are those of a file with all that it includes.
type Definitions struct {
	Language Language
	// Warnings are what is doubtful about the files, a line each.
	Warnings []string
	// services are the names of services in the order of the definition.
	services []string
	service  func(name string) ([]*Function, error)
}

// Load reads definitions: Thrift's, or protobuf's where the path ends in .proto. read is asked for paths as they follow from this one and the
// directories, in which files are looked for that others include.
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

// Function finds one by "Service.Name", or by its name alone where there is one service.
//
// # Errors
//
// A [generic.UnknownError], or one that says how to name a function.
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

// All are the functions of all services.
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
