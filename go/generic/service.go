package generic

import (
	"fmt"
	"slices"
	"strings"

	"hone/go/idl"
)

// Service is a service of a program. Several goroutines may use it.
type Service struct {
	// Name is the service's name in the IDL.
	Name string
	// Functions are the service's own functions in the order of the IDL, then the functions of the services that it extends.
	Functions []*Function
	byName    map[string]*Function
}

// Function is a function of a service.
type Function struct {
	// Name is the function's name in the header of calls.
	Name string
	// Doc is the comment before the function in the IDL.
	Doc string
	// IsOneway is true if callers do not wait for an answer.
	IsOneway bool
	// TakesStream is true if there may be any number of requests, and GivesStream if there may be any number of responses. Each message of a stream
	// is the struct itself, without an argument's name or a result's name around it.
	TakesStream, GivesStream bool

	declaration  string
	args, result *structure
	options      Options
}

// NewService describes a service of a program that has no errors. The name of a service in the program's root file is its name in the IDL. The name
// of a service in an included file is "file.Name".
//
// # Errors
//
// An [UnknownError].
func NewService(program *idl.Program, name string, options Options) (*Service, error) {
	definitions := servicesOf(program)
	definition := definitions[name]
	if definition == nil {
		return nil, &UnknownError{What: "service", Name: name, Known: sorted(definitions)}
	}
	s := &Service{Name: definition.Name, byName: map[string]*Function{}}
	describing := newDescriptions(program)
	for ; definition != nil; definition = definition.Base {
		for _, f := range definition.Functions {
			if s.byName[f.Name] == nil {
				function := describing.function(f, options)
				s.Functions, s.byName[f.Name] = append(s.Functions, function), function
			}
		}
	}
	describing.defaults()
	return s, nil
}

// ServiceNames returns the names that [NewService] knows, sorted.
func ServiceNames(program *idl.Program) []string { return sorted(servicesOf(program)) }

func servicesOf(program *idl.Program) map[string]*idl.Service {
	found := map[string]*idl.Service{}
	for _, file := range program.Files {
		for _, definition := range file.Definitions {
			service, ok := definition.(*idl.Service)
			switch {
			case !ok:
			case file == program.Root:
				found[service.Name] = service
			default:
				found[idl.BaseName(file.Path)+"."+service.Name] = service
			}
		}
	}
	return found
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Function returns a function by its name.
//
// # Errors
//
// An [UnknownError].
func (s *Service) Function(name string) (*Function, error) {
	if f := s.byName[name]; f != nil {
		return f, nil
	}
	return nil, &UnknownError{What: "function", Of: "the service " + s.Name, Name: name, Known: sorted(s.byName)}
}

// String returns the function as the IDL declares it, in one line.
func (f *Function) String() string { return f.declaration }

// Args returns an empty message for the function's arguments; if the function takes a stream, for one of its requests. A message that is written
// without being set has no fields.
func (f *Function) Args() *Message { return &Message{function: f, of: f.args} }

// Result returns an empty message for the function's result; if the function returns a stream, for one of its responses; nil if callers wait for no
// answer.
func (f *Function) Result() *Message {
	if f.IsOneway {
		return nil
	}
	return &Message{function: f, of: f.result}
}

// declarationOf returns the declaration of a function in one line.
func declarationOf(f *idl.Function) string {
	var text strings.Builder
	if f.Oneway {
		text.WriteString("oneway ")
	}
	fmt.Fprintf(&text, "%v %s(%s)", f.Result, f.Name, fieldList(f.Arguments))
	if len(f.Throws) > 0 {
		fmt.Fprintf(&text, " throws (%s)", fieldList(f.Throws))
	}
	if mode := f.Streaming(); mode != idl.NotStreaming {
		fmt.Fprintf(&text, " (%s)", mode)
	}
	return text.String()
}

func fieldList(fields []*idl.Field) string {
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = fmt.Sprintf("%d: %v %s", f.ID, f.Type, f.Name)
	}
	return strings.Join(texts, ", ")
}

// UnknownError says that a program or a service does not have a name.
type UnknownError struct {
	// What is "service" or "function". Of is the service that should have it; "" for the program.
	What, Of, Name string
	// Known has the names that exist, sorted.
	Known []string
}

// Error says which names exist.
func (e *UnknownError) Error() string {
	of := e.Of
	if of == "" {
		of = "the IDL"
	}
	return fmt.Sprintf("%s has no %s '%s'; %s", of, e.What, e.Name, e.mend())
}

func (e *UnknownError) mend() string {
	if meant := idl.DidYouMean(e.Name, e.Known); meant != "" {
		return meant
	}
	if len(e.Known) == 0 {
		return "define one"
	}
	return "there is " + strings.Join(e.Known[:min(len(e.Known), mostKnown)], ", ")
}

// mostKnown is the number of names that an error shows.
const mostKnown = 20
