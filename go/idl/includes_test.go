package idl

import (
	"strings"
	"testing"
)

// typeOf returns the path of the file that defines the type of a struct's first field.
func typeOf(t *testing.T, program *Program, name string) string {
	t.Helper()
	return program.Root.Lookup(name).(*Struct).Fields[0].Type.Target.In().Path
}

// A prefix with a dot was once lost after an include whose prefix ends before that dot.
func TestDotsInNamesOfIncludedFiles(t *testing.T) {
	program, problems := loadText(t, map[string]string{
		"main.thrift": `include "a.thrift"
include "a.b.thrift"
include "a.b.c.idl"
struct One { 1: a.b.T x }
struct Two { 1: a.b.c.T x }
struct Three { 1: a.T x }
const i32 ENUM = a.b.VALUE
const i32 OTHER = a.b.OTHER
const a.b.Kind KIND = a.b.Kind.ODD
service S extends a.b.S {}
`,
		"a.thrift":   "struct T {}\nenum b { VALUE = 7 }",
		"a.b.thrift": "struct T {}\nconst i32 OTHER = 8\nenum Kind { ODD = 9 }\nservice S {}",
		"a.b.c.idl":  "struct T {}",
	})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for name, want := range map[string]string{"One": "a.b.thrift", "Two": "a.b.c.idl", "Three": "a.thrift"} {
		if got := typeOf(t, program, name); got != want {
			t.Errorf("%s is of %s, not %s", name, got, want)
		}
	}
	for name, want := range map[string]int64{"ENUM": 7, "KIND": 9} {
		if got := program.Root.Lookup(name).(*Const).Value.EnumValue.Number; got != want {
			t.Errorf("%s is %d, not %d", name, got, want)
		}
	}
	if got := program.Root.Lookup("OTHER").(*Const).Value.Real().Int; got != 8 {
		t.Error(got)
	}
}

// Files of several directories may have the same name, as in Apache's compiler, if they define different names.
func TestIncludesOfOneName(t *testing.T) {
	program, problems := loadText(t, map[string]string{
		"main.thrift": `include "x/common.thrift"
include "y/common.thrift"
struct One { 1: common.A x }
struct Two { 1: common.B x }
const i32 LEVEL = common.Level.LOW
`,
		"x/common.thrift": "struct A {}",
		"y/common.thrift": "struct B {}\nenum Level { LOW = 3 }",
	})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if one, two := typeOf(t, program, "One"), typeOf(t, program, "Two"); one != "x/common.thrift" || two != "y/common.thrift" {
		t.Fatal(one, two)
	}
}

// A name that two files define is refused where it is used, and only there: a guess could be the wrong type on the wire.
func TestNamesThatMayMeanTwoThings(t *testing.T) {
	_, problems := loadText(t, map[string]string{
		"main.thrift": `include "x/common.thrift"
include "y/common.thrift"
include "a.thrift"
include "a.b.thrift"
enum a { b = 1 }
struct One { 1: common.T x, 2: common.A y }
const i32 TWO = a.b.C
const i32 THREE = a.b
`,
		"x/common.thrift": "struct T {}\nstruct A {}",
		"y/common.thrift": "\nenum T { ONE }",
		"a.thrift":        "enum b { C = 1 }\nconst i32 b2 = 1",
		"a.b.thrift":      "const i32 C = 2",
	})
	want := `main.thrift:6:17: error: 'common.T' may be the struct in x/common.thrift, line 1, or the enum in y/common.thrift, line 2; rename one of the files or definitions
main.thrift:7:17: error: 'a.b.C' may be the enum in a.thrift, line 1, or the const in a.b.thrift, line 1; rename one of the files or definitions`
	if got := strings.TrimSpace(problems.String()); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestChangesOfIncludesOfOneName(t *testing.T) {
	version := func(field string) *Program {
		program, problems := loadText(t, map[string]string{
			"main.thrift":     "include \"x/common.thrift\"\ninclude \"y/common.thrift\"\nstruct M { 1: common.A a, 2: common.B b }",
			"x/common.thrift": "struct A { 1: i32 a }",
			"y/common.thrift": "struct B { " + field + " }",
		})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return program
	}
	changes := Compare(version("1: i32 b"), version("1: i64 b"))
	if len(changes) != 1 || changes[0].Effect != BreaksWire {
		t.Fatal(changes)
	}
}
