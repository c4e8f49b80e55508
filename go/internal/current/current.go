// Package current checks for tests that generated code which is not committed exists and equals the output of today's generator.
package current

import (
	"os/exec"
	"path"
	"strings"
	"testing"
)

// Test runs the "go generate" command of the package under test with another output directory, and compares that directory with the package's own.
// The command has "-o ." and takes "-prefix".
func Test(t *testing.T, importPath string) {
	t.Helper()
	out := t.TempDir()
	command := run(t, "go", "generate", "-n", ".")
	arguments := strings.Fields(strings.Replace(command, " -o . ", " -o "+out+" -prefix "+importPath+" ", 1))
	run(t, arguments[0], arguments[1:]...)
	compare := exec.Command("diff", "--recursive", "--brief", "--exclude=doc.go", "--exclude=*_test.go", out, ".")
	if differences, err := compare.CombinedOutput(); err != nil {
		ours := strings.TrimPrefix(importPath, "hone/")
		t.Fatalf("the code below %s is missing or old; make it by: cd %s && go generate ./%s\n%s", ours, path.Dir(ours), path.Base(ours), differences)
	}
}

func run(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	text, err := exec.Command(name, arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v: %s", name, arguments, err, text)
	}
	return string(text)
}
