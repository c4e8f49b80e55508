package peers

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// kitex builds the program of Kitex's client, which is a command of module hone/go/compat/kitex.
func kitex(t *testing.T) (*Program, string) {
	t.Helper()
	command, missing := build(t, "compat/kitex")
	return &Program{Name: "Kitex", Wires: []Wire{"ttheader", "ttheader-framed", "framed", "buffered", "mux", "short"}, command: command}, missing
}

// build builds the command peer of a module below this one.
func build(t *testing.T, module string) (command []string, missing string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "peer")
	building := exec.Command("go", "build", "-o", program, "./peer")
	building.Dir, building.Env = below(module), append(os.Environ(), "GOWORK=off")
	if said, err := building.CombinedOutput(); err != nil {
		switch text := string(said); {
		case strings.Contains(text, "proxy"), strings.Contains(text, "dial tcp"):
			return nil, "what hone/go/" + module + " stands on cannot be had"
		case strings.Contains(text, "ours/shop"):
			t.Fatalf("make what the command is built of by: cd go/%s && go generate ./ours\n%s", module, text)
		}
		t.Fatalf("%v: %s", err, said)
	}
	return []string{program}, ""
}
