package gen_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hone/go/gen"
	"hone/go/idl"
)

// generate makes Go of a file of testdata/odd, and of all files that it includes.
func generate(t *testing.T, name string, options gen.Options) []gen.Output {
	t.Helper()
	program, problems := idl.Load(filepath.Join("testdata/odd", name), os.ReadFile, nil)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	outputs, err := gen.Generate(program, options)
	if err != nil {
		t.Fatal(err)
	}
	return outputs
}

// odd returns the names of all files of testdata/odd.
func odd(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("testdata/odd")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".thrift") {
			names = append(names, entry.Name())
		}
	}
	return names
}

// module writes a Go module of generated code into a temporary directory, with a folder for each set of options.
func module(t *testing.T, sets map[string]gen.Options) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("skipped: the command go is not in PATH")
	}
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), "module odd.test\n\ngo 1.24\n\nrequire hone/go v0.0.0\n\nreplace hone/go => "+root+"\n")
	for name, options := range sets {
		options.Prefix = "odd.test/" + name
		for _, file := range odd(t) {
			for _, output := range generate(t, file, options) {
				write(t, filepath.Join(dir, name, filepath.FromSlash(output.Path)), string(output.Source))
			}
		}
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Definitions that internal/sample has no code for are read and written in a module that is made here.
func TestOddDefinitionsBecomeGoThatCompiles(t *testing.T) {
	for _, options := range []gen.Options{
		{}, {Setters: true, DeepEqual: true, DeepCopy: true, KeepUnknown: true}, {Values: true, DeepCopy: true},
		{Apache: gen.Apache014, FastCodec: true, Values: true},
	} {
		options.Prefix = "odd.test"
		checker := newChecker(t, options.Apache)
		for _, name := range odd(t) {
			checker.checkAll(t, generate(t, name, options), options.Prefix)
		}
	}
}

// The files leave an import unused, share a package, or have names that Go or generated code uses.
func TestOddDefinitionsBecomeGoThatVetAccepts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds whole modules")
	}
	dir := module(t, map[string]gen.Options{
		"plain": {},
		"all":   {Setters: true, DeepEqual: true, DeepCopy: true, KeepUnknown: true},
		"value": {Values: true, DeepCopy: true},
	})
	for name, from := range map[string]string{"odd_test.go": "../internal/sample/odd_test.go", "further_test.go": "testdata/odd/odd_test.go.txt"} {
		test, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		moved := strings.NewReplacer("package sample_test", "package odd_test", "hone/go/internal/sample/odd/", "odd.test/all/odd/")
		write(t, filepath.Join(dir, name), moved.Replace(string(test)))
	}
	for _, arguments := range [][]string{{"vet", "./..."}, {"test", "-count=1", "-timeout=30m", "."}} {
		command := exec.Command("go", arguments...)
		command.Dir, command.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
		if text, err := command.CombinedOutput(); err != nil {
			t.Errorf("go %v: %v\n%s", arguments, err, text)
		}
	}
}

func TestOutputIsTheSameEachTime(t *testing.T) {
	options := gen.Options{
		Setters: true, DeepEqual: true, DeepCopy: true, KeepUnknown: true, FastCodec: true, Apache: gen.Apache014, Prefix: "x",
	}
	for _, name := range odd(t) {
		first := generate(t, name, options)
		for range 5 {
			for i, output := range generate(t, name, options) {
				if output.Path != first[i].Path || !bytes.Equal(output.Source, first[i].Source) {
					t.Fatalf("%s differs from what it was", output.Path)
				}
			}
		}
	}
}

// The code of a file does not depend on the other files that are generated with it: tools call the compiler once for each file.
func TestAFileAloneIsAsItIsWithOthers(t *testing.T) {
	all := map[string][]byte{}
	for _, output := range generate(t, "shared_linux.thrift", gen.Options{Prefix: "x"}) {
		all[output.Path] = output.Source
	}
	for _, output := range generate(t, "shared_test.thrift", gen.Options{Prefix: "x"}) {
		if !bytes.Equal(all[output.Path], output.Source) {
			t.Errorf("%s differs", output.Path)
		}
	}
}

// Without the change of names, Go's tools would take these files for tests, or for files of one system.
func TestNamesOfFilesMeanNothingToGo(t *testing.T) {
	outputs := generate(t, "shared_linux.thrift", gen.Options{Prefix: "x"})
	if len(outputs) != 2 || outputs[0].Path != "odd/shared/shared_test_thrift.go" || outputs[1].Path != "odd/shared/shared_linux_thrift.go" {
		t.Fatal(outputs[0].Path, outputs[1].Path)
	}
}

func TestOptionsWithoutCodeForADefinition(t *testing.T) {
	program, _ := idl.Load("testdata/odd/keys.thrift", os.ReadFile, nil)
	_, err := gen.Generate(program, gen.Options{Apache: gen.Apache013})
	if err == nil || !strings.Contains(err.Error(), "keys.thrift") || !strings.Contains(err.Error(), "uuid") {
		t.Fatal(err)
	}
	var version gen.ApacheVersion
	if err := version.Set("0.99"); err == nil {
		t.Fatal("an unknown version of Apache's module")
	}
}

func TestTagsOfTheDefinitionsTakeThePlaceOfOurs(t *testing.T) {
	source := string(generate(t, "keys.thrift", gen.Options{})[0].Source)
	for _, want := range []string{
		"`thrift:\"n,14\" json:\"number,string\" db:\"n\"`",
		"`thrift:\"o,15\" yaml:\"o\" json:\"o\"`",
	} {
		if !strings.Contains(source, want) {
			t.Errorf("no %s", want)
		}
	}
}
