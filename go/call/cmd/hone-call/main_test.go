package main

import (
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hone/go/call/calltest"
	"hone/go/call/command"
	"hone/go/call/connect"
	"hone/go/call/definitions"
)

// runCall runs the command in this process.
func runCall(input string, args ...string) (status int, out, errors string) {
	var o, e bytes.Buffer
	status = run(command.Streams{In: strings.NewReader(input), Out: &o, Err: &e}, args)
	return status, o.String(), e.String()
}

func TestAFunctionIsCalledOverAllWires(t *testing.T) {
	for _, network := range []string{"tcp", "unix", "shm"} {
		address := calltest.Serve(t, network, nil)
		for _, name := range append(connect.Wires(definitions.Thrift), "") {
			status, out, errors := runCall("", address, "Shop.find", `{"id": 7, "context": {"caller": "me"}}`, "--idl", calltest.IDL, "--wire", name)
			if status != 0 || !strings.Contains(out, "{\n  \"result\": {\n    \"id\": 7,\n    \"name\": \"me\",\n") || errors != "" {
				t.Errorf("%s over %s: %d %s %s", name, network, status, out, errors)
			}
		}
		status, out, errors := runCall("", address, "Shop.Find", `{"itemId": 7}`, "--idl", calltest.Proto, "-I", calltest.ProtoRoot)
		if status != 0 || out != "{\n  \"itemId\": \"7\"\n}\n" || errors != "" {
			t.Errorf("gRPC over %s: %d %s %s", network, status, out, errors)
		}
	}
}

func TestMetadataGoesWithACall(t *testing.T) {
	address := calltest.Serve(t, "unix", nil)
	for _, test := range [][]string{
		{"Shop.find", `{"id":1}`, "--idl", calltest.IDL}, {"Shop.find", `{"id":1}`, "--idl", calltest.IDL, "--wire", "ttheader-compact"},
		{"Shop.Find", "{}", "--idl", calltest.Proto, "-I", calltest.ProtoRoot},
	} {
		status, out, errors := runCall("", append([]string{address}, append(test, "-H", "caller=a=b")...)...)
		if status != 0 || !strings.Contains(out, `"name": "a=b"`) {
			t.Errorf("%q: %d %s %s", test, status, out, errors)
		}
	}
}

func TestAStreamOfResponsesIsALineForEach(t *testing.T) {
	address := calltest.Serve(t, "tcp", nil)
	status, out, errors := runCall("", address, "Shop.Watch", "--idl", calltest.Proto, "-I", calltest.ProtoRoot)
	if status != 1 || out != "{}\n{\"itemId\":\"1\"}\n{\"itemId\":\"2\"}\n" || !strings.Contains(errors, "Aborted: closing time") {
		t.Errorf("%d %s %s", status, out, errors)
	}
}

func TestStreamsTakeJSONOfEachRequest(t *testing.T) {
	for _, network := range []string{"tcp", "unix", "shm"} {
		address := calltest.Serve(t, network, nil)
		for _, test := range []struct{ function, requests, want string }{
			{"Talk.chat", `{"text": "a", "times": 2} {"text": "b"}`, "{\"text\":\"a\",\"times\":2}\n{\"text\":\"a\",\"times\":2}\n{\"text\":\"b\",\"times\":1}\n"},
			{"Talk.chat", "", ""},
			{"Talk.listen", `{"text": "four"}{"text": "five"}`, "{\n  \"messages\": 2,\n  \"letters\": 8\n}\n"},
			{"Talk.repeat", `{"text": "x", "times": 2}`, "{\"text\":\"xme\",\"times\":0}\n{\"text\":\"xme\",\"times\":0}\n"},
			{"shop.v1.Shop.Fill", "{}\n{}\n{}\n", "{\n  \"x\": 3\n}\n"},
			{"shop.v1.Shop.Talk", `{"i32":1} {"i32":2}`, "{\"i32\":1}\n{\"i32\":2}\n"},
		} {
			definition := []string{"--idl", calltest.Talk}
			if strings.HasPrefix(test.function, "shop") {
				definition = []string{"--idl", calltest.Proto, "-I", calltest.ProtoRoot}
			}
			for _, argument := range []string{test.requests, "-"} {
				args := append([]string{address, test.function, argument, "-H", "caller=me"}, definition...)
				if status, out, errors := runCall(test.requests, args...); status != 0 || out != test.want || errors != "" {
					t.Errorf("%s of %q over %s: %d %s %s", test.function, argument, network, status, out, errors)
				}
			}
		}
	}
}

