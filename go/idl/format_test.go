package idl

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The golden files are made by `go test ./idl -run TestFormatGolden -update`.
var update = flag.Bool("update", false, "write the golden files anew")

func TestFormatGolden(t *testing.T) {
	source, err := os.ReadFile("testdata/messy/order.thrift")
	if err != nil {
		t.Fatal(err)
	}
	result, problems := Format(source)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	golden := "testdata/messy/order.golden"
	if *update {
		if err := os.WriteFile(golden, result, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(result) != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", result, want)
	}
}

func TestFormatKeepsWhatIsCanonical(t *testing.T) {
	files, err := filepath.Glob("testdata/*.thrift")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		result, problems := Format(source)
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		if string(result) != string(source) {
			t.Errorf("%s changes:\n%s", name, result)
		}
	}
}

func TestFormatLosesNothing(t *testing.T) {
	sources := append([]string{}, oddSources...)
	messy, err := os.ReadFile("testdata/messy/order.thrift")
	if err != nil {
		t.Fatal(err)
	}
	sources = append(sources, string(messy))
	formatted := 0
	for _, source := range sources {
		checkFormat(t, []byte(source))
		if result, _ := Format([]byte(source)); result != nil {
			formatted++
		}
	}
	if formatted < 15 {
		t.Errorf("only %d sources were formatted", formatted)
	}
}

// The test puts a comment between any two tokens of the messy source. No comment may get lost, and the result must stay the same
// when it is formatted again.
func TestFormatKeepsACommentAnywhere(t *testing.T) {
	source, err := os.ReadFile("testdata/messy/order.thrift")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(source), "\n")
	_, tokens, _ := parseTokens("", source)
	for _, comment := range []string{" /* new */ ", " // new\n", "\n# new\n", "\n/* new\n * new */\n"} {
		for _, token := range tokens {
			offset := 0
			for _, line := range lines[:token.Line-1] {
				offset += len(line)
			}
			offset += token.Column - 1 // the source is ASCII
			checkFormat(t, []byte(string(source[:offset])+comment+string(source[offset:])))
		}
	}
}

func TestFormatRefusesErrors(t *testing.T) {
	result, problems := Format([]byte("struct A { 1: }"))
	if result != nil || !problems.HasErrors() {
		t.Errorf("%q %v", result, problems)
	}
}
