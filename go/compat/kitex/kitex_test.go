package kitex

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"
	gopkg "github.com/cloudwego/gopkg/protocol/thrift"

	"hone/go/compat/kitex/ours/gowords"
	"hone/go/compat/kitex/ours/recursive"
	"hone/go/compat/kitex/ours/shop/api"
)

// What Kitex calls, and what Apache's module 0.13 calls.
var (
	_ gopkg.FastCodec = (*api.Item)(nil)
	_ gopkg.FastCodec = (*api.ShopFindArgs)(nil)
	_ gopkg.FastCodec = (*api.ShopFindResult)(nil)
	_ gopkg.FastCodec = (*gowords.Type)(nil)
	_ gopkg.FastCodec = (*recursive.Tree)(nil)
	_ apache.TStruct  = (*api.Item)(nil)
	_ apache.TStruct  = (*api.ShopFindArgs)(nil)
	_ apache.TStruct  = (*gowords.Type)(nil)
)

// unreadable are words of the definitions that thriftgo does not take. They mean nothing for Go, or
// something else means the same to it.
var unreadable = strings.NewReplacer(`cpp_type "Set" `, "", ` cpp_type "Vector"`, "", "Item &parent", "Item parent",
	"(final, ", "(", "0x10:", "16:", "limit = LIMIT", "limit = 100", "false", "0", "0x1f90", "8080",
	"Deep deep", "map<string, list<map<i32, set<string>>>> deep", "ItemIDs items", "list<ItemID> items", "Nodes children", "list<Node> children")

// The test proper is testdata/peer_test.go. It needs what thriftgo makes, and so a module that is made here.
func TestWithThriftgo(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: builds a compiler, and a module that it makes")
	}
	dir := t.TempDir()
	for _, name := range []string{"base", "shop", "recursive"} {
		text := read(t, filepath.Join("../../idl/testdata", name+".thrift"))
		write(t, filepath.Join(dir, name+".thrift"), unreadable.Replace(text))
	}
	for _, name := range []string{"shop", "recursive"} {
		command := exec.Command("go", "run", "github.com/cloudwego/thriftgo", "-r", "-g", "fastgo:package_prefix=peer", "-o", dir,
			filepath.Join(dir, name+".thrift"))
		if text, err := command.CombinedOutput(); err != nil {
			if strings.Contains(string(text), "thriftgo@") && strings.Contains(string(text), "proxy") {
				t.Skipf("skipped: thriftgo cannot be had: %s", text)
			}
			t.Fatalf("%v: %s", err, text)
		}
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	module := strings.Replace(read(t, "go.mod"), "module hone/go/compat/kitex", "module peer", 1)
	module = strings.Replace(module, "=> ../../", "=> "+filepath.Join(here, "../.."), 1)
	module += "\nrequire hone/go/compat/kitex v0.0.0\n\nreplace hone/go/compat/kitex => " + here + "\n"
	write(t, filepath.Join(dir, "go.mod"), module)
	write(t, filepath.Join(dir, "go.sum"), read(t, "go.sum"))
	write(t, filepath.Join(dir, "peer_test.go"), read(t, "testdata/peer_test.go"))
	write(t, filepath.Join(dir, "random_test.go"), read(t, "../random_test.go"))
	test := exec.Command("go", "test", "-count=1", "-timeout", "60s", ".")
	test.Dir = dir
	test.Env = append(os.Environ(), "GOWORK=off")
	if text, err := test.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
