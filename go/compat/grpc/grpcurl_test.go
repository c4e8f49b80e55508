package grpc

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hone/go/rpc"
	"hone/go/rpc/health"
	"hone/go/rpc/reflection"
)

// grpcurl is the tool, with a server that serves reflection.
type grpcurl struct {
	*testing.T
	program, address string
	options          []string
}

func newGRPCURL(t *testing.T) *grpcurl {
	t.Helper()
	program := filepath.Join(t.TempDir(), "grpcurl")
	if said, err := exec.Command("go", "build", "-o", program, "github.com/fullstorydev/grpcurl/cmd/grpcurl").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	s := setting{ourServer: func(server *rpc.Server) {
		health.Register(server)
		reflection.Register(server)
	}}
	_, address := s.serveOurs(t, newWorld())
	return &grpcurl{T: t, program: program, address: address.String(), options: []string{"-plaintext", "-max-time", "240"}}
}

// run returns the tool's output, without spaces at ends and between lines.
func (g *grpcurl) run(options []string, arguments ...string) (said string, err error) {
	g.Helper()
	command := exec.Command(g.program, append(append(slices.Clone(g.options), options...), append([]string{g.address}, arguments...)...)...)
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err = command.Run()
	return strings.Join(strings.Fields(out.String()), " "), err
}

func (g *grpcurl) expect(want string, options []string, arguments ...string) {
	g.Helper()
	if said, err := g.run(options, arguments...); err != nil || !strings.Contains(said, want) {
		g.Errorf("%v %v: %v\n%s\nhas not\n%s", options, arguments, err, said, want)
	}
}

func TestGRPCURLCallsServicesByReflection(t *testing.T) {
	if testing.Short() {
		t.Skip("builds whole modules")
	}
	g := newGRPCURL(t)
	g.expect("grpc.health.v1.Health grpc.reflection.v1.ServerReflection grpc.reflection.v1alpha.ServerReflection hone.greeter.v1.Greeter", nil, "list")
	g.expect("hone.greeter.v1.Greeter.Chat hone.greeter.v1.Greeter.Hello", nil, "list", greeterService)
	g.expect("rpc Upload ( stream .hone.greeter.v1.Chunk ) returns ( .hone.greeter.v1.Summary );", nil, "describe", greeterService)
	g.expect("message Summary { int64 chunks = 1; int64 bytes = 2; }", nil, "describe", "hone.greeter.v1.Summary")
	g.expect("rpc Watch", nil, "describe", "grpc.health.v1.Health")
	g.expect("rpc ServerReflectionInfo", nil, "describe", "grpc.reflection.v1alpha.ServerReflection")
	g.expect(`{ "text": "Hello, Ada" }`, []string{"-d", `{"name": "Ada"}`}, greeterService+"/Hello")
	g.expect(`{ "body": "AAA=" } { "number": "1", "body": "AAA=" }`, []string{"-d", `{"count": 2, "bytes": 2}`}, greeterService+"/List")
	g.expect(`{ "chunks": "2", "bytes": "3" }`, []string{"-d", `{"body": "AAA="} {"body": "AA=="}`}, greeterService+"/Upload")
	g.expect(`{ "text": "a" } { "text": "b" }`, []string{"-d", `{"text": "a"} {"text": "b"}`}, greeterService+"/Chat")
	g.expect(`{ "status": "SERVING" }`, []string{"-d", `{"service": "` + greeterService + `"}`}, "grpc.health.v1.Health/Check")
	g.showsErrorsAndMetadata()
}

func (g *grpcurl) showsErrorsAndMetadata() {
	g.Helper()
	said, err := g.run([]string{"-d", `{"name": "fail"}`}, greeterService+"/Hello")
	for _, want := range []string{"Code: FailedPrecondition", "nö: 100 %", "google.rpc.BadRequest"} {
		if err == nil || !strings.Contains(said, want) {
			g.Errorf("%v: %s", err, said)
		}
	}
	g.expect("Response headers received: content-type: application/grpc x-bytes-bin: AP8= x-text: one",
		[]string{"-v", "-H", "x-text: one", "-H", "x-bytes-bin: AP8=", "-d", `{"name": "meta"}`}, greeterService+"/Hello")
	if said, err := g.run(nil, greeterService+"/None"); err == nil || !strings.Contains(said, `does not include a method named "None"`) {
		g.Error(said, err)
	}
	if said, err := g.run(nil, "describe", "none.None"); err == nil || !strings.Contains(said, "Symbol not found: none.None") {
		g.Error(said, err)
	}
}
