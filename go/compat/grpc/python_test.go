package grpc

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// python returns an interpreter that has grpcio.
func python(t *testing.T) string {
	t.Helper()
	for _, interpreter := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(interpreter, "-c", "import grpc").Run() == nil {
			return interpreter
		}
	}
	t.Skip("skipped: Python has no module grpc: apt-get install python3-grpcio")
	return ""
}

func TestGRPCIOCallsUs(t *testing.T) {
	if testing.Short() {
		t.Skip("further end to end")
	}
	interpreter := python(t)
	for _, network := range []string{"tcp", "unix"} {
		t.Run(network, func(t *testing.T) {
			s := setting{network: network, ourServer: func(server *rpc.Server) { server.Compress = 1000 }}
			_, address := s.serveOurs(t, newWorld())
			at := address.String()
			if network == "unix" {
				at = "unix:" + at
			}
			command := exec.CommandContext(within(t, 3*patience), interpreter, "testdata/peer.py", "call", at)
			if said, err := command.CombinedOutput(); err != nil || string(said) != "done\n" {
				t.Errorf("%v: %s", err, said)
			}
		})
	}
}

func TestWeCallGRPCIO(t *testing.T) {
	if testing.Short() {
		t.Skip("further end to end")
	}
	interpreter := python(t)
	at := filepath.Join(t.TempDir(), "s")
	command := exec.CommandContext(within(t, 3*patience), interpreter, "testdata/peer.py", "serve", "unix:"+at)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer command.Wait()
	defer in.Close()
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatal(line, err)
	}
	s := setting{ourClient: func(client *rpc.Client) { client.Compress = 1000 }}
	c := s.dialByOurs(t, &net.UnixAddr{Name: at, Net: "unix"})
	ctx := within(t, patience)
	for _, name := range []string{"Ada", "", strings.Repeat("long", 100_000)} {
		if text, _, _, err := c.hello(ctx, name); err != nil || text != "Hello, "+name {
			t.Fatal(len(text), err)
		}
	}
	testList(t, c, 20, 50_000)
	testUpload(t, c, 20, 50_000)
	testChat(t, c)
	_, header, trailer, err := c.hello(c.with(c.with(ctx, "x-text", "a, b"), "x-bytes-bin", "\x00\xff"), meta)
	if err != nil || header.Get("x-text")[0] != "a, b" || trailer.Get("x-bytes-bin")[0] != "\x00\xff" {
		t.Error(header, trailer, err)
	}
	_, _, trailer, err = c.hello(ctx, fail)
	if told := c.told(err); told.code != rpc.FailedPrecondition || told.text != "nö: 100 %\n" || trailer.Get("why")[0] != "because" {
		t.Errorf("%+v %v", told, trailer)
	}
	if _, _, _, err := c.hello(within(t, 100*time.Millisecond), wait); c.told(err).code != rpc.DeadlineExceeded {
		t.Error(err)
	}
	if err := c.call(ctx, greeter.Greeter_Look_FullMethodName); c.told(err).code != rpc.Unimplemented {
		t.Error(err)
	}
	if err := atOnce(300, func(i int) error { return exchange(ctx, c, i) }); err != nil {
		t.Error(err)
	}
}
