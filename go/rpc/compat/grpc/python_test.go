package grpc

import (
	"context"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"hone/go/rpc"
)

// askInPython makes both calls, and prints their codes, the lengths of their texts and the value of a field.
const askInPython = `
import sys, grpc
with grpc.insecure_channel(sys.argv[1]) as channel:
    for make, method in (channel.unary_unary, 'One'), (channel.unary_stream, 'Many'):
        call = make('/test.Telling/' + method)
        try:
            if method == 'One':
                _, done = call.with_call(b'', timeout=240)
            else:
                done = call(b'', timeout=240)
                list(done)
        except grpc.RpcError as failed:
            done = failed
        fine = [value for name, value in done.trailing_metadata() if name == 'fine']
        print(done.code().name, done.details()[:5], fine)
`

func TestGRPCIOGetsAnAnswerWhateverAHandlerSets(t *testing.T) {
	interpreter := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import grpc").Run() == nil {
			interpreter = name
		}
	}
	if interpreter == "" {
		t.Skip("skipped: Python has no module grpc: apt-get install python3-grpcio")
	}
	var next atomic.Pointer[telling]
	address, _ := serveTelling(t, networks[0], &next)
	fine := rpc.Pair{Name: "fine", Value: "yes"}
	for _, is := range []struct {
		name string
		telling
		said string
	}{
		{"two lines", telling{trailer: rpc.Metadata{{Name: "why", Value: "a\nb"}, fine}}, "OK  ['yes']"},
		{"a long trailer", telling{trailer: rpc.Metadata{{Name: "why", Value: strings.Repeat("x", 66_000)}, fine}}, "OK  ['yes']"},
		{"a long error", telling{trailer: rpc.Metadata{fine}, err: rpc.Errorf(rpc.NotFound, "%s", strings.Repeat("é", 150_000))}, "NOT_FOUND ééééé ['yes']"},
		{"an error of 9,000 bytes", telling{trailer: rpc.Metadata{fine}, err: rpc.Errorf(rpc.NotFound, "%s", strings.Repeat("x", 9000))}, "NOT_FOUND xxxxx ['yes']"},
	} {
		t.Run(is.name, func(t *testing.T) {
			next.Store(&is.telling)
			ctx, cancel := context.WithTimeout(background, 3*patience)
			defer cancel()
			command := exec.CommandContext(ctx, interpreter, "-c", askInPython, address.String())
			command.Env = append(command.Environ(), "PYTHONIOENCODING=utf-8")
			if said, err := command.CombinedOutput(); err != nil || string(said) != is.said+"\n"+is.said+"\n" {
				t.Errorf("%v: %s", err, said)
			}
		})
	}
}
