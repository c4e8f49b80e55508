package idl

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func loadFixture(t *testing.T, name string) *Program {
	t.Helper()
	program, problems := Load("testdata/"+name, os.ReadFile, nil)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	return program
}

func TestShopIsUnderstood(t *testing.T) {
	program := loadFixture(t, "shop.thrift")
	root := program.Root
	if len(program.Files) != 2 || program.Files[1] != root {
		t.Fatalf("files: %v", program.Files)
	}
	if root.Namespace("go") != "shop.api" || root.Namespace("java") != "shop" || root.CppIncludes[0].Path != "<unordered_map>" {
		t.Error("namespaces or cpp_include")
	}
	item := root.Lookup("Item").(*Struct)
	fields := map[string]*Field{}
	for _, f := range item.Fields {
		fields[f.Name] = f
	}
	if f := fields["id"]; f.Requiredness != Required || f.Type.Real().Kind != I64 || f.ID != 1 || !f.HasID {
		t.Errorf("id: %+v", f)
	}
	if f := fields["severity"]; f.ID != 16 || f.Default.EnumValue.Name != "HIGH" || f.Default.EnumValue.Number != 16 || f.Type.Enum().Name != "Severity" {
		t.Errorf("severity: %+v", f)
	}
	if f := fields["parent"]; !f.Reference || f.Type.Struct() != item {
		t.Errorf("parent: %+v", f)
	}
	if f := fields["deep"]; f.Type.Real().String() != "map<string, list<map<i32, set<string>>>>" {
		t.Errorf("deep: %s", f.Type.Real())
	}
	if f := fields["name"]; f.Default.Text != "none" || f.Annotations[0].Name != "go.tag" || f.Annotations[0].Value != `json:"name"` {
		t.Errorf("name: %+v", f)
	}
	if fields["words"].Type.CppType != "Set" || fields["digest"].Type.Real().Kind != Binary {
		t.Error("cpp_type or a typedef of another file")
	}
	state := root.Lookup("State").(*Enum)
	var numbers []int64
	for _, v := range state.Values {
		numbers = append(numbers, v.Number)
	}
	if len(numbers) != 4 || numbers[1] != 2 || numbers[2] != -3 || numbers[3] != -2 {
		t.Errorf("numbers: %v", numbers)
	}
	if v := root.Lookup("LIMIT").(*Const).Value; v.Real().Int != 100 || v.Const.In().Path != "testdata/base.thrift" {
		t.Error("a constant of another file")
	}
	if v := root.Lookup("QUOTED").(*Const).Value; v.Text != "a \"quoted\" text\n" {
		t.Errorf("escapes: %q", v.Text)
	}
}

func TestServiceIsUnderstood(t *testing.T) {
	shop := loadFixture(t, "shop.thrift").Root.Lookup("Shop").(*Service)
	if shop.Base.Name != "Health" || len(shop.Functions) != 5 {
		t.Fatalf("%+v", shop)
	}
	find, order, forget, nothing := shop.Functions[0], shop.Functions[1], shop.Functions[2], shop.Functions[3]
	if find.Result.Name != "Item" || len(find.Arguments) != 2 || find.Throws[0].Type.Struct().Kind != KindException {
		t.Errorf("find: %+v", find)
	}
	if order.Arguments[1].Default.Real().Int != 100 || order.Annotations[0].Value != "100ms" {
		t.Errorf("order: %+v", order)
	}
	if !forget.Oneway || forget.Result != nil || nothing.Oneway {
		t.Error("oneway")
	}
}

