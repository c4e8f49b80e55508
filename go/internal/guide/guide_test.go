// Package guide_test compiles the programs and the parts of programs that README and the guides show.
package guide_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hone/go/idl"
)

// packages are the packages that parts of programs name without an import. Packages that are in no module here (generated code, etcd) are unknown,
// and so is all that depends on them.
var packages = map[string]string{
	"codec": "hone/go/codec", "fanout": "hone/go/rpc/policy/fanout", "health": "hone/go/rpc/health", "resolve": "hone/go/rpc/resolve",
	"reflection": "hone/go/rpc/reflection", "rpc": "hone/go/rpc", "stream": "hone/go/stream", "thrift": "hone/go/thrift", "tune": "hone/go/tune",
	"context": "context", "http": "net/http", "io": "io", "log": "log", "net": "net", "os": "os", "time": "time",
}

// notShown matches errors about code that a document leaves out around a part of a program.
var notShown = regexp.MustCompile(`undefined: \w+$|declared and not used: \w+$|imported and not used$`)

// block is one fenced block of a document.
type block struct{ place, language, text string }

// blocks returns the fenced blocks of README and of the guides that show Go.
func blocks(t *testing.T) []block {
	var documents []string
	for _, product := range []string{"thrift", "rpc", "agent"} {
		guides, err := filepath.Glob("../../../docs/" + product + "/*.md")
		if err != nil || len(guides) == 0 {
			t.Fatalf("docs/%s has %d guides: %v", product, len(guides), err)
		}
		documents = append(documents, guides...)
	}
	var found []block
	for _, document := range append(documents, "../../../README.md") {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		var open *block
		lines := bufio.NewScanner(strings.NewReader(string(text)))
		for at := 1; lines.Scan(); at++ {
			language, isFence := strings.CutPrefix(strings.TrimSpace(lines.Text()), "```")
			switch {
			case isFence && open != nil:
				found, open = append(found, *open), nil
			case isFence:
				open = &block{place: fmt.Sprintf("%s:%d", filepath.Base(document), at), language: language}
			case open != nil:
				open.text += lines.Text() + "\n"
			}
		}
	}
	return found
}

// file returns the source of a whole file with a part of a program: declarations as they stand, statements in a function, in which each
// paragraph may declare its variables anew.
func file(part string) (string, error) {
	if _, err := parser.ParseFile(token.NewFileSet(), "", part, parser.SkipObjectResolution); err == nil {
		return part, nil
	}
	var declarations, statements, rest string
	paragraphs := 0
	for _, paragraph := range strings.Split(part, "\n\n") {
		rest += paragraph + "\n\n"
		if parses("package p\n" + rest) {
			declarations += rest
		} else if parses("package p\nfunc _() {\n" + rest + "}") {
			statements += "{\n" + rest
			paragraphs++
		} else {
			continue
		}
		rest = ""
	}
	if rest != "" {
		_, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+rest+"}", 0)
		return "", err
	}
	body := declarations + "func _() {\n" + statements + strings.Repeat("}\n", paragraphs+1)
	return "package p\n" + imports(body) + body, nil
}

func parses(source string) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	return err == nil
}

// imports returns the imports of the packages that a file names.
func imports(body string) string {
	parsed, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+body, parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	var named []string
	ast.Inspect(parsed, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if name, ok := selector.X.(*ast.Ident); ok && packages[name.Name] != "" {
				named = append(named, fmt.Sprintf("import %q\n", packages[name.Name]))
			}
		}
		return true
	})
	slices.Sort(named)
	return strings.Join(slices.Compact(named), "")
}

// complaints returns the compiler's messages about files that are packages of the module in a directory.
func complaints(t *testing.T, module string, sources map[string]string) string {
	root, err := filepath.Abs(module)
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	replaced, names := map[string]string{}, []string{}
	for name, source := range sources {
		path := filepath.Join(scratch, name+".go")
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		replaced[filepath.Join(root, "internal/shown", name, name+".go")] = path
		names = append(names, "./internal/shown/"+name)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	overlaid := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(overlaid, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	command := exec.Command("go", append([]string{"build", "-o", os.DevNull, "-gcflags=-e", "-overlay", overlaid}, names...)...)
	command.Dir = root
	said, err := command.CombinedOutput()
	if err != nil && len(said) == 0 {
		t.Fatal(err)
	}
	return string(said)
}

func TestProgramsInTheGuidesCompile(t *testing.T) {
	places, parts, whole := map[string]string{}, map[string]string{}, map[string]string{}
	for _, shown := range blocks(t) {
		if shown.language != "go" {
			continue
		}
		source, err := file(shown.text)
		if err != nil {
			t.Errorf("%s: %v", shown.place, err)
			continue
		}
		name := fmt.Sprintf("shown%d", len(places))
		places[name] = shown.place
		if strings.Contains(shown.text, "hone/clients/go") {
			whole[name] = source
		} else {
			parts[name] = source
		}
	}
	if len(parts) < 12 || len(whole) < 1 {
		t.Fatalf("only %d parts of programs and %d programs found", len(parts), len(whole))
	}
	said := complaints(t, "../..", parts) + complaints(t, "../../../clients/go", whole)
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || notShown.MatchString(line) {
			continue
		}
		name, _, _ := strings.Cut(filepath.Base(strings.SplitN(line, ":", 2)[0]), ".go")
		t.Errorf("%s: %s", places[name], line)
	}
}

func TestThriftInTheGuidesIsSuchAsTheCompilerReads(t *testing.T) {
	read := 0
	for _, shown := range blocks(t) {
		if shown.language != "thrift" {
			continue
		}
		read++
		if _, problems := idl.Parse(shown.place, []byte(shown.text)); len(problems) > 0 {
			t.Errorf("%s: %v", shown.place, problems)
		}
	}
	if read < 3 {
		t.Fatalf("only %d blocks found", read)
	}
}
