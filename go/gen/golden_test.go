package gen_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"hone/go/gen"
	"hone/go/idl"
)

// The packages of internal/sample are what is generated today: go generate ./internal/sample makes them again.
func TestSamplesAreAsTheyAreGenerated(t *testing.T) {
	options := gen.Options{
		Prefix: "hone/go/internal/sample", Setters: true, DeepEqual: true, DeepCopy: true, KeepUnknown: true,
	}
	for _, name := range []string{"shop", "recursive", "gowords", "talk"} {
		program, problems := idl.Load(filepath.Join("../idl/testdata", name+".thrift"), os.ReadFile, nil)
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		outputs, err := gen.Generate(program, options)
		if err != nil {
			t.Fatal(err)
		}
		for _, output := range outputs {
			path := filepath.Join("../internal/sample", filepath.FromSlash(output.Path))
			before, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(before, output.Source) {
				t.Errorf("%s is not as it is generated (%v): go generate ./internal/sample", path, err)
			}
		}
	}
}
