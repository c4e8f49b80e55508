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
	// Functions are its own in the order of the IDL, and then those of the services that it extends.
	Functions []*Function
	byName    map[string]*Function
}

// Function is a function of a service.
type Function struct {
	// Name is the name in the header of calls.
	Name string
	// Doc is the comment before it in the IDL.
	Doc string
	// IsOneway is true if the caller waits for no answer.
	IsOneway bool
	// TakesStream and GivesStream are true if there may be any number of requests, and of responses. Each message of a stream is the struct of
	// its own, without an argument's name or a result's around it.
	TakesStream, GivesStream bool

	declaration  string
	args, result *structure
	options      Options
}

// NewService describes a service of a program without errors. Its name is that in the program's root, or "file.Name" for one of a file
// that is included.
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

// ServiceNames are the names that [NewService] knows, sorted.
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

// Function gives a function by its name.
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

// String is the function as the IDL declares it, in one line.
func (f *Function) String() string { return f.declaration }

// Args makes room for what the function takes; for a stream, for one of its requests. Nothing is set: a message that is written so has no fields.
func (f *Function) Args() *Message { return &Message{function: f, of: f.args} }

// Result makes room for what the function gives; for a stream, for one of its responses; nil where nobody waits for it.
func (f *Function) Result() *Message {
	if f.IsOneway {
		return nil
	}
	return &Message{function: f, of: f.result}
}

// declarationOf is a function in one line.
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

// UnknownError is a name that a program or a service does not have.
type UnknownError struct {
	// What is "service" or "function", Of what should have it: "" for the program.
	What, Of, Name string
	// Known are the names that there are, sorted.
	Known []string
}

// Error says which names there are.
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

// mostKnown is the number of names that an error lists.
const mostKnown = 20
