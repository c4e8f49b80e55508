package definitions

import (
	"flag"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Descriptors for package pb are made by `go test ./definitions -update`.
var update = flag.Bool("update", false, "write the descriptors of the tests of package pb anew")

const shared = "../../generic/pb/testdata/"

func TestDescriptorsThatPackagePbIsTestedWithAreThoseOfItsDefinitions(t *testing.T) {
	for _, name := range []string{"shop", "old"} {
		files, err := compile(shared+"shop/"+name+".proto", os.ReadFile, []string{shared})
		if err != nil {
			t.Fatal(err)
		}
		set := &descriptorpb.FileDescriptorSet{}
		known := map[string]bool{}
		var add func(file protoreflect.FileDescriptor)
		add = func(file protoreflect.FileDescriptor) {
			if known[file.Path()] {
				return
			}
			known[file.Path()] = true
			for i := range file.Imports().Len() {
				add(file.Imports().Get(i).FileDescriptor)
			}
			set.File = append(set.File, protodesc.ToFileDescriptorProto(file))
		}
		root, err := files.FindFileByPath("shop/" + name + ".proto")
		if err != nil {
			t.Fatal(err)
		}
		add(root)
		got, err := proto.MarshalOptions{Deterministic: true}.Marshal(set)
		if err != nil {
			t.Fatal(err)
		}
		path := shared + name + ".binpb"
		if *update {
			if err := os.WriteFile(path, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || string(want) != string(got) {
			t.Errorf("%s is another one: %v", path, err)
		}
	}
}

func load(t *testing.T, file string, directories ...string) *Definitions {
	t.Helper()
	d, err := Load(file, os.ReadFile, directories)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFunctionsAreFoundByTheNamesThatPeopleWrite(t *testing.T) {
	thrift := load(t, "../../idl/testdata/shop.thrift")
	protobuf := load(t, shared+"shop/shop.proto", shared)
	for _, test := range []struct {
		of         *Definitions
		name, want string
	}{
		{thrift, "Shop.find", "find"},
		{thrift, "Shop/find", "find"},
		{thrift, "base.Health.alive", "alive"},
		{thrift, "Shop.alive", "alive"},
		{protobuf, "Find", "/shop.v1.Shop/Find"},
		{protobuf, "Shop.Find", "/shop.v1.Shop/Find"},
		{protobuf, "shop.v1.Shop.Find", "/shop.v1.Shop/Find"},
		{protobuf, "/shop.v1.Shop/Find", "/shop.v1.Shop/Find"},
	} {
		f, err := test.of.Function(test.name)
		if err != nil || f.Method != test.want {
			t.Errorf("%s: %v %v", test.name, f, err)
			continue
		}
		if err := f.Args().UnmarshalJSON(f.Example()); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	for name, want := range map[string]string{
		"find":       `"find" names no service; write one of Shop, base.Health before it, as in Service.find`,
		"Shop.fnid":  "the service Shop has no function 'fnid'; did you mean 'find'?",
		"Shopp.find": "the IDL has no service 'Shopp'; did you mean 'Shop'?",
	} {
		if _, err := thrift.Function(name); err == nil || err.Error() != want {
			t.Error(err)
		}
	}
}

func TestAllFunctionsAreListed(t *testing.T) {
	for file, want := range map[string]int{"../../idl/testdata/shop.thrift": 7, shared + "shop/shop.proto": 5, shared + "shop/old.proto": 1} {
		all, err := load(t, file, shared).All()
		if err != nil || len(all) != want {
			t.Errorf("%s: %d %v", file, len(all), err)
		}
	}
	f, err := load(t, shared+"shop/shop.proto", shared).Function("Find")
	if err != nil || f.Doc != "Finds one item." || f.FullName() != "shop.v1.Shop.Find" || (f.TakesStream || f.GivesStream) {
		t.Error(f, err)
	}
}

func TestProblemsOfDefinitionsAreToldWithTheirPlaces(t *testing.T) {
	sources := map[string]string{
		"a.thrift":  "struct A { 1: B b, 1: i32 c }",
		"a.proto":   "syntax = \"proto3\";\nimport \"missing.proto\";\n",
		"b.proto":   "syntax = \"proto3\";\nmessage A { B b = 1; int32 c = 1; }\n",
		"c/c.proto": "syntax = \"proto3\";\nimport \"d.proto\";\nmessage A { D d = 1; }\n",
		"c/d.proto": "syntax = \"proto3\";\nmessage D {}\n",
	}
	read := func(path string) ([]byte, error) {
		if source, ok := sources[path]; ok {
			return []byte(source), nil
		}
		return nil, os.ErrNotExist
	}
	for file, words := range map[string][]string{
		"a.thrift":       {"a.thrift:1:15: error: the type 'B' is not defined"},
		"a.proto":        {"a.proto:2:8: ", "missing.proto", "with -I"},
		"b.proto":        {"b.proto:2:32: error: ", "same tag"},
		"missing.proto":  {"missing.proto"},
		"missing.thrift": {"missing.thrift"},
		"c/c.proto":      {"d.proto", "with -I"},
	} {
		_, err := Load(file, read, nil)
		for _, word := range words {
			if err == nil || !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v does not tell of %s", file, err, word)
			}
		}
	}
	if _, err := Load("c/c.proto", read, []string{"c"}); err != nil {
		t.Error(err)
	}
}
