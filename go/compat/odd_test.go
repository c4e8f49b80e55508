package compat_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Definitions that package gen's own tests compile without the methods for other libraries must compile with them too.
func TestOddDefinitionsWithTheMethodsOfOthersAreGoThatVetAccepts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds whole modules")
	}
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	module = bytes.Replace(module, []byte("module hone/go/compat"), []byte("module odd.test"), 1)
	module = bytes.Replace(module, []byte("=> ../"), []byte("=> "+root), 1)
	for name, text := range map[string][]byte{"go.mod": module, "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob("../gen/testdata/odd/*.thrift")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for name, options := range map[string][]string{
		"pointers": {"-setters", "-deep-copy", "-deep-equal"}, "values": {"-values", "-keep-unknown"},
	} {
		arguments := []string{"run", "hone/go/cmd/hone-thrift", "gen", "-r", "-o", filepath.Join(dir, name), "-fast-codec", "-apache", "0.14"}
		arguments = append(append(arguments, options...), files...)
		if text, err := exec.Command("go", arguments...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	vet := exec.Command("go", "vet", "-mod=mod", "./...")
	vet.Dir, vet.Env = dir, append(os.Environ(), "GOWORK=off")
	if text, err := vet.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}
