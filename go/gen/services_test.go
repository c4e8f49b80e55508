package gen_test

import (
	"strings"
	"testing"

	"hone/go/gen"
)

func TestClientsKnowWhichFunctionsMayRunTwice(t *testing.T) {
	outputs, err := generateAll(t, map[string]string{"all.thrift": `namespace go x
service A { void a() (idempotent = "true"), void b() }
service B extends A { void c() (idempotent), void d() (idempotent = "false"), void e() (timeout = "1s", idempotent = "true") }`}, gen.Options{Prefix: "made"})
	if err != nil {
		t.Fatal(err)
	}
	code := string(outputs[0].Source)
	for _, want := range []string{`thrift.CallerOf(caller, "A", "a")`, `thrift.CallerOf(caller, "B", "c", "e", "a")`} {
		if !strings.Contains(code, want) {
			t.Errorf("the code has not %s", want)
		}
	}
}

func TestAFunctionIsIdempotentOrNot(t *testing.T) {
	_, err := generateAll(t, map[string]string{"all.thrift": "service A {\n  void a() (idempotent = \"maybe\")\n}"}, gen.Options{Prefix: "made"})
	if err == nil || !strings.Contains(err.Error(), `all.thrift:2:13: function a has the annotation idempotent = "maybe": write "true" or "false"`) {
		t.Error(err)
	}
}
