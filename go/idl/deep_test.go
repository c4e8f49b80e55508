package idl

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
)

// Parts of a source that are nested deep must not take a stack as deep: an overflow of the stack ends the process.
func TestSourcesThatGoDeepAreRefused(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(16 << 20))
	chain := func(n int, each, last string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, each, i, i+1)
		}
		return b.String() + fmt.Sprintf(last, n)
	}
	const many = 30000
	for name, c := range map[string]struct{ source, want string }{
		"types":     {"struct S { 1: " + strings.Repeat("list<", many), "types are nested more than 64 deep"},
		"lists":     {"const i32 A = " + strings.Repeat("[", many), "constants are nested more than 64 deep"},
		"maps":      {"const i32 A = " + strings.Repeat("{1:", many), "constants are nested more than 64 deep"},
		"XSD":       {"struct S {" + strings.Repeat("1: i32 a xsd_attrs {", many), "'xsd_attrs' within 'xsd_attrs'"},
		"arguments": {"service S { void f" + strings.Repeat("(1: i32 a ", many), "expected"},
		"typedefs":  {chain(many, "typedef list<T%[2]d> T%[1]d\n", "typedef i32 T%d"), "typedefs are nested more than 1024 deep"},
		"constants": {"struct S { 1: list<S> s }\n" + chain(many, "const S C%d = {\"s\": [C%d]}\n", "const S C%d = {}"),
			"constants and defaults lie in each other more than 1024 deep"},
		"defaults": {chain(many, "struct S%d { 1: S%d s = {} }\n", "struct S%d {}"), "constants and defaults lie in each other more than 1024 deep"},
		"services": {chain(66, "service S%d extends S%d {}\n", "service S%d {}"), "the service S1 extends more than 64 others"},
	} {
		_, problems := loadText(t, map[string]string{"main.thrift": c.source})
		if !strings.Contains(problems.String(), c.want) {
			t.Errorf("%s: %.500s", name, problems)
		}
		Format([]byte(c.source))
	}
}
