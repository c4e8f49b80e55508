package idl

import (
	"strings"
	"testing"
)

// changes are pairs of versions with the changes that Compare must return, without positions.
var changes = []struct {
	name, old, new string
	want           []string
}{
	{"nothing", "struct A { 1: i32 a }", "struct A { 1: i32 a }", nil},
	{"type of an id", "struct A { 1: i32 a }", "struct A { 1: i64 a }", []string{"breaks wire: struct A: the type of the field 1 a was i32, is i64"}},
	{"list and set", "struct A { 1: list<i32> a }", "struct A { 1: set<i32> a }", []string{"breaks wire: struct A: the type of the field 1 a was list<i32>, is set<i32>"}},
	{"string and binary", "struct A { 1: string a }", "struct A { 1: binary a }", []string{"breaks source: struct A: the type of the field 1 a was string, is binary; the bytes stay the same"}},
	{"enum and i32", "enum E {X}\nstruct A { 1: E a }", "enum E {X}\nstruct A { 1: i32 a }", []string{"breaks source: struct A: the type of the field 1 a was E, is i32; the bytes stay the same"}},
	{"typedef looked through", "struct A { 1: list<i64> a }", "typedef i64 ID\nstruct A { 1: list<ID> a }", []string{"safe: typedef ID: added"}},
	{"typedef changed", "typedef i64 ID\nstruct A { 1: ID a }", "typedef i32 ID\nstruct A { 1: ID a }", []string{
		"breaks source: typedef ID: the type was i64, is i32", "breaks wire: struct A: the type of the field 1 a was ID (i64), is ID (i32)"}},
	{"required added", "struct A {}", "struct A { 1: required i32 a }", []string{"breaks wire: struct A: the required field 1 a is added, which old programs do not send"}},
	{"optional added", "struct A {}", "struct A { 1: optional i32 a }", []string{"safe: struct A: the field 1 a is added"}},
	{"required removed", "struct A { 1: required i32 a }", "struct A {}", []string{"breaks wire: struct A: the required field 1 a is removed"}},
	{"optional removed", "struct A { 1: optional i32 a }", "struct A {}", []string{"breaks source: struct A: the field 1 a is removed; never use its id again"}},
	{"made required", "struct A { 1: optional i32 a }", "struct A { 1: required i32 a }", []string{"breaks wire: struct A: the field 1 a was optional, is required"}},
	{"made optional", "struct A { 1: i32 a }", "struct A { 1: optional i32 a }", []string{"breaks source: struct A: the field 1 a was default, is optional"}},
	{"renamed", "struct A { 1: i32 a }", "struct A { 1: i32 b }", []string{"breaks source: struct A: the field 1 is renamed from a to b"}},
	{"id reused", "struct A { 1: i32 a }", "struct A { 1: string b }", []string{"breaks wire: struct A: the id 1 was the field a (i32) and is used for b (string) now"}},
	{"id moved", "struct A { 1: i32 a }", "struct A { 2: i32 a }", []string{"breaks wire: struct A: the id of the field a was 1, is 2"}},
	{"default", "struct A { 1: i32 a = 1 }", "struct A { 1: i32 a = 2 }", []string{"warning: struct A: the default of the field 1 a was 1, is 2"}},
	{"default through a constant", "struct A { 1: i32 a = 1 }", "const i32 C = 1\nstruct A { 1: i32 a = C }", []string{"safe: const C: added"}},
	{"constant", "const map<string, i32> C = {\"a\": 1}", "const map<string, i32> C = {\"a\": 2}", []string{`warning: const C: the value was {"a": 1}, is {"a": 2}`}},
	{"enum", "enum E { A, B, C, D }", "enum E { A, B = 7, X = 2, F = 9 }", []string{
		"breaks wire: enum E: the number of B was 1, is 7", "breaks source: enum E: the value C = 2 is renamed to X",
		"breaks wire: enum E: the value D = 3 is removed", "safe: enum E: the value F = 9 is added"}},
	{"union", "union U { 1: i32 a, 2: i32 b }", "union U { 1: i32 a }", []string{"breaks wire: union U: the field 2 b of the union is removed"}},
	{"struct to union", "struct U { 1: i32 a }", "union U { 1: i32 a }", []string{"breaks wire: struct U: was a struct, is a union"}},
	{"struct removed", "struct A {}", "", []string{"breaks source: struct A: removed"}},
	{"service removed", "service A {}", "", []string{"breaks wire: service A: removed"}},
	{"function removed", "service A { void f() }", "service A { void g() }", []string{
		"breaks wire: service A, function f: removed or renamed", "safe: service A, function g: added"}},
	{"function", "exception X {}\nservice A { void f(1: i32 a) }", "exception X {}\nservice A { i32 f(1: i64 a, 2: i32 b) throws (1: X x) }", []string{
		"breaks wire: service A, function f: the result was void, is i32", "breaks wire: service A, function f: the type of the argument 1 a was i32, is i64",
		"breaks source: service A, function f: the argument 2 b is added", "breaks wire: service A, function f: the exception 1 x is added, which old clients do not know"}},
	{"oneway", "service A { void f() }", "service A { oneway void f() }", []string{"breaks wire: service A, function f: was not oneway, is oneway"}},
	{"stream", "struct X {}\nservice A { X f(1: X x) }", "struct X {}\nservice A { X f(1: X x) (streaming.mode = \"server\") }", []string{
		"breaks wire: service A, function f: was no stream, is a stream of responses"}},
	{"extends", "service B {}\nservice A extends B {}", "service B {}\nservice A {}", []string{"breaks source: service A: extended B, extends nothing"}},
	{"base lost", "service B { void f() }\nservice A extends B {}", "service B { void f() }\nservice A {}", []string{
		"breaks source: service A: extended B, extends nothing", "breaks wire: service A, function f: no longer inherited from B"}},
	{"function changed in another base", "service B { void f() }\nservice A extends B {}", "service B { void f() }\nservice C { i32 f() }\nservice A extends C {}", []string{
		"breaks source: service A: extended B, extends C", "breaks wire: service A, function f: the result was void, is i32", "safe: service C: added"}},
	{"function moved to the base", "service B {}\nservice A extends B { void f() }", "service B { void f() }\nservice A extends B {}", []string{
		"safe: service B, function f: added", "safe: service A, function f: comes from the service B now"}},
	{"function moved from the base", "service B { void f() }\nservice A extends B {}", "service B {}\nservice A extends B { void f() }", []string{
		"breaks wire: service B, function f: removed or renamed"}},
	{"struct renamed", "struct A { 1: i32 a }\nstruct S { 1: list<A> a }", "struct B { 1: i32 a }\nstruct S { 1: list<B> a }", []string{
		"breaks source: struct A: removed", "breaks source: struct S: the type of the field 1 a was list<A>, is list<B>; the bytes stay the same", "safe: struct B: added"}},
	{"struct renamed and changed", "struct A { 1: i32 a }\nstruct S { 1: A a }", "struct B { 1: i64 a }\nstruct S { 1: B a }", []string{
		"breaks source: struct A: removed", "breaks wire: struct S: the type of the field 1 a was A, is B", "safe: struct B: added"}},
	{"struct to exception", "struct A {}", "exception A {}", []string{"breaks source: struct A: was a struct, is an exception"}},
	{"namespace", "namespace go a\nstruct A {}", "namespace go b\nstruct A {}", []string{"breaks source: namespace go: was a, is b"}},
	{"struct within itself", "struct A { 1: A a, 2: map<A, list<A>> b }", "struct A { 1: A a, 2: map<A, list<A>> b }", nil},
}

