package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	_ "google.golang.org/protobuf/types/gofeaturespb"
	_ "google.golang.org/protobuf/types/known/anypb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/emptypb"
	_ "google.golang.org/protobuf/types/known/fieldmaskpb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"
)

// set is a group of definitions that are compiled at once: .proto files below testdata, or the definitions in the code of a module.
type set struct {
	// root is the directory of .proto files, if it is not testdata.
	root     string
	module   string
	patterns []string
	// withVT is true if vtprotobuf writes code for them too.
	withVT bool
}

var sets = []set{
	{patterns: []string{"shapes/*.proto"}, withVT: true},
	{patterns: []string{"names/*.proto", "names/*/*.proto"}},
	{module: "go.opentelemetry.io/proto/otlp", withVT: true, patterns: []string{
		"common/v1/*.pb.go", "resource/v1/*.pb.go", "trace/v1/*.pb.go", "metrics/v1/*.pb.go", "logs/v1/*.pb.go",
	}},
	{module: "google.golang.org/protobuf", patterns: []string{
		"internal/testprotos/test/test.pb.go", "internal/testprotos/test/test_import.pb.go", "internal/testprotos/test/test_public.pb.go",
		"internal/testprotos/test3/*.pb.go", "internal/testprotos/enums/enums.pb.go", "internal/testprotos/testeditions/*.pb.go",
		"internal/testprotos/required/required.pb.go", "internal/testprotos/editionsfuzztest/*.pb.go",
		"internal/testprotos/textpb3/*.pb.go",
		"internal/testprotos/conformance/test_messages_*.pb.go", "internal/testprotos/conformance/editions*/test_messages_*.pb.go",
	}},
}

// fileSet holds files with their imports, in an order in which each file follows its imports.
type fileSet struct {
	all    []*descriptorpb.FileDescriptorProto
	asked  []string
	isOurs map[string]bool
}

func (f *fileSet) add(file *descriptorpb.FileDescriptorProto, find func(name string) *descriptorpb.FileDescriptorProto) error {
	for _, other := range f.all {
		if other.GetName() == file.GetName() {
			return nil
		}
	}
	for _, name := range file.Dependency {
		imported := find(name)
		if imported == nil {
			found, err := protoregistry.GlobalFiles.FindFileByPath(name)
			if err != nil {
				return fmt.Errorf("%s imports %s: %w", file.GetName(), name, err)
			}
			imported = protodesc.ToFileDescriptorProto(found)
		}
		if err := f.add(imported, find); err != nil {
			return err
		}
	}
	f.all = append(f.all, file)
	return nil
}

// load finds the files of a set.
func (s set) load() (*fileSet, error) {
	found := map[string]*descriptorpb.FileDescriptorProto{}
	var names []string
	paths, root, err := s.paths()
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		file, err := s.file(root, path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		found[file.GetName()] = file
		names = append(names, file.GetName())
	}
	files := &fileSet{asked: names, isOurs: map[string]bool{}}
	for _, name := range names {
		files.isOurs[name] = true
		if err := files.add(found[name], func(name string) *descriptorpb.FileDescriptorProto { return found[name] }); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// paths returns the files of a set below root.
func (s set) paths() (paths []string, root string, err error) {
	root = cmp.Or(s.root, "../testdata")
	if s.module != "" {
		said, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", s.module).Output()
		if err != nil {
			return nil, "", fmt.Errorf("module %s is not there: run go mod download: %w", s.module, err)
		}
		root = strings.TrimSpace(string(said))
	}
	for _, pattern := range s.patterns {
		some, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, "", err
		}
		paths = append(paths, some...)
	}
	return paths, root, nil
}

func (s set) file(root, path string) (*descriptorpb.FileDescriptorProto, error) {
	if s.module != "" {
		return ofCode(path)
	}
	name, err := filepath.Rel(root, path)
	if err != nil {
		return nil, err
	}
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{root}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	compiled, err := compiler.Compile(context.Background(), filepath.ToSlash(name))
	if err != nil {
		return nil, err
	}
	// The options have types that the compiler made: encoding and decoding turns them into the types of Go's package.
	encoded, err := proto.Marshal(protodesc.ToFileDescriptorProto(protoreflect.FileDescriptor(compiled[0])))
	if err != nil {
		return nil, err
	}
	file := &descriptorpb.FileDescriptorProto{}
	return file, proto.Unmarshal(encoded, file)
}

// ofCode reads the definition from the code that protoc-gen-go made of it: a text or a list of bytes whose name ends with rawDesc.
func ofCode(path string) (*descriptorpb.FileDescriptorProto, error) {
	code, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var encoded strings.Builder
	ast.Inspect(code, func(node ast.Node) bool {
		value, ok := node.(*ast.ValueSpec)
		if !ok || !strings.HasSuffix(value.Names[0].Name, "rawDesc") {
			return true
		}
		ast.Inspect(value, func(node ast.Node) bool {
			literal, _ := node.(*ast.BasicLit)
			switch {
			case literal == nil:
			case literal.Kind == token.INT:
				one, _ := strconv.ParseUint(literal.Value, 0, 8)
				encoded.WriteByte(byte(one))
			default:
				part, _ := strconv.Unquote(literal.Value)
				encoded.WriteString(part)
			}
			return true
		})
		return false
	})
	file := &descriptorpb.FileDescriptorProto{}
	if encoded.Len() == 0 {
		return nil, errors.New("no definition is in this code")
	}
	err = proto.Unmarshal([]byte(encoded.String()), file)
	for _, message := range file.MessageType {
		withoutMessageSets(message)
	}
	return file, err
}

// withoutMessageSets makes message sets ordinary messages with extensions: Go's library has no message sets.
func withoutMessageSets(message *descriptorpb.DescriptorProto) {
	if message.GetOptions().GetMessageSetWireFormat() {
		message.Options.MessageSetWireFormat = nil
		message.ExtensionRange[0].End = proto.Int32(int32(protowire.MaxValidNumber) + 1)
	}
	for _, inner := range message.NestedType {
		withoutMessageSets(inner)
	}
}

// packageDir returns the directory of a file's Go package: that of the file, without the common prefixes.
func packageDir(name string) string {
	dir := path.Dir(name)
	for _, common := range []string{"internal/testprotos/", "opentelemetry/proto/"} {
		dir = strings.TrimPrefix(dir, common)
	}
	if strings.HasPrefix(name, "google/protobuf/") {
		dir = strings.TrimSuffix(path.Base(name), ".proto")
	}
	return dir
}
