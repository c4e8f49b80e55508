package gen_test

import (
	"path/filepath"
	"testing"

	"hone/go/gen"
	"hone/go/internal/sweep"
)

// With the option Values, code that read maps with structs as keys once wrote through a nil pointer: no test had such a map with
// that option.
func TestEveryContainerOfEveryElementIsReadAsItWasWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("builds whole modules")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sweep.Module{
		GoMod: "module " + sweep.ModuleName + "\n\ngo 1.24\n\nrequire hone/go v0.0.0\n\nreplace hone/go => " + root + "\n",
		Options: map[string]gen.Options{
			"plain":  {},
			"values": {Values: true},
			"all":    {Setters: true, DeepEqual: true, DeepCopy: true, KeepUnknown: true, Values: true},
		},
	}.Test(t)
}
