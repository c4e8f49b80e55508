package sweep

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hone/go/gen"
	"hone/go/idl"
)

// Module is a module of generated code, one directory for each set of options, with a test that checks all of it.
type Module struct {
	// GoMod and GoSum are the requirements of the generated module, equal to those of the module under test. The module's name begins with that of
	// package hone/go, so that it may use internal packages.
	GoMod, GoSum string
	Options      map[string]gen.Options
	// NoUUID leaves UUIDs out.
	NoUUID bool
	// More is the source of a function More(t *testing.T, filled sweep.Message, maker func() sweep.Message), with its imports before it. It makes
	// checks that need other modules. It may be "".
	More string
}

// ModuleName is the name of the module in go.mod.
const ModuleName = "hone/go/sweptmodule"

// Test generates the module, vets it and runs its test.
func (m Module) Test(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("skipped: the command go is not in PATH")
	}
	dir := t.TempDir()
	sources, structs := Definitions(!m.NoUUID)
	put(t, dir, "go.mod", m.GoMod)
	put(t, dir, "go.sum", m.GoSum)
	var names []string
	for name, options := range m.Options {
		names = append(names, name)
		options.Prefix = ModuleName + "/" + name
		for path, source := range generated(t, sources, options) {
			put(t, dir, name+"/"+path, source)
		}
	}
	slices.Sort(names)
	put(t, dir, "swept_test.go", testSource(names, structs, m.More))
	// Vet checks one directory only, since it takes as long as compiling.
	for _, arguments := range [][]string{{"vet", "./" + names[0] + "/..."}, {"test", "-count=1", "-timeout=30m", "."}} {
		command := exec.Command("go", arguments...)
		command.Dir, command.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
		if text, err := command.CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%.4000s", arguments, err, text)
		}
	}
}

func generated(t *testing.T, sources map[string]string, options gen.Options) map[string]string {
	t.Helper()
	program, problems := idl.Load("swept.thrift", func(path string) ([]byte, error) {
		if source, ok := sources[path]; ok {
			return []byte(source), nil
		}
		return nil, fs.ErrNotExist
	}, nil)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	outputs, err := gen.Generate(program, options)
	if err != nil {
		t.Fatal(err)
	}
	result := map[string]string{}
	for _, output := range outputs {
		result[output.Path] = string(output.Source)
	}
	return result
}

// testSource returns a test that calls [Check] for each struct of each package.
func testSource(packages, structs []string, more string) string {
	var text strings.Builder
	text.WriteString("package swept_test\n\nimport (\n\t\"testing\"\n\n\t\"hone/go/internal/sweep\"\n")
	for _, name := range packages {
		fmt.Fprintf(&text, "\t%s %q\n", name, ModuleName+"/"+name+"/swept")
	}
	// The imports of more stand in its first lines.
	imports, rest, _ := strings.Cut(more, "\n\n")
	fmt.Fprintf(&text, "%s\n)\n\n%s\n", imports, rest)
	function := "nil"
	if more != "" {
		function = "More"
	}
	for _, name := range packages {
		fmt.Fprintf(&text, "func Test_%s(t *testing.T) {\n\tsweep.Check(t, %s", name, function)
		for _, of := range structs {
			fmt.Fprintf(&text, ",\n\t\tfunc() sweep.Message { return %s.New%s() }", name, of)
		}
		text.WriteString(")\n}\n\n")
	}
	return text.String()
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
