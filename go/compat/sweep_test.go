package compat_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hone/go/gen"
	"hone/go/internal/sweep"
)

// The code for Kitex and for Apache's protocols reads its own output, for each element in each container, and refuses millions of nested values:
// without a limit, readers for Apache's protocols go as deep as the message, which ends the process.
func TestEveryContainerOfEveryElementByTheProtocolsOfOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds whole modules")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	var texts [3]string
	for i, name := range []string{"go.mod", "go.sum", "testdata/sweep_more.go.txt"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	module := strings.Replace(texts[0], "module hone/go/compat", "module "+sweep.ModuleName, 1)
	sweep.Module{
		GoMod: strings.Replace(module, "=> ../", "=> "+root, 1),
		GoSum: texts[1],
		More:  texts[2],
		Options: map[string]gen.Options{
			"pointers": {Apache: gen.Apache014, FastCodec: true},
			"values":   {Apache: gen.Apache014, FastCodec: true, Values: true, Setters: true, DeepEqual: true, DeepCopy: true, KeepUnknown: true},
		},
	}.Test(t)
}
