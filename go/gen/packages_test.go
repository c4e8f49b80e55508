package gen_test

import (
	"os"
	"path"
	"strings"
	"testing"

	"hone/go/gen"
	"hone/go/idl"
)

// generateAll makes Go of files. all.thrift is the root file.
func generateAll(t *testing.T, files map[string]string, options gen.Options) ([]gen.Output, error) {
	t.Helper()
	program, problems := idl.Load("all.thrift", func(path string) ([]byte, error) {
		text, ok := files[path]
		if !ok {
			return nil, os.ErrNotExist
		}
		return []byte(text), nil
	}, nil)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	return gen.Generate(program, options)
}

// Files without a namespace for Go are in packages of their own names, as with thriftgo: it makes directories of dots, and makes
// letters small.
func TestPackagesOfFilesWithoutANamespace(t *testing.T) {
	outputs, err := generateAll(t, map[string]string{
		"x/Common.v1.thrift": "struct A { 1: i32 a }",
		"y/common.v1.thrift": "struct B { 1: i32 b }\nstruct A { 1: i32 a }",
		"linux_amd64.v2.idl": "enum E { A }",
		"é b.thrift":         "namespace java x\nconst i32 C = 1",
		"func.thrift":        "service S {}",
		"_0.thrift":          "include \"y/common.v1.thrift\"\nstruct S { 1: optional common.v1.B b }",
		"all.thrift": `include "x/Common.v1.thrift"
include "y/common.v1.thrift"
include "linux_amd64.v2.idl"
include "é b.thrift"
include "func.thrift"
include "_0.thrift"
struct All { 1: Common.v1.A a, 2: list<common.v1.B> b, 3: linux_amd64.v2.E e, 4: common.v1.A c, 5: _0.S s }
service T extends func.S {}
`,
	}, gen.Options{Prefix: "made"})
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, output := range outputs {
		paths = append(paths, output.Path)
	}
	want := "common/v1/Common_v1.go common/v1/common_v1_.go linux_amd64/v2/linux_amd64_v2.go __b/é b.go func/func.go _0/0.go all/all.go"
	if got := strings.Join(paths, " "); got != want {
		t.Errorf("%s, not %s", got, want)
	}
	newChecker(t, gen.NoApache).checkAll(t, outputs, "made")
	for _, output := range outputs {
		if dir := path.Dir(output.Path); dir == "func" && !strings.Contains(string(output.Source), "\npackage func_\n") {
			t.Errorf("%s", output.Source)
		}
	}
}

// Go's command refuses a program with packages that differ only in case, and some systems have one directory for both.
func TestPackagesThatDifferOnlyInCase(t *testing.T) {
	_, err := generateAll(t, map[string]string{
		"a.thrift":   "namespace go Shop.api\nstruct A { 1: i32 a }",
		"b.thrift":   "namespace go shop.API\nstruct B { 1: i32 b }",
		"all.thrift": "include \"a.thrift\"\ninclude \"b.thrift\"\nstruct All { 1: a.A a, 2: b.B b }",
	}, gen.Options{})
	want := "b.thrift: its package shop/API and the package Shop/api differ only in case, and Go builds no program of both; give the files one 'namespace go'"
	if err == nil || err.Error() != want {
		t.Fatal(err)
	}
}

// The names of one package's files differ in more than case, for systems where case makes no difference.
func TestFilesThatDifferOnlyInCase(t *testing.T) {
	outputs, err := generateAll(t, map[string]string{
		"Shop.thrift": "namespace go shop\nstruct A { 1: list<list<i32>> a }",
		"shop.thrift": "namespace go shop\nstruct B { 1: list<list<i32>> b }",
		"all.thrift":  "include \"Shop.thrift\"\ninclude \"shop.thrift\"\nstruct All { 1: Shop.A a, 2: shop.B b }",
	}, gen.Options{})
	if err != nil || outputs[0].Path != "shop/Shop.go" || outputs[1].Path != "shop/shop_.go" {
		t.Fatal(err, outputs)
	}
	newChecker(t, gen.NoApache).checkAll(t, outputs, "")
}

// Several names collide here. The definition that keeps its name with thriftgo keeps it here too, and the rest of the code follows.
func TestNamesThatCollide(t *testing.T) {
	outputs, err := generateAll(t, map[string]string{"all.thrift": `
const i32 COLOUR = 1
const i32 Colour_RED = 2
enum Colour { RED, _RED = 5 }
enum Colour_ { RED }
enum colour_FromString { A }
struct _id { 1: i32 _id, 2: i32 id, 3: i32 ID }
struct id { 1: Colour colour = Colour.RED, 2: list<_id> ids }
struct NewThing { 1: i32 a }
struct Thing { 1: NewThing b }
struct SomeClient { 1: i32 a }
struct SomeProcessor { 1: i32 a }
struct SomeGetArgs { 1: i32 a }
typedef id Alias
typedef Alias NewAlias
service Derived extends Some { i32 get_(1: i64 a), i32 SomeClient(), void same(1: list<i32> a), void _hidden(), void hidden(), void Caller() }
service Some { i32 get(1: i32 a), void Get(), void same(1: list<i32> b) }
`}, gen.Options{FastCodec: true})
	if err != nil {
		t.Fatal(err)
	}
	newChecker(t, gen.NoApache).checkAll(t, outputs, "")
	source := string(outputs[0].Source)
	for _, want := range []string{
		"type ID struct", "type ID_ struct", "\tID_  int32 `thrift:\"ID,3\"", "\tID__ int32 `thrift:\"_id,1\"",
		"type NewThing struct", "func NewThing_() *Thing", "type SomeClient_ struct", "type SomeClient struct", "type SomeProcessor_ struct",
		"type SomeGetArgs_ struct", "func NewAlias() *Alias", "type NewAlias_ = ID",
		"\tGet__(ctx context.Context, a_ int64)", "\tSomeClient_(ctx", "\tSame(ctx context.Context, a_ []int32)", "\tHidden_(ctx", "\tGet_(ctx context.Context) (err error)",
	} {
		if !strings.Contains(source, want) {
			t.Errorf("no %s", want)
		}
	}
}