func TestAStreamTellsWhichRequestIsWrongAndWhatTheServerSays(t *testing.T) {
	address := calltest.Serve(t, "tcp", nil)
	for _, test := range []struct {
		args, input string
		status      int
		out, errors string
	}{
		{`{"text":"a"} {"txet":"b"}`, "", 2, "", "request 2: "},
		{`{"text":"a"} {"text"`, "", 2, "", "request 2: unexpected EOF"},
		{"-", `{"text":"a"} {"txet":"b"}`, 1, "", "request 2: "},
		{`{"text":"refuse"}`, "", 1, "", "answered: PermissionDenied: "},
		{"@missing.json", "", 2, "", "missing.json: no such file"},
	} {
		status, _, errors := runCall(test.input, address, "Talk.chat", test.args, "--idl", calltest.Talk)
		if status != test.status || !strings.Contains(errors, test.errors) {
			t.Errorf("%s: %d %s", test.args, status, errors)
		}
	}
	if status, _, errors := runCall("", address, "Talk.chat", "--idl", calltest.Talk, "--wire", "framed"); status != 2 || !strings.Contains(errors, "write --wire ttheader") {
		t.Errorf("%d %s", status, errors)
	}
}

func TestACallGoesOverTLS(t *testing.T) {
	certified := httptest.NewTLSServer(nil)
	defer certified.Close()
	address := calltest.Serve(t, "tcp", &tls.Config{Certificates: certified.TLS.Certificates})
	authority := filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certified.Certificate().Raw}), 0o666); err != nil {
		t.Fatal(err)
	}
	thrift, protobuf := []string{"Shop.find", "--idl", calltest.IDL}, []string{"Shop.Find", "--idl", calltest.Proto, "-I", calltest.ProtoRoot}
	for _, test := range []struct {
		args, secure []string
		status       int
		errors       string
	}{
		{thrift, []string{"--cacert", authority}, 0, ""},
		{protobuf, []string{"--cacert", authority}, 0, ""},
		{thrift, []string{"--tls"}, 1, "certificate signed by unknown authority"},
		{thrift, []string{"--cert", authority}, 2, "write both --cert FILE and --key FILE"},
		{thrift, []string{"--cert", authority, "--key", authority}, 2, "--cert and --key: "},
		{thrift, []string{"--cacert", "missing.pem"}, 2, "missing.pem: no such file"},
		{thrift, []string{"--cacert", calltest.IDL}, 2, "has no certificate in PEM"},
	} {
		args := append(append([]string{address}, test.args...), test.secure...)
		if status, _, errors := runCall("", args...); status != test.status || !strings.Contains(errors, test.errors) {
			t.Errorf("%q: %d %s", args, status, errors)
		}
	}
}

