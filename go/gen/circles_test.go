package gen_test

import (
	"errors"
	"path"
	"slices"
	"strings"
	"testing"

	"hone/go/gen"
)

// circleOf makes Go of files and returns the circle of their packages: each importing package, with the line and the name.
func circleOf(t *testing.T, files map[string]string) (told []string) {
	t.Helper()
	outputs, err := generateAll(t, files, gen.Options{Prefix: "made"})
	var circle *gen.CircleError
	if !errors.As(err, &circle) {
		if err != nil {
			t.Fatal(err)
		}
		// Packages are checked in the order z, y, x: each comes after those that it imports.
		slices.SortStableFunc(outputs, func(a, b gen.Output) int { return strings.Compare(path.Dir(b.Path), path.Dir(a.Path)) })
		newChecker(t, gen.NoApache).checkAll(t, outputs, "made")
		return nil
	}
	for _, i := range circle.Imports {
		told = append(told, i.String())
	}
	return told
}

func TestCirclesOfPackages(t *testing.T) {
	const c, b = "namespace go x\nstruct C { 1: i32 c }\nenum E { A }\nservice S {}\nconst i32 N = 1", "namespace go y\ninclude \"c.thrift\"\n"
	const x, y = "x imports y for b.B (all.thrift:2 includes b.thrift)", "y imports x for c.C (b.thrift:2 includes c.thrift)"
	const all = "namespace go x\ninclude \"b.thrift\"\n"
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"a field": {map[string]string{"all.thrift": all + "struct A { 1: b.B b }", "b.thrift": b + "struct B { 1: c.C c }"}, []string{x, y}},
		"a typedef of another file's": {map[string]string{
			"all.thrift": all + "struct A { 1: b.B b }", "b.thrift": "namespace go y\ninclude \"m.thrift\"\nstruct B { 1: m.T c }",
			"m.thrift": "namespace go z\ninclude \"c.thrift\"\ntypedef c.C T",
		}, []string{x, "y imports x for c.C (b.thrift:2 includes m.thrift)"}},
		"a constant": {map[string]string{"all.thrift": all + "const b.E A = b.E.B", "b.thrift": b + "enum E { B }\nconst c.E D = c.E.A"},
			[]string{"x imports y for b.E (all.thrift:2 includes b.thrift)", "y imports x for c.E (b.thrift:2 includes c.thrift)"}},
		"services": {map[string]string{"all.thrift": all + "service A extends b.B {}", "b.thrift": b + "service B extends c.S {}"},
			[]string{x, "y imports x for c.S (b.thrift:2 includes c.thrift)"}},
		"three packages": {map[string]string{
			"all.thrift": all + "struct A { 1: b.B b }", "b.thrift": "namespace go y\ninclude \"m.thrift\"\nstruct B { 1: m.M m }",
			"m.thrift": "namespace go z\n\ninclude \"c.thrift\"\nstruct M { 1: map<string, list<c.C>> c }",
		}, []string{x, "y imports z for m.M (b.thrift:2 includes m.thrift)", "z imports x for c.C (m.thrift:3 includes c.thrift)"}},
		"an include that nothing is used of": {map[string]string{"all.thrift": all + "struct A { 1: b.B b }", "b.thrift": b + "struct B { 1: i32 c }"}, nil},
		"no include that leads back": {map[string]string{"all.thrift": all + "include \"c.thrift\"\nstruct A { 1: b.B b, 2: c.C c }",
			"b.thrift": "namespace go y\ninclude \"m.thrift\"\nstruct B { 1: m.M c }", "m.thrift": "namespace go z\nstruct M {}"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			test.files["c.thrift"] = c
			if got := circleOf(t, test.files); !slices.Equal(got, test.want) {
				t.Errorf("%q, not %q", got, test.want)
			}
		})
	}
}
