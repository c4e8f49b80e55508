package kitex

import (
	"path/filepath"
	"strings"
	"testing"

	"hone/go/gen"
	"hone/go/internal/sweep"
)

// oldModule turns code for Apache's newer modules into code for 0.13, whose methods take no context.
var oldModule = strings.NewReplacer("\t\"context\"\n", "", "\tctx := context.Background()\n", "", "(ctx, ", "(", "Flush(ctx)", "Flush(nil)",
	"NewTBinaryProtocolConf(t, nil)", "NewTBinaryProtocolTransport(t)", "NewTCompactProtocolConf(t, nil)", "NewTCompactProtocol(t)")

// This is the test of the module above, by the interfaces of Apache's module 0.13.
func TestEveryContainerOfEveryElementByTheOldModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds whole modules")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	module := strings.Replace(read(t, "go.mod"), "module hone/go/compat/kitex", "module "+sweep.ModuleName, 1)
	sweep.Module{
		GoMod:   strings.Replace(module, "=> ../../", "=> "+root, 1),
		GoSum:   read(t, "go.sum"),
		More:    oldModule.Replace(read(t, "../testdata/sweep_more.go.txt")),
		NoUUID:  true,
		Options: map[string]gen.Options{"values": {Apache: gen.Apache013, FastCodec: true, Values: true}},
	}.Test(t)
}