func TestTheExitStatusSaysHowACallWasAnswered(t *testing.T) {
	address := calltest.Serve(t, "tcp", nil)
	for _, test := range []struct {
		args        []string
		status      int
		out, errors string
	}{
		{[]string{"--idl", calltest.IDL, address, "Shop.find", `{"id":-1}`}, 1, `"missing": {`, ""},
		{[]string{address, "--idl=" + calltest.IDL, "Shop.forget", `{"id":1}`}, 0, "", ""},
		{[]string{address, "Shop.nothing", "--idl", calltest.IDL, "--timeout", "300ms"}, 1, "", "DeadlineExceeded"}, // The server may notice first, as it knows the deadline too.
		{[]string{address, "Shop.alive", "--idl", calltest.IDL}, 1, "", ": answered: Internal: "},
		{[]string{"127.0.0.1:1", "Shop.find", "--idl", calltest.IDL}, 1, "", "refused"},
		{[]string{address, "Shop.find", `{"idd":1}`, "--idl", calltest.IDL}, 2, "", "did you mean 'id'? (line 1, column 2, byte 1)\n--example shows"},
		{[]string{address, "Shop.fnid", "--idl", calltest.IDL}, 2, "", "did you mean 'find'?"},
		{[]string{address, "Shop.find"}, 2, "", "write --idl FILE.thrift"},
		{[]string{address, "--idl", calltest.IDL}, 2, "", "write ADDRESS Service.Method"},
		{[]string{address, "Shop.find", "{}", "{}", "--idl", calltest.IDL}, 2, "", "write ADDRESS Service.Method"},
		{[]string{"nowhere", "Shop.find", "--idl", calltest.IDL}, 2, "", "write host:port, unix:///path or shm:///path"},
		{[]string{address, "Shop.find", "--idl", calltest.IDL, "--wire", "morse"}, 2, "", `no wire "morse" carries Thrift; write --wire ttheader or`},
		{[]string{address, "Shop.find", "--idl", calltest.IDL, "--wire", "framed", "-H", "a=b"}, 2, "", "carries no metadata"},
		{[]string{address, "Shop.find", "--idl", calltest.IDL, "-H", "a"}, 2, "", "write -H key=value"},
		{[]string{address, "Shop.find", "--idl", calltest.IDL, "-H", "a:b=c"}, 2, "", "write letters, digits"},
		{[]string{address, "Shop.find", `{"id":-2}`, "--idl", calltest.IDL}, 1, "", "hone call: Shop.find at " + address + ": answered: PermissionDenied: "},
		{[]string{address, "Shop.Find", `{"itemId":-2}`, "--idl", calltest.Proto, "-I", calltest.ProtoRoot}, 1, "",
			"hone call: shop.v1.Shop.Find at " + address + ": answered: PermissionDenied: not you"},
		{[]string{address, "Shop.Keep", "--idl", calltest.Proto, "-I", calltest.ProtoRoot, "--timeout", "300ms"}, 1, "", "DeadlineExceeded"},
		{[]string{address, "Shop.Find", "--idl", calltest.Proto, "-I", calltest.ProtoRoot, "--wire", "framed"}, 2, "", "write --wire grpc"},
		{[]string{address, "Shop.find", "--idl", "missing.thrift"}, 2, "", "missing.thrift: error: the file cannot be read"},
		{[]string{address, "Shop.find", "--idl", calltest.IDL, "--timeout", "0s"}, 2, "", "--timeout must be positive"},
		{[]string{"--bad"}, 2, "", "usage: hone call"},
		{[]string{"--help"}, 0, "", "usage: hone call"},
	} {
		status, out, errors := runCall("", test.args...)
		if status != test.status || !strings.Contains(out, test.out) || !strings.Contains(errors, test.errors) {
			t.Errorf("%q: %d %s %s", test.args, status, out, errors)
		}
	}
}

func TestJSONComesFromAFileOrStandardInput(t *testing.T) {
	address := calltest.Serve(t, "unix", nil)
	file := filepath.Join(t.TempDir(), "args.json")
	if err := os.WriteFile(file, []byte(`{"id":9}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, argument := range []string{"-", "@" + file} {
		status, out, errors := runCall(`{"id":9}`, address, "Shop.find", argument, "--idl", calltest.IDL)
		if status != 0 || !strings.Contains(out, `"id": 9`) {
			t.Errorf("%s: %d %s %s", argument, status, out, errors)
		}
	}
}

func TestFunctionsAndExamplesArePrintedWithoutAServer(t *testing.T) {
	const proto = "../../../generic/pb/testdata/"
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--list", "--idl", calltest.Talk}, "Talk.chat  Words chat(1: Words said) (a stream both ways)  // Answers each request"},
		{[]string{"Talk.chat", "--example", "--idl", calltest.Talk}, "{\n  \"text\": \"text\",\n  \"times\": 1\n}\n"},
		{[]string{"--list", "--idl", calltest.IDL}, "Shop.find  Item find(1: ItemID id, 2: base.Context context) throws (1: base.NotFound missing)  // Finds one item.\n"},
		{[]string{"Shop.find", "--example", "--idl", calltest.IDL}, "{\n  \"id\": 1,\n"},
		{[]string{"localhost:1", "Shop.find", "--example", "--idl", calltest.IDL}, "{\n  \"id\": 1,\n"},
		{[]string{"--list", "--idl", proto + "shop/shop.proto", "-I", proto}, "shop.v1.Shop.Find  rpc Find(shop.v1.Item) returns (shop.v1.Item)  // Finds one item.\n"},
		{[]string{"Shop.Find", "--example", "--idl", proto + "shop/shop.proto", "-I", proto}, "\"itemId\": \"1\""},
	} {
		status, out, errors := runCall("", test.args...)
		if status != 0 || !strings.Contains(out, test.want) {
			t.Errorf("%q: %d %s %s", test.args, status, out, errors)
		}
	}
}
