package gen_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hone/go/gen"
	"hone/go/idl"
)

// The packages of internal/sample are equal to the code that is generated today: go generate ./internal/sample makes them again.
func TestSamplesAreAsTheyAreGenerated(t *testing.T) {
	options := gen.Options{
		Prefix: "hone/go/internal/sample", Setters: true, DeepEqual: true, DeepCopy: true, KeepUnknown: true,
	}
	for _, name := range []string{"shop", "recursive", "gowords", "talk", "odd/forms", "odd/keys", "odd/many", "odd/named"} {
		directory := "../idl/testdata"
		if strings.HasPrefix(name, "odd/") {
			directory = "testdata"
		}
		isAsGenerated(t, filepath.Join(directory, name+".thrift"), "../internal/sample", options)
	}
}

// The packages of internal/sweep/few are made by go generate ./internal/sweep/few.
func TestTheFewSweptDefinitionsAreAsTheyAreGenerated(t *testing.T) {
	isAsGenerated(t, "../internal/sweep/few/swept.thrift", "../internal/sweep/few", gen.Options{
		Prefix: "hone/go/internal/sweep/few", Values: true, Setters: true, DeepEqual: true, DeepCopy: true, KeepUnknown: true,
	})
}

// isAsGenerated checks that the files in a directory equal the code that is made of a file and of those that it includes.
func isAsGenerated(t *testing.T, from, directory string, options gen.Options) {
	t.Helper()
	program, problems := idl.Load(from, os.ReadFile, nil)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	outputs, err := gen.Generate(program, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, output := range outputs {
		path := filepath.Join(directory, filepath.FromSlash(output.Path))
		before, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(before, output.Source) {
			t.Errorf("%s is not as it is generated (%v): go generate ./%s", path, err, strings.TrimPrefix(directory, "../"))
		}
	}
}
