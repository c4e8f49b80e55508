package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// place writes files below a directory of the test, and returns the directory.
func place(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func generate(arguments ...string) (status int, said string) {
	var out, err bytes.Buffer
	status = run(streams{strings.NewReader(""), &out, &err}, append([]string{"gen"}, arguments...))
	return status, out.String() + err.String()
}

func TestImportsAreThoseOfTheModule(t *testing.T) {
	dir := place(t, map[string]string{
		"go.mod":       "// a module\nmodule \"example.com/service\" // quoted\n\ngo 1.24\n",
		"idl/a.thrift": "include \"b.thrift\"\nnamespace go one.a\nstruct A { 1: b.B b }",
		"idl/b.thrift": "namespace go two.b\nstruct B { 1: i32 b }",
	})
	out := filepath.Join(dir, "made", "code")
	if status, said := generate("-r", "-o", out, filepath.Join(dir, "idl/a.thrift")); status != 0 {
		t.Fatal(said)
	}
	source, err := os.ReadFile(filepath.Join(out, "one/a/a.go"))
	if err != nil || !strings.Contains(string(source), `"example.com/service/made/code/two/b"`) {
		t.Fatalf("%v\n%s", err, source)
	}
	if status, said := generate("-r", "-o", out, "-prefix", "example.org/x", filepath.Join(dir, "idl/a.thrift")); status != 0 {
		t.Fatal(said)
	}
	if source, _ = os.ReadFile(filepath.Join(out, "one/a/a.go")); !strings.Contains(string(source), `"example.org/x/two/b"`) {
		t.Fatalf("%s", source)
	}
}

func TestAFileThatIsAsItShouldBeIsNotWrittenAgain(t *testing.T) {
	dir := place(t, map[string]string{"a.thrift": "struct A { 1: i32 a }"})
	path, long := filepath.Join(dir, "a", "a.go"), time.Unix(1000000000, 0)
	for i := range 2 {
		if status, said := generate("-o", dir, filepath.Join(dir, "a.thrift")); status != 0 {
			t.Fatal(said)
		}
		info, err := os.Stat(path)
		if err != nil || info.ModTime().Equal(long) != (i == 1) {
			t.Fatal(info.ModTime(), err)
		}
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTwoDefinitionsForOneFileAreRefused(t *testing.T) {
	dir := place(t, map[string]string{
		"x/a.thrift": "namespace go same\nstruct A { 1: i32 a }",
		"y/a.thrift": "namespace go same\nstruct B { 1: i32 b }",
	})
	status, said := generate("-o", filepath.Join(dir, "out"), filepath.Join(dir, "x/a.thrift"), filepath.Join(dir, "y/a.thrift"))
	if status != 2 || !strings.Contains(said, "same/a.go") || !strings.Contains(said, "rename") {
		t.Fatal(status, said)
	}
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Fatal("something was written")
	}
}

func TestVersionsOfApachesModule(t *testing.T) {
	dir := place(t, map[string]string{"a.thrift": "struct A { 1: i32 a }"})
	for version, want := range map[string]string{
		"0.13": "Read(in apache.TProtocol) error", "0.14": "Read(ctx context.Context, in apache.TProtocol) error",
	} {
		if status, said := generate("-o", dir, "-apache", version, "-apache-import", "example.com/thrift", filepath.Join(dir, "a.thrift")); status != 0 {
			t.Fatal(said)
		}
		source, _ := os.ReadFile(filepath.Join(dir, "a", "a.go"))
		if !strings.Contains(string(source), want) || !strings.Contains(string(source), `apache "example.com/thrift"`) {
			t.Fatalf("%s", source)
		}
	}
	if status, said := generate("-o", dir, "-apache", "0.12", filepath.Join(dir, "a.thrift")); status != 2 || !strings.Contains(said, "0.13 or 0.14") {
		t.Fatal(status, said)
	}
}

// The files include each other without a circle, but their packages would import each other in one. Go's compiler would report this without naming
// either of the lines.
func TestPackagesThatImportEachOtherAreToldWithTheirLines(t *testing.T) {
	dir := place(t, map[string]string{
		"a.thrift":    "namespace go x\n// The order.\ninclude \"b.thrift\"\nstruct A { 1: b.B b }",
		"b.thrift":    "namespace go y\ninclude \"c.thrift\"\nstruct B { 1: list<c.C> c }",
		"c.thrift":    "namespace go x\nstruct C { 1: i32 c }",
		"more.thrift": "namespace go x\ninclude \"b.thrift\"\nstruct More { 1: b.B b }",
	})
	out := filepath.Join(dir, "out")
	in := func(name string) string { return filepath.Join(dir, name) }
	want := "Go packages would import each other in a circle, which Go refuses: x imports y for b.B (" + in("a.thrift") + ":3 includes " + in("b.thrift") +
		"), y imports x for c.C (" + in("b.thrift") + ":2 includes " + in("c.thrift") + "); give " + in("a.thrift") + " or " + in("c.thrift") + " another 'namespace go'"
	for name, arguments := range map[string][]string{
		"the root alone": {in("a.thrift")}, "all": {"-r", in("a.thrift")}, "one by one": {in("c.thrift"), in("b.thrift"), in("a.thrift")},
	} {
		status, said := generate(append([]string{"-o", out, "-prefix", "p"}, arguments...)...)
		if status != 2 || !strings.Contains(said, want) {
			t.Errorf("%s: %d %s", name, status, said)
		}
	}
	// Two programs that each have no circle may have one together.
	status, said := generate("-o", out, "-prefix", "p", in("b.thrift"), in("more.thrift"))
	if status != 2 || !strings.Contains(said, "more.thrift:2 includes") || !strings.Contains(said, "b.thrift:2 includes") {
		t.Error(status, said)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
}

// Files that include each other in a circle are reported with the line of each include.
func TestIncludesInACircleAreToldWithTheirLines(t *testing.T) {
	dir := place(t, map[string]string{
		"a.thrift": "namespace go x\n\ninclude \"b.thrift\"\nstruct A { 1: b.B b }",
		"b.thrift": "namespace go y\ninclude \"a.thrift\"\nstruct B { 1: optional a.A a }",
	})
	out, a, b := filepath.Join(dir, "out"), filepath.Join(dir, "a.thrift"), filepath.Join(dir, "b.thrift")
	status, said := generate("-r", "-o", out, "-prefix", "p", a)
	if status != 2 || !strings.Contains(said, b+":2:1: error: the includes go in a circle: "+a+":3 -> "+b+":2 -> "+a+"; move what both need into a third file") {
		t.Error(status, said)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
}

// The packages of two files differ only in case. They would be written to two directories, which are the same on some systems.
func TestFilesThatDifferOnlyInCase(t *testing.T) {
	dir := place(t, map[string]string{
		"a.thrift": "namespace go Shop\nstruct A { 1: i32 a }",
		"A.thrift": "namespace go shop\nstruct B { 1: i32 a }",
	})
	status, said := generate("-o", dir, "-prefix", "x", filepath.Join(dir, "a.thrift"), filepath.Join(dir, "A.thrift"))
	if status != 2 || !strings.Contains(said, "Shop/a.go and shop/A.go, which differ only in case") {
		t.Fatal(status, said)
	}
}

func TestNamesByAStyle(t *testing.T) {
	dir := place(t, map[string]string{"a.thrift": "struct NewThing { 1: i64 user_id, 2: i32 my_Url }"})
	for names, want := range map[string]string{
		"thriftgo":                    "NewThing struct UserID int64 MyUrl",
		"golint":                      "NewThing struct UserID int64 MyURL",
		"golint,ignore_initialisms":   "NewThing struct UserId int64 My_Url",
		"apache,compatible_names":     "NewThing_ struct UserID int64 My_Url",
		"kitex":                       "NewThing_ struct UserId int64 My_Url",
		"thriftgo,ignore_initialisms": "NewThing struct UserId int64 MyUrl",
	} {
		if status, said := generate("-o", dir, "-prefix", "x", "-names", names, filepath.Join(dir, "a.thrift")); status != 0 {
			t.Fatal(said)
		}
		source, err := os.ReadFile(filepath.Join(dir, "a/a.go"))
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Fields(string(source))
		for _, word := range strings.Fields(want) {
			if !slices.Contains(words, word) {
				t.Errorf("no %s by %s", word, names)
			}
		}
	}
	for _, names := range []string{"snake", "kitex,ids", "golint,,", ""} {
		if status, said := generate("-o", dir, "-names", names, filepath.Join(dir, "a.thrift")); status != 2 || !strings.Contains(said, "thriftgo, golint") && !strings.Contains(said, "ignore_initialisms and") {
			t.Errorf("%q: %d %s", names, status, said)
		}
	}
}
