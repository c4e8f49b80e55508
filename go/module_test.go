// Package module holds the whole module to its rules.
package module

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mayImport holds the packages that may import the restricted packages unsafe and os. Packages peers, sweep and intruder are for tests alone, which
// build the code that they generate and count the files and mappings that they hold; package rpc passes sockets to other processes, rpc/resolve reads
// and watches the file that lists the instances of services, and rpc/resolve/kubernetes the token of a pod; package tune reads the files of control
// groups. Package shm maps memory that processes share, and passes it to others; its command echo is for tests. Packages protosample and greeter hold
// output of protoc-gen-go, which imports unsafe to turn text into bytes.
var mayImport = map[string][]string{
	"unsafe": {"raw", "shm/internal/segment", "internal/protosample", "internal/greeter"},
	"os":     {"cmd/hone-thrift", "internal/intruder", "internal/peers", "internal/sweep", "rpc", "rpc/resolve", "rpc/resolve/kubernetes", "shm", "shm/internal/echo", "tune"},
}

// others holds the modules of others, with the packages that may import them. Other packages may import none.
var others = map[string][]string{
	"google.golang.org/protobuf": {"generic/pb", "proto", "protogen", "cmd/protoc-gen-hone", "rpc", "rpc/internal/definition", "rpc/internal/grpcwire", "rpc/reflection",
		"internal/protosample", "internal/greeter"},
	"golang.org/x/net": {"rpc/internal/h2", "rpc/proxy"},
	"golang.org/x/sys": {"shm", "shm/internal/segment", "internal/intruder"},
}

func TestOnlyTheirAddressesImportUnsafeAndOpenFiles(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && isAnotherModule(path) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Error(err)
			return nil
		}
		for _, imported := range file.Imports {
			name := strings.Trim(imported.Path.Value, `"`)
			if allowed, isRestricted := mayImport[name]; isRestricted && !contains(allowed, filepath.ToSlash(filepath.Dir(path))) {
				t.Errorf("%s imports %s", path, name)
			}
			if strings.Contains(name, ".") && !mayImportOther(name, filepath.ToSlash(filepath.Dir(path))) {
				t.Errorf("%s imports %s, which is neither Go's nor ours", path, name)
			}
		}
		return nil
	})
	if err != nil || files < 20 {
		t.Fatalf("%d files were looked at: %v", files, err)
	}
}

// isAnotherModule reports whether a directory below this one has a go.mod.
func isAnotherModule(path string) bool {
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil && path != "."
}

// mayImportOther reports whether a package may import a package of another module.
func mayImportOther(name, importing string) bool {
	for module, allowed := range others {
		if strings.HasPrefix(name, module+"/") && contains(allowed, importing) {
			return true
		}
	}
	return false
}

func contains(all []string, one string) bool {
	for _, other := range all {
		if other == one {
			return true
		}
	}
	return false
}