func TestCompare(t *testing.T) {
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			before, p := loadText(t, map[string]string{"main.thrift": c.old})
			after, q := loadText(t, map[string]string{"main.thrift": c.new})
			if p.HasErrors() || q.HasErrors() {
				t.Fatal(p, q)
			}
			var got []string
			for _, change := range Compare(before, after) {
				text := change.String()
				got = append(got, text[:strings.LastIndex(text, " (")])
				if change.Old.Line == 0 && change.New.Line == 0 {
					t.Errorf("no position: %s", text)
				}
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestComparePositions(t *testing.T) {
	before, _ := loadText(t, map[string]string{"main.thrift": "include \"lib.thrift\"", "lib.thrift": "struct A {\n  1: i32 a,\n}"})
	after, _ := loadText(t, map[string]string{"main.thrift": "include \"lib.thrift\"", "lib.thrift": "\nstruct A {\n  1: string a,\n}"})
	got := Compare(before, after)
	want := "breaks wire: struct A: the type of the field 1 a was i32, is string (lib.thrift:2:6 -> lib.thrift:3:6)"
	if len(got) != 1 || got[0].String() != want {
		t.Errorf("%v", got)
	}
}

// A struct that moves to another file stays the same if its fields do.
func TestCompareMovedStruct(t *testing.T) {
	load := func(lib string) *Program {
		program, problems := loadText(t, map[string]string{
			"main.thrift": "include \"" + lib + ".thrift\"\nstruct M { 1: " + lib + ".A a }",
			"one.thrift":  "struct A { 1: i32 a, 2: A b }", "two.thrift": "struct A { 1: i32 z, 2: A b }", "bad.thrift": "struct A { 1: i64 a, 2: A b }"})
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		return program
	}
	if got := Compare(load("one"), load("two")); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if got := Compare(load("one"), load("bad")); len(got) != 1 || got[0].Effect != BreaksWire {
		t.Errorf("%v", got)
	}
}

// Typedefs of maps of typedefs have exponentially large names, which must not
// be written out.
func TestCompareDoesNotUnfoldTypedefs(t *testing.T) {
	source := "typedef i32 Ta\n"
	name := "Ta"
	for range 60 {
		source += "typedef map<" + name + ", " + name + "> " + name + "a\n"
		name += "a"
	}
	program, problems := loadText(t, map[string]string{"main.thrift": source})
	if len(problems) != 1 || !strings.Contains(problems.String(), "more than 1024 types") {
		t.Fatal(problems)
	}
	again, _ := loadText(t, map[string]string{"main.thrift": source})
	if got := Compare(program, again); len(got) != 0 {
		t.Error(len(got))
	}
}