func TestCommentsArePartOfTheTree(t *testing.T) {
	root := loadFixture(t, "shop.thrift").Root
	docs := map[string]string{
		"State": "How an order stands.", "ItemID": "Names of types.", "Shop": "The shop itself.",
	}
	for name, want := range docs {
		if got := headerOf(root.Lookup(name)).Doc(); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := root.Lookup("State").(*Enum).Values[0].Doc(); got != "just made" {
		t.Errorf("beside: %q", got)
	}
	shop := root.Lookup("Shop").(*Service)
	if got := shop.Functions[0].Doc(); got != "Finds one item." {
		t.Errorf("function: %q", got)
	}
	if got := shop.Functions[1].Arguments[0].Doc(); got != "what is wanted" {
		t.Errorf("argument: %q", got)
	}
	if p := shop.Functions[1].Arguments[0].Type.Pos(); p != (Position{93, 17}) {
		t.Errorf("position %v", p)
	}
}

func TestFixturesHaveNoProblems(t *testing.T) {
	for _, name := range []string{"base.thrift", "shop.thrift", "gowords.thrift", "recursive.thrift"} {
		if _, problems := Load("testdata/"+name, os.ReadFile, nil); len(problems) > 0 {
			t.Errorf("%s", problems)
		}
	}
}

func TestIncludes(t *testing.T) {
	program, problems := loadText(t, map[string]string{
		"main.thrift":    "include \"sub/a.thrift\"\ninclude \"l.thrift\"\nstruct M { 1: a.A a, 2: l.L l }\nconst a.E X = a.E.ONE\n",
		"sub/a.thrift":   "include \"b.thrift\"\nstruct A { 1: b.B b }\nenum E { ONE }",
		"sub/b.thrift":   "struct B {}",
		"lib/l.thrift":   "include \"../sub/b.thrift\"\nstruct L { 1: b.B b }",
		"lib/sub/x.thft": "",
	})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var paths []string
	for _, f := range program.Files {
		paths = append(paths, f.Path)
	}
	if got := strings.Join(paths, " "); got != "sub/b.thrift sub/a.thrift lib/l.thrift main.thrift" {
		t.Error(got)
	}
}

func TestIncludeProblems(t *testing.T) {
	_, problems := loadText(t, map[string]string{
		"main.thrift": "include \"a.thrift\"\nstruct M { 1: Itm x, 2: a.Itm y, 3: Item z }",
		"a.thrift":    "include \"b.thrift\"\nstruct Item {}",
		"b.thrift":    "include \"a.thrift\"",
	})
	want := `b.thrift:1:1: error: the includes go in a circle: a.thrift:1 -> b.thrift:1 -> a.thrift; move what both need into a third file
main.thrift:2:15: error: the type 'Itm' is not defined; did you mean 'a.Item'?
main.thrift:2:25: error: the type 'a.Itm' is not defined; did you mean 'a.Item'?
main.thrift:2:37: error: the type 'Item' is not defined; did you mean 'a.Item'?`
	if got := problems.String(); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestLimits(t *testing.T) {
	deep := strings.Repeat("list<", 100000) + "i32" + strings.Repeat(">", 100000)
	cases := map[string]string{
		"types are nested more than 64":     "struct A { 1: " + deep + " a }",
		"constants are nested more than 64": "const list<i32> A = " + strings.Repeat("[", 100000),
		"too many errors":                   "struct A {" + strings.Repeat("1: Foo a,", 1000) + "}",
		"typedefs are nested more than":     chainOfTypedefs(3000),
		"more than 1048576 values":          constantsOfConstants(40),
	}
	for want, source := range cases {
		_, problems := loadText(t, map[string]string{"main.thrift": source})
		if !strings.Contains(problems.String(), want) || len(problems) > MaxProblems+1 {
			t.Errorf("%s: %d problems", want, len(problems))
		}
	}
	if _, problems := Parse("big", make([]byte, MaxSourceBytes+1)); len(problems) != 1 || !strings.Contains(problems.String(), "more than") {
		t.Error(problems)
	}
}

// constantsOfConstants makes n constants. Each is twice as large as the one before.
func constantsOfConstants(n int) string {
	var b strings.Builder
	b.WriteString("struct S { 1: optional S a, 2: optional S b }\nconst S C0 = {}\n")
	for i := range n {
		fmt.Fprintf(&b, "const S C%d = {\"a\": C%d, \"b\": C%d}\n", i+1, i, i)
	}
	return b.String()
}

// A file with many warnings has no error, and an error that comes after them is reported.
func TestWarningsHideNoError(t *testing.T) {
	source := "struct A {\n"
	for i := range 2 * MaxProblems {
		source += fmt.Sprintf("i32 a%d\n", i)
	}
	_, problems := loadText(t, map[string]string{"main.thrift": source + "}"})
	if problems.HasErrors() || len(problems) != MaxProblems+1 {
		t.Fatal(problems)
	}
	_, problems = loadText(t, map[string]string{"main.thrift": source + "1: Foo b\n}"})
	if !strings.Contains(problems.String(), "'Foo' is not defined") {
		t.Fatal(problems)
	}
}

func TestIncludesThatCannotBeRead(t *testing.T) {
	read := func(path string) ([]byte, error) {
		if path == "main.thrift" {
			return []byte("include \"secret.thrift\""), nil
		}
		return nil, os.ErrPermission
	}
	if _, problems := Load("main.thrift", read, nil); !strings.Contains(problems.String(), "secret.thrift, which cannot be read: permission denied") {
		t.Fatal(problems)
	}
}

func chainOfTypedefs(n int) string {
	var b strings.Builder
	name := func(i int) string { return "T" + strings.Repeat("a", i%50) + strings.Repeat("b", i/50) }
	b.WriteString("typedef i32 " + name(0) + "\n")
	for i := range n {
		b.WriteString("typedef " + name(i) + " " + name(i+1) + "\n")
	}
	return b.String()
}

// The parser must understand as much as possible of every prefix of a large source, and of the source without each of its lines,
// and must not panic.
func TestDamagedSources(t *testing.T) {
	source, err := os.ReadFile("testdata/shop.thrift")
	if err != nil {
		t.Fatal(err)
	}
	for i := range source {
		Parse("damaged", source[:i])
		Parse("damaged", append(append([]byte{}, source[:i]...), source[min(i+3, len(source)):]...))
	}
	lines := strings.SplitAfter(string(source), "\n")
	for i := range lines {
		damaged := strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), "")
		read := func(path string) ([]byte, error) {
			if path == "testdata/main" {
				return []byte(damaged), nil
			}
			return os.ReadFile(path)
		}
		Load("testdata/main", read, nil)
	}
}
