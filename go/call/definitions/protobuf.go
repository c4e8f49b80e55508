package definitions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/reporter"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"hone/go/generic/pb"
)

// mostProblems is the largest number of problems that are reported.
const mostProblems = 20

func loadProtobuf(file string, read func(path string) ([]byte, error), directories []string) (*Definitions, error) {
	files, err := compile(file, read, directories)
	if err != nil {
		return nil, err
	}
	d := &Definitions{Language: Protobuf, services: pb.ServiceNames(files)}
	d.service = func(name string) ([]*Function, error) {
		s, err := pb.NewService(files, name, pb.Options{})
		if err != nil {
			return nil, err
		}
		functions := make([]*Function, len(s.Functions))
		for i, f := range s.Functions {
			functions[i] = ofProtobuf(s.Name, f)
		}
		return functions, nil
	}
	return d, nil
}

func ofProtobuf(service string, f *pb.Function) *Function {
	return &Function{
		Language: Protobuf, Service: service, Name: f.Name, Method: f.Path, Declaration: f.String(), Doc: f.Doc,
		TakesStream: f.TakesStream, GivesStream: f.GivesStream, Example: f.Example,
		Args:   func() Message { return f.Args() },
		Result: func() Message { return f.Result() },
	}
}

// compile reads a file of protobuf with all its imports. Well-known types need no files.
func compile(file string, read func(path string) ([]byte, error), directories []string) (*protoregistry.Files, error) {
	root, name := rootOf(file, directories)
	if root != "" {
		directories = append([]string{root}, directories...)
	}
	if len(directories) == 0 {
		directories = []string{"."}
	}
	problems := &problems{}
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
			ImportPaths: directories,
			Accessor: func(path string) (io.ReadCloser, error) {
				source, err := read(path)
				return io.NopCloser(bytes.NewReader(source)), err
			},
		}),
		Reporter:       reporter.NewReporter(problems.add, nil),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	compiled, err := compiler.Compile(context.Background(), name)
	if err != nil {
		return nil, problems.error(err)
	}
	return registered(compiled)
}

// rootOf returns the name by which other files import a file. root is the directory that this name is relative to, or "" if that is one of the given
// directories.
func rootOf(file string, directories []string) (root, name string) {
	file = path.Clean(strings.ReplaceAll(file, "\\", "/"))
	for _, directory := range directories {
		if rest, ok := strings.CutPrefix(file, path.Clean(directory)+"/"); ok {
			return "", rest
		}
		if path.Clean(directory) == "." && !path.IsAbs(file) && !strings.HasPrefix(file, "../") {
			return "", file
		}
	}
	if len(directories) == 0 && !path.IsAbs(file) && !strings.HasPrefix(file, "../") {
		return ".", file
	}
	return path.Dir(file), path.Base(file)
}

// problems collects the problems of files, in the order in which they were found. Files are compiled concurrently.
type problems struct {
	sync.Mutex
	lines []string
}

// add adds a problem and lets the compiler go on, so that all problems are reported at once.
func (p *problems) add(err reporter.ErrorWithPos) error {
	p.Lock()
	defer p.Unlock()
	at := err.GetPosition()
	p.lines = append(p.lines, fmt.Sprintf("%s:%d:%d: error: %v", at.Filename, at.Line, at.Col, err.Unwrap()))
	if len(p.lines) >= mostProblems {
		return err
	}
	return nil
}

// error returns one error with all problems, or the compiler's error if there are none.
func (p *problems) error(err error) error {
	text := strings.Join(p.lines, "\n")
	if text == "" {
		text = err.Error()
	}
	if strings.Contains(text, "could not resolve path") {
		text += "\nname the directory of what is imported with -I"
	}
	return errors.New(text)
}

// registered returns a registry of files with all their imports.
func registered(compiled linker.Files) (*protoregistry.Files, error) {
	files := &protoregistry.Files{}
	var register func(file protoreflect.FileDescriptor) error
	register = func(file protoreflect.FileDescriptor) error {
		if _, err := files.FindFileByPath(file.Path()); err == nil {
			return nil
		}
		for i := range file.Imports().Len() {
			if err := register(file.Imports().Get(i).FileDescriptor); err != nil {
				return err
			}
		}
		return files.RegisterFile(file)
	}
	for _, file := range compiled {
		if err := register(file); err != nil {
			return nil, err
		}
	}
	return files, nil
}
