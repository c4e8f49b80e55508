package idl

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// differsFromApache lists faulty sources for which the verdicts differ, with the reason. Where this package is stricter, the
// sources lose or change data at run time. It only warns of faults that many existing files have, and of harmless ones.
var differsFromApache = map[string]string{
	"id too big":                      "stricter: the wire has 16 bits for an id",
	"i8 range":                        "stricter: the value would be cut off",
	"i32 range of a default":          "stricter: the value would be cut off",
	"bool":                            "stricter: 2 is no bool",
	"enum of another kind":            "stricter: generated Go would not compile",
	"function of a base again":        "laxer: thriftgo takes it, and it is the same function",
	"escapes by number":               "laxer: thriftgo takes them",
	"annotations on a named type":     "laxer: thriftgo takes them",
	"annotations of a constant":       "laxer: thriftgo takes them",
	"senum":                           "laxer: old compilers take it",
	"slist":                           "laxer: old compilers take it",
	"enum number that is none":        "laxer: thriftgo takes it, for one often that no value has, such as 0",
	"streams":                         "stricter: Apache has no streams, and the annotation means nothing to it",
	"oneway with a result":            "stricter: nobody receives the result",
	"reserved word":                   "laxer: thriftgo's users have such names, and Go none of these words",
	"keyword as the name of a member": "laxer: as above",
	"constant before its definition":  "laxer: order does not matter to the generator, a warning tells of it",
}

// apacheAccepts runs the compiler on a file, and reports whether the compiler accepts it. It must be called only for files for
// which the compiler is known to end.
func apacheAccepts(t *testing.T, compiler, path string) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	err := exec.CommandContext(ctx, compiler, "--gen", "json", "-o", t.TempDir(), path).Run()
	if ctx.Err() != nil {
		source, _ := os.ReadFile(path)
		t.Fatalf("thrift does not end on:\n%s", source)
	}
	return err == nil
}

func apacheCompiler(t *testing.T) string {
	t.Helper()
	compiler, err := exec.LookPath("thrift")
	if err != nil {
		t.Skip("skipped: no thrift compiler (Debian's package thrift-compiler)")
	}
	if version, err := exec.Command(compiler, "-version").Output(); err != nil || !strings.Contains(string(version), " 0.17.") {
		t.Skipf("skipped: the verdicts are those of thrift 0.17, not of %q", version)
	}
	return compiler
}

func TestApacheAcceptsOurFixtures(t *testing.T) {
	compiler := apacheCompiler(t)
	for _, name := range []string{"base.thrift", "shop.thrift", "gowords.thrift", "recursive.thrift", "order.thrift", "talk.thrift"} {
		if !apacheAccepts(t, compiler, "testdata/"+name) {
			t.Errorf("thrift refuses %s", name)
		}
	}
}

func TestApacheAgreesOnFaultySources(t *testing.T) {
	compiler := apacheCompiler(t)
	dir := t.TempDir()
	for _, c := range faulty {
		if c.apache == "hangs" {
			continue
		}
		path := filepath.Join(dir, "main.thrift")
		if err := os.WriteFile(path, []byte(c.source), 0o644); err != nil {
			t.Fatal(err)
		}
		theirs := apacheAccepts(t, compiler, path)
		if theirs != (c.apache == "accepts") {
			t.Errorf("%s: thrift accepts it: %v, the table says %s", c.name, theirs, c.apache)
		}
		_, problems := Load(path, os.ReadFile, nil)
		_, documented := differsFromApache[c.name]
		if ours := !problems.HasErrors(); ours == theirs && documented || ours != theirs && !documented {
			t.Errorf("%s: ours accepts it: %v, thrift: %v, documented as different: %v", c.name, ours, theirs, documented)
		}
	}
}

// Sources that Format writes must mean the same to Apache's compiler.
func TestApacheAcceptsFormatted(t *testing.T) {
	compiler := apacheCompiler(t)
	dir := t.TempDir()
	for _, c := range changes {
		source, problems := Format([]byte(c.old + "\n" + "// end"))
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		path := filepath.Join(dir, "main.thrift")
		if err := os.WriteFile(path, source, 0o644); err != nil {
			t.Fatal(err)
		}
		if !apacheAccepts(t, compiler, path) {
			t.Errorf("thrift refuses\n%s", source)
		}
	}
}
