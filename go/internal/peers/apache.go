package peers

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// apacheGo builds the program of Apache's library for Go, which is a command of module hone/go/compat.
func apacheGo(t *testing.T) (*Program, string) {
	t.Helper()
	command, missing := build(t, "compat")
	return &Program{Name: "Apache for Go", Wires: apacheWires(), command: command}, missing
}

// python makes the program of Apache's library for Python.
func python(t *testing.T) (*Program, string) {
	t.Helper()
	generated, missing := generate(t, "py")
	if missing != "" {
		return nil, missing
	}
	for _, interpreter := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(interpreter, "-c", "import thrift").Run() == nil {
			return &Program{
				Name:      "Apache for Python",
				Wires:     apacheWires(),
				command:   []string{interpreter, filepath.Join(here(), "testdata/peer.py")},
				variables: []string{"PYTHONPATH=" + generated, "PYTHONDONTWRITEBYTECODE=1"},
			}, ""
		}
	}
	return nil, "Python has no module thrift: apt-get install python3-thrift"
}

// cpp builds the program of Apache's library for C++.
func cpp(t *testing.T) (*Program, string) {
	t.Helper()
	generated, missing := generate(t, "cpp:no_skeleton")
	if missing != "" {
		return nil, missing
	}
	if _, err := exec.LookPath("g++"); err != nil {
		return nil, "there is no g++"
	}
	probe := exec.Command("g++", "-fsyntax-only", "-include", "thrift/protocol/TProtocol.h", "-x", "c++", "-")
	if probe.Run() != nil {
		return nil, "the library for C++ is not there: apt-get install libthrift-dev libboost-dev"
	}
	sources, err := filepath.Glob(filepath.Join(generated, "*.cpp"))
	if err != nil || len(sources) == 0 {
		t.Fatal(sources, err)
	}
	program := filepath.Join(generated, "peer")
	arguments := append([]string{"-O0", "-w", "-I", generated, "-o", program, filepath.Join(here(), "testdata/peer.cpp")}, sources...)
	if said, err := exec.Command("g++", append(arguments, "-lthrift", "-pthread")...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return &Program{Name: "Apache for C++", Wires: apacheWires(), command: []string{program}}, ""
}

// without removes words of the definitions that would need our own C++ code, and a field whose C++ code by compiler 0.17 does not compile.
var without = strings.NewReplacer(`cpp_type "Set" `, "", ` cpp_type "Vector"`, "", `(cpp.template = "std::vector") `, "", "20: optional Item &parent,", "")

// generate generates code from the definitions with Apache's compiler, and returns its folder.
func generate(t *testing.T, language string) (folder, missing string) {
	t.Helper()
	if _, err := exec.LookPath("thrift"); err != nil {
		return "", "Apache's compiler is not there: apt-get install thrift-compiler"
	}
	folder = t.TempDir()
	for _, name := range []string{"base.thrift", "shop.thrift"} {
		text, err := os.ReadFile(below("idl/testdata/" + name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(without.Replace(string(text))), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	compile := exec.Command("thrift", "-r", "--gen", language, "-out", folder, filepath.Join(folder, "shop.thrift"))
	if said, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return folder, ""
}
