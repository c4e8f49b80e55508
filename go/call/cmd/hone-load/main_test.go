package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hone/go/call/calltest"
	"hone/go/call/command"
)

// runLoad runs the command in this process.
func runLoad(args ...string) (status int, out, errors string) {
	var o, e bytes.Buffer
	status = run(context.Background(), command.Streams{In: strings.NewReader(""), Out: &o, Err: &e}, args)
	return status, o.String(), e.String()
}

// grpc are the arguments of a call over gRPC.
var grpc = []string{"Shop.Find", `{"itemId":7}`, "--idl", calltest.Proto, "-I", calltest.ProtoRoot}

func TestAServiceIsPutUnderOpenAndClosedLoad(t *testing.T) {
	thrift := []string{"Shop.find", `{"id":7}`, "--idl", calltest.IDL}
	for _, test := range []struct {
		network, loop string
		function      []string
	}{
		{"tcp", "--rate=200/s", thrift}, {"unix", "--callers=3", thrift}, {"shm", "--callers=3", thrift}, {"tcp", "--callers=3", append(thrift, "--wire=buffered")},
		{"tcp", "--callers=3", append(thrift, "--connections=2")}, {"unix", "--rate=200/s", grpc}, {"tcp", "--callers=3", grpc},
	} {
		address := calltest.Serve(t, test.network, nil)
		file := filepath.Join(t.TempDir(), "latency.hgrm")
		status, out, errors := runLoad(append([]string{address}, append(test.function, test.loop, "--duration=300ms", "--warmup=0s", "--json",
			"--timeout=240s", "--output-hdr", file)...)...)
		var told struct {
			Calls   int64              `json:"calls"`
			Latency map[string]float64 `json:"latency_s"`
			Errors  int64              `json:"errors"`
			Server  *float64           `json:"server_cpu_per_call_s"`
		}
		err := json.Unmarshal([]byte(out), &told)
		if status != 0 || err != nil || told.Calls == 0 || told.Errors != 0 || told.Latency["p50"] <= 0 || told.Server == nil || errors != "" {
			t.Errorf("%v: %d %s %s", test, status, out, errors)
		}
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "Percentile") {
			t.Errorf("%s %v", text, err)
		}
	}
}

func TestErrorsOfCallsAreCountedAndEndWithStatus1(t *testing.T) {
	address := calltest.Serve(t, "tcp", nil)
	for _, test := range []struct {
		function []string
		want     string
	}{
		{[]string{"Shop.find", `{"id":-1}`, "--idl", calltest.IDL}, " exception missing\n"},
		{[]string{"Shop.find", `{"id":-2}`, "--idl", calltest.IDL}, " answered: PermissionDenied: "},
		{append([]string{"Shop.Find", `{"itemId":-2}`}, grpc[2:]...), " answered: PermissionDenied: not you\n"},
	} {
		status, out, errors := runLoad(append(append([]string{address}, test.function...), "--callers=2", "--duration=50ms", "--warmup=0s", "--timeout=240s")...)
		if status != 1 || !strings.Contains(out, test.want) {
			t.Errorf("%v: %d %s %s", test, status, out, errors)
		}
	}
}

func TestCallsThatTakeTooLongAreTimeouts(t *testing.T) {
	address := calltest.Serve(t, "unix", nil)
	for _, function := range [][]string{
		{"Shop.nothing", "--idl", calltest.IDL}, {"Shop.nothing", "--idl", calltest.IDL, "--wire=buffered"}, append([]string{"Shop.Keep", "{}"}, grpc[2:]...),
	} {
		status, out, errors := runLoad(append(append([]string{address}, function...), "--callers=2", "--duration=50ms", "--warmup=0s", "--timeout=300ms")...)
		if status != 1 || !strings.Contains(out, " timeout\n") {
			t.Errorf("%v: %d %s %s", function, status, out, errors)
		}
	}
}

func TestWhatIsWrongWithArgumentsIsTold(t *testing.T) {
	for arguments, want := range map[string]string{
		"":                                "there is no load; write --rate 1000/s",
		"--rate x":                        "write a number of calls per second, as in 1000/s",
		"--rate 0":                        "write a number of calls per second",
		"--callers -1":                    "--callers must be from 1",
		"--callers 1 --connections 2":     "--connections must be from 1 to the number of callers",
		"--callers 1 --duration 0s":       "--duration must be positive",
		"--callers 1 --warmup -1s":        "--warmup must not be negative",
		"--callers 1 --pid -1":            "--pid must be the number",
		"--callers 1":                     "write --idl",
		"--callers 1 --idl missing.proto": "missing.proto",
	} {
		status, _, errors := runLoad(append([]string{"localhost:1", "Shop.find"}, strings.Fields(arguments)...)...)
		if status != 2 || !strings.Contains(errors, want) {
			t.Errorf("%s: %d %s", arguments, status, errors)
		}
	}
	status, _, errors := runLoad("127.0.0.1:1", "Shop.find", "--idl", calltest.IDL, "--callers=1")
	if status != 1 || !strings.Contains(errors, "refused") {
		t.Errorf("%d %s", status, errors)
	}
	status, _, errors = runLoad("127.0.0.1:1", "Shop.Watch", "--idl", calltest.Proto, "-I", calltest.ProtoRoot, "--callers=1")
	if status != 2 || !strings.Contains(errors, "shop.v1.Shop.Watch is a stream") {
		t.Errorf("%d %s", status, errors)
	}
}
