package idl

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// significant lists the tokens and comments of a source, without separators. Blanks at the ends of comment lines and before their
// stars do not count.
func significant(t *testing.T, source []byte) []string {
	t.Helper()
	_, tokens, _ := parseTokens("", source)
	var all []string
	var comments []string
	for _, token := range tokens {
		for _, c := range token.comments {
			lines := strings.Split(c.Text, "\n")
			for i := range lines {
				lines[i] = strings.TrimSpace(lines[i])
			}
			comments = append(comments, "comment "+strings.Join(lines, "\n"))
		}
		if !token.layout.separator && token.kind != tokenEnd {
			all = append(all, token.text)
		}
	}
	return append(all, comments...)
}

// checkFormat checks rules that hold for every source that parses.
func checkFormat(t *testing.T, source []byte) {
	t.Helper()
	once, problems := Format(source)
	if problems.HasErrors() {
		if once != nil {
			t.Fatal("a source with errors was formatted")
		}
		return
	}
	before, after := significant(t, source), significant(t, once)
	if strings.Join(before, "\x00") != strings.Join(after, "\x00") {
		t.Fatalf("tokens or comments changed:\n%q\n%q\n%s", before, after, once)
	}
	twice, problems := Format(once)
	if problems.HasErrors() {
		t.Fatalf("the result does not parse: %s\n%s", problems, once)
	}
	if !bytes.Equal(once, twice) {
		t.Fatalf("not idempotent:\n%s\n---\n%s", once, twice)
	}
}

func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/*.thrift", "testdata/*/*.thrift"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range files {
			source, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(source)
		}
	}
	for _, source := range oddSources {
		f.Add([]byte(source))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		file, problems := Parse("f.thrift", source)
		if file == nil || len(problems) > MaxProblems+1 {
			t.Fatalf("file %v, %d problems", file, len(problems))
		}
		read := func(path string) ([]byte, error) {
			if path == "f.thrift" {
				return source, nil
			}
			return nil, os.ErrNotExist
		}
		program, problems := Load("f.thrift", read, nil)
		if !problems.HasErrors() {
			if changes := Compare(program, program); len(changes) != 0 {
				t.Fatalf("a program differs from itself: %v", changes)
			}
		}
		checkFormat(t, source)
	})
}

// oddSources are seeds of the fuzz target. In them comments, separators and brackets meet in unusual places.
var oddSources = []string{
	"", " ", "\ufeffstruct A {}", "struct A {1:i32 a;2:i32 b,}", "struct",
	"struct A { // beside\n // inside\n}", "struct A { /* x */ 1: i32 a /* y */, /* z */ 2: i32 b // w\n}",
	"const list<i32> A = [1 2,3;4 // c\n]", "const i32 // c\n A = // d\n 1 // e\n; // f",
	"const map<i32,list<i32>> A = {1: [\n1], 2: [ /* c */ ]}", "const list<i32> A = [\n\n]", "const list<i32> A = [ // c\n]",
	"/* a\n * b\n */struct A{}/* c\n  d */ struct B{}", "#a\r\nnamespace * a\r\n\r\n\r\n#b\r\n",
	"service S{oneway void a(),void b(1:i32 a,2:i32 b)throws(1:E e)(x=\"y\",z)}", "service S { void f( // c\n 1: i32 a\n ) }",
	"typedef map<i32 /* k */ , /* v */ i32> M (a = \"b\") ; const i32 A = -0x1f, enum E {A=1;B C}",
	"struct A { 1: i32 a\n// c1\n, // c2\n 2: i32 b }", "struct A {1: A &a = {\"a\": {}} xsd_optional}", "struct A xsd_all {} (\n a\n)",
	"const string A = 'a\\", "const string A = \"a\nstruct B {}", "/*", "struct A { 1: list<list<list< }", "union U { : } }}} ((( [[[",
	"const i32 A = [[[[[[[[[[", "enum E { A = 99999999999999999999 }", "struct A {\n\n\n 1: i32 a\n\n\n\n 2: i32 b\n\n}\n\n\n// end",
	"include \"a.thrift\" /* b */ /* c */ cpp_include 'x' // d", "const double D = 1e999 const double E = .5e-3",
	"typedef A B typedef B A const i32 C = D const i32 D = C service S extends S {}", "exception A {1: map<A, set<A>> a (x)}",
	"struct A { 1: i32 a xsd_attrs { 1: i32 b; 2: string c } (x = 'y\n z'), 2: A (b) c xsd_attrs {\n1: i32 d // e\n} }",
	"senum A { // b\n'c'; \"d\" /* e */ } (f) /* g */ senum H {}\nstruct I { 1: slist (j) k }",
	"const i32 A = 1 (a /* b */) // c\nconst string B = 'd\n  e' (\nf)\n",
	"struct A {/* a */}/* b */struct B {/* c */ 1: i32 a}// d\n//e\n\n//f\nconst i32 A=1 /*g*/ /*h*/\nconst i32 B=2",
}
