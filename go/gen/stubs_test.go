package gen_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
	"sync"
	"testing"

	"hone/go/gen"
)

// apacheStub has the parts of Apache's package that generated code names, so that types can be checked without the package. CTX is
// the place of the context of newer modules.
const apacheStub = `package thrift

type (
	TType          byte
	TMessageType   int32
	TExceptionType byte
	Tuuid          [16]byte
)

const TExceptionTypeCompiled TExceptionType = 1

const (
	INVALID_DATA = 1
	DEPTH_LIMIT  = 6
)

const (
	STOP, BOOL, BYTE, I16, I32, I64, DOUBLE TType = 0, 2, 3, 6, 8, 10, 4
	STRING, STRUCT, LIST, SET, MAP, UUID    TType = 11, 12, 15, 14, 13, 16
)

func PrependError(string, error) error               { return nil }
func NewTProtocolExceptionWithType(int, error) error { return nil }

type TProtocol interface {
	ReadStructBegin(CTX) (string, error)
	ReadStructEnd(CTX) error
	ReadFieldBegin(CTX) (string, TType, int16, error)
	ReadFieldEnd(CTX) error
	ReadMapBegin(CTX) (TType, TType, int, error)
	ReadMapEnd(CTX) error
	ReadListBegin(CTX) (TType, int, error)
	ReadListEnd(CTX) error
	ReadSetBegin(CTX) (TType, int, error)
	ReadSetEnd(CTX) error
	ReadBool(CTX) (bool, error)
	ReadByte(CTX) (int8, error)
	ReadI16(CTX) (int16, error)
	ReadI32(CTX) (int32, error)
	ReadI64(CTX) (int64, error)
	ReadDouble(CTX) (float64, error)
	ReadString(CTX) (string, error)
	ReadBinary(CTX) ([]byte, error)
	ReadUUID(CTX) (Tuuid, error)
	Skip(CTX, TType) error
	WriteStructBegin(CTX, string) error
	WriteStructEnd(CTX) error
	WriteFieldBegin(CTX, string, TType, int16) error
	WriteFieldEnd(CTX) error
	WriteFieldStop(CTX) error
	WriteMapBegin(CTX, TType, TType, int) error
	WriteMapEnd(CTX) error
	WriteListBegin(CTX, TType, int) error
	WriteListEnd(CTX) error
	WriteSetBegin(CTX, TType, int) error
	WriteSetEnd(CTX) error
	WriteBool(CTX, bool) error
	WriteByte(CTX, int8) error
	WriteI16(CTX, int16) error
	WriteI32(CTX, int32) error
	WriteI64(CTX, int64) error
	WriteDouble(CTX, float64) error
	WriteString(CTX, string) error
	WriteBinary(CTX, []byte) error
	WriteUUID(CTX, Tuuid) error
}
`

// checker checks types of generated code as the compiler does.
type checker struct {
	set      *token.FileSet
	packages map[string]*types.Package
	compiled types.Importer
}

// exports are the files with the exported declarations of compiled packages.
var exports = sync.OnceValues(func() (map[string]string, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", gen.DefaultRuntime, "fmt", "context", "errors")
	text, err := list.Output()
	files := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[name] = file
	}
	return files, err
})

// newChecker makes a checker that knows Apache's module of this version, and Kitex's module.
func newChecker(t *testing.T, version gen.ApacheVersion) *checker {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("skipped: the command go is not in PATH")
	}
	files, err := exports()
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{set: token.NewFileSet(), packages: map[string]*types.Package{}}
	c.compiled = importer.ForCompiler(c.set, "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, errors.New("no such package")
		}
		return os.Open(files[path])
	})
	stub := strings.NewReplacer("CTX, ", "", "CTX", "").Replace(apacheStub)
	if version == gen.Apache014 {
		stub = strings.ReplaceAll(strings.Replace(apacheStub, "\n\n", "\n\nimport \"context\"\n\n", 1), "CTX", "context.Context")
	}
	for importPath, source := range map[string]string{
		gen.DefaultApache: stub,
		"github.com/cloudwego/gopkg/protocol/thrift": "package thrift\ntype NocopyWriter interface{ WriteDirect(b []byte, remain int) error }\n",
	} {
		if err := c.check(importPath, map[string][]byte{"stub.go": []byte(source)}); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (c *checker) Import(importPath string) (*types.Package, error) {
	if p := c.packages[importPath]; p != nil {
		return p, nil
	}
	return c.compiled.Import(importPath)
}

func (c *checker) check(importPath string, sources map[string][]byte) error {
	var files []*ast.File
	for name, source := range sources {
		file, err := parser.ParseFile(c.set, name, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	var said bytes.Buffer
	config := types.Config{Importer: c, GoVersion: "go1.24", Error: func(err error) { fmt.Fprintln(&said, err) }}
	p, err := config.Check(importPath, c.set, files, nil)
	c.packages[importPath] = p
	if err != nil {
		return errors.New(said.String())
	}
	return nil
}

// checkAll checks all packages of a program. A file comes after the files that it includes.
func (c *checker) checkAll(t *testing.T, outputs []gen.Output, prefix string) {
	t.Helper()
	var dirs []string
	byDir := map[string]map[string][]byte{}
	for _, output := range outputs {
		dir := path.Dir(output.Path)
		if byDir[dir] == nil {
			byDir[dir] = map[string][]byte{}
			dirs = append(dirs, dir)
		}
		byDir[dir][output.Path] = output.Source
	}
	for _, dir := range dirs {
		if err := c.check(path.Join(prefix, dir), byDir[dir]); err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
	}
}
