package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// call runs the command in this process.
func call(input string, args ...string) (status int, out, errors string) {
	var o, e bytes.Buffer
	status = run(streams{strings.NewReader(input), &o, &e}, args)
	return status, o.String(), e.String()
}

func write(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

const messy = "struct A{1:i32 a}\n"
const tidy = "struct A {\n  1: i32 a,\n}\n"

func TestFormatCommand(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "a.thrift"), messy)
	if status, out, _ := call("", "fmt", path); status != 0 || out != tidy {
		t.Errorf("%d %q", status, out)
	}
	if status, out, _ := call(messy, "fmt"); status != 0 || out != tidy {
		t.Errorf("standard input: %d %q", status, out)
	}
	want := "--- " + path + ".orig\n+++ " + path + "\n@@ -1,1 +1,3 @@\n-struct A{1:i32 a}\n+struct A {\n+  1: i32 a,\n+}\n"
	if status, out, _ := call("", "fmt", "-d", path); status != 0 || out != want {
		t.Errorf("%d %q", status, out)
	}
	if status, out, _ := call("", "fmt", "-l", "-w", path); status != 0 || out != path+"\n" {
		t.Errorf("%d %q", status, out)
	}
	content, err := os.ReadFile(path)
	if err != nil || string(content) != tidy {
		t.Errorf("%q %v", content, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if status, out, _ := call("", "fmt", "-l", path); status != 0 || out != "" {
		t.Errorf("%d %q", status, out)
	}
}

func TestFormatCommandLeavesFaultyFiles(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "a.thrift"), "struct A { 1: }")
	status, out, errors := call("", "fmt", "-w", path)
	if status != 2 || out != "" || !strings.HasPrefix(errors, path+":1:15: error: expected a type, found '}'") {
		t.Errorf("%d %q %q", status, out, errors)
	}
	if content, _ := os.ReadFile(path); string(content) != "struct A { 1: }" {
		t.Errorf("%q", content)
	}
	if status, _, errors := call("", "fmt", filepath.Join(t.TempDir(), "none")); status != 2 || !strings.Contains(errors, "cannot be read") {
		t.Errorf("%d %q", status, errors)
	}
}

func TestDiffShowsContext(t *testing.T) {
	got := unifiedDiff("f", "1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\nx\n6\ny\n8\n9")
	want := "--- f.orig\n+++ f\n@@ -2,8 +2,8 @@\n 2\n 3\n 4\n-5\n+x\n 6\n-7\n+y\n 8\n 9\n\\ No newline at end of file\n"
	if got != want {
		t.Errorf("%q", got)
	}
}

func TestCheckCommand(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/lib/base.thrift", "typedef i64 ID\n")
	before := write(t, dir+"/old/a.thrift", "include \"base.thrift\"\nstruct A { 1: base.ID id, 2: i32 n }\n")
	renamed := write(t, dir+"/new/a.thrift", "include \"base.thrift\"\nstruct A { 1: base.ID id, 2: i32 m }\n")
	broken := write(t, dir+"/bad/a.thrift", "include \"base.thrift\"\nstruct A { 1: string id, 2: i32 n }\n")
	include := dir + "/lib"
	status, out, errors := call("", "check", "-I", include, before, renamed)
	if status != 1 || errors != "" || !strings.HasPrefix(out, "breaks source: struct A: the field 2 is renamed from n to m (") || !strings.HasSuffix(out, "1 change, 1 of them breaking\n") {
		t.Errorf("%d %q %q", status, out, errors)
	}
	if status, _, _ := call("", "check", "-I", include, "--allow", "source", before, renamed); status != 0 {
		t.Errorf("--allow source: %d", status)
	}
	if status, _, _ := call("", "check", "-I", include, "--allow", "source", before, broken); status != 1 {
		t.Errorf("a change of the wire is not allowed: %d", status)
	}
	if status, out, _ := call("", "check", "-I", include, before, before); status != 0 || out != "nothing changed\n" {
		t.Errorf("%d %q", status, out)
	}
	if status, _, errors := call("", "check", before, before); status != 2 || !strings.Contains(errors, "was not found") {
		t.Errorf("without -I: %d %q", status, errors)
	}
}

func TestCheckCommandWritesJSON(t *testing.T) {
	dir := t.TempDir()
	before, after := write(t, dir+"/a.thrift", "struct A { 1: i32 a }"), write(t, dir+"/b.thrift", "struct A { 1: i64 a }")
	status, out, _ := call("", "check", "-json", before, after)
	var got struct {
		Breaking int
		Changes  []struct {
			Effect, Subject, Text string
			Old, New              struct {
				Path         string
				Line, Column int
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err, out)
	}
	if status != 1 || got.Breaking != 1 || got.Changes[0].Effect != "breaks wire" || got.Changes[0].New.Path != after || got.Changes[0].New.Column != 15 {
		t.Errorf("%d %+v", status, got)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputThatIsNotWholeIsAFailure(t *testing.T) {
	var said bytes.Buffer
	if status := run(streams{strings.NewReader(messy), fullDisk{}, &said}, []string{"fmt"}); status != 2 || !strings.Contains(said.String(), "no space left") {
		t.Errorf("%d %q", status, said.String())
	}
}

func TestUsage(t *testing.T) {
	if status, _, errors := call(""); status != 2 || !strings.Contains(errors, "check") {
		t.Errorf("%d %q", status, errors)
	}
	if status, _, errors := call("", "frmt"); status != 2 || !strings.Contains(errors, `no command "frmt"`) {
		t.Errorf("%d %q", status, errors)
	}
	if status, _, _ := call("", "check", "-h"); status != 0 {
		t.Errorf("%d", status)
	}
	if status, _, errors := call("", "check", "--allow", "wire", "a", "b"); status != 2 || !strings.Contains(errors, "only \"source\"") {
		t.Errorf("%d %q", status, errors)
	}
}
