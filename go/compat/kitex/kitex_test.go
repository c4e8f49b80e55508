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

// The interfaces that Kitex and Apache's module 0.13 call.
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

// unreadable replaces words of the definitions that thriftgo does not accept. They mean nothing for Go, or have an equivalent that thriftgo accepts.
var unreadable = strings.NewReplacer(`cpp_type "Set" `, "", ` cpp_type "Vector"`, "", "Item &parent", "Item parent",
	"(final, ", "(", "0x10:", "16:", "limit = LIMIT", "limit = 100", "false", "0", "0x1f90", "8080",
	"Deep deep", "map<string, list<map<i32, set<string>>>> deep", "ItemIDs items", "list<ItemID> items", "Nodes children", "list<Node> children")

// The test proper is testdata/peer_test.go. It needs the output of thriftgo, and so a module that is made here.
func TestWithThriftgo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds whole modules")
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
	peerModule(t, dir)
	write(t, filepath.Join(dir, "peer_test.go"), read(t, "testdata/peer_test.go"))
	write(t, filepath.Join(dir, "random_test.go"), read(t, "../random_test.go"))
	testPeer(t, dir)
}

// Kitex's tool runs as its users call it, with hone-thrift's code in place of its types. Names with which Kitex's own code does not compile are left
// out: arguments with the name of their service's package, or with a leading underscore.
func TestWithKitexsToolByDefault(t *testing.T) {
	if testing.Short() {
		t.Skip("builds whole modules")
	}
	dir := t.TempDir()
	peerModule(t, dir)
	for _, name := range []string{"tricky.thrift", "odd.types.thrift"} {
		write(t, filepath.Join(dir, name), read(t, filepath.Join("testdata", name)))
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "bin"), "github.com/cloudwego/kitex/tool/cmd/kitex", "hone/go/cmd/hone-thrift")
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	runIn(t, ".", build)
	runIn(t, dir, exec.Command(filepath.Join(dir, "bin/kitex"), "tricky.thrift"))
	for _, name := range []string{"odd/types/odd.types.go", "odd/types/k-odd.types.go", "odd/types/k-consts.go",
		"tricky/api/tricky.go", "tricky/api/k-tricky.go", "tricky/api/k-consts.go"} {
		if err := os.Remove(filepath.Join(dir, "kitex_gen", name)); err != nil {
			t.Fatal(err)
		}
	}
	runIn(t, dir, exec.Command(filepath.Join(dir, "bin/hone-thrift"), "gen", "-r", "-o", "kitex_gen", "-names", "kitex", "-fast-codec", "-setters", "tricky.thrift"))
	write(t, filepath.Join(dir, "calls_test.go"), read(t, "testdata/calls_test.go"))
	testPeer(t, dir)
}

// peerModule makes a module that may import this one and its dependencies.
func peerModule(t *testing.T, dir string) {
	t.Helper()
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	module := strings.Replace(read(t, "go.mod"), "module hone/go/compat/kitex", "module peer", 1)
	module = strings.Replace(module, "=> ../../", "=> "+filepath.Join(here, "../.."), 1)
	module += "\nrequire hone/go/compat/kitex v0.0.0\n\nreplace hone/go/compat/kitex => " + here + "\n"
	write(t, filepath.Join(dir, "go.mod"), module)
	write(t, filepath.Join(dir, "go.sum"), read(t, "go.sum"))
}

func testPeer(t *testing.T, dir string) {
	t.Helper()
	runIn(t, dir, exec.Command("go", "test", "-count=1", "-timeout", "30m", "."))
}

func runIn(t *testing.T, dir string, command *exec.Cmd) {
	t.Helper()
	command.Dir, command.Env = dir, append(os.Environ(), "GOWORK=off")
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", command.Args, err, text)
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
