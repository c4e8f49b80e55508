package grpc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	peer "google.golang.org/grpc"

	"hone/go/rpc/internal/h2"
)

// serverEnv names the service that this program serves instead of running tests; addressEnv gives the address.
const (
	serverEnv  = "HONE_TEST_SERVER"
	addressEnv = "HONE_TEST_ADDRESS"
)

func TestMain(m *testing.M) {
	if which := os.Getenv(serverEnv); which != "" {
		serveAlone(which, os.Getenv(addressEnv))
		return
	}
	os.Exit(m.Run())
}

// serveAlone serves until its input ends, and then prints the CPU time that it took, in ns. Each line of input asks for the figure
// so far.
func serveAlone(which, address string) {
	t := new(testing.B)
	n := network{kind: "unix", path: address}
	if which == "ours" {
		serveOurs(t, n, h2.Options{}, newOurs().handle)
	} else {
		newTheirs().serve(t, n)
	}
	fmt.Println("ready")
	line := make([]byte, 1)
	for {
		if _, err := os.Stdin.Read(line); err != nil {
			return
		}
		fmt.Println(cpu())
	}
}

// cpu returns the CPU time that this process has taken, in ns.
func cpu() int64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return used.Utime.Nano() + used.Stime.Nano()
}

// alone is a server in a process of its own.
type alone struct {
	b      *testing.B
	in     io.Writer
	out    io.Reader
	socket string
}

func startAlone(b *testing.B, which string) *alone {
	a := &alone{b: b, socket: filepath.Join(b.TempDir(), "s")}
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), serverEnv+"="+which, addressEnv+"="+a.socket)
	in, err := command.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	a.in = in
	if a.out, err = command.StdoutPipe(); err != nil {
		b.Fatal(err)
	}
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		command.Wait()
	})
	a.line()
	return a
}

func (a *alone) line() string {
	buffer := make([]byte, 64)
	n, err := a.out.Read(buffer)
	if err != nil {
		a.b.Fatal(err)
	}
	return strings.TrimSpace(string(buffer[:n]))
}

// cpu returns the CPU time that the server has taken, in ns.
func (a *alone) cpu() int64 {
	a.in.Write([]byte("?"))
	ns, err := strconv.ParseInt(a.line(), 10, 64)
	if err != nil {
		a.b.Fatal(err)
	}
	return ns
}

// BenchmarkUnary measures calls of 1 KiB each way over one connection: the CPU time of each side per call, for several numbers of
// callers.
func BenchmarkUnary(b *testing.B) {
	for _, callers := range []int{1, 100, 1000} {
		for _, client := range []string{"ours", "theirs"} {
			for _, server := range []string{"ours", "theirs"} {
				b.Run(fmt.Sprintf("callers=%d/client=%s/server=%s", callers, client, server), func(b *testing.B) {
					unary(b, callers, client, startAlone(b, server))
				})
			}
		}
	}
}

// BenchmarkStreams measures messages over 100 streams of one connection. Either each message is sent back before the next one is
// sent, or the server sends all of them. The CPU time of each side is per message.
func BenchmarkStreams(b *testing.B) {
	for _, kind := range []string{"chat", "expand"} {
		for _, client := range []string{"ours", "theirs"} {
			for _, server := range []string{"ours", "theirs"} {
				b.Run(fmt.Sprintf("kind=%s/client=%s/server=%s", kind, client, server), func(b *testing.B) {
					streams(b, kind, client, startAlone(b, server))
				})
			}
		}
	}
}

// conversation sends and receives messages of a stream of either implementation.
type conversation struct {
	send      func(message []byte) error
	closeSend func() error
	receive   func() error
	close     func()
}

func streams(b *testing.B, kind, which string, server *alone) {
	const streams = 100
	n, address := network{kind: "unix"}, &net.UnixAddr{Net: "unix", Name: server.socket}
	var open func() conversation
	name := strings.ToUpper(kind[:1]) + kind[1:]
	if which == "ours" {
		client := ourClient(b, n, address, h2.Options{})
		open = func() conversation {
			s, err := client.Open(background, method(name))
			if err != nil {
				b.Fatal(err)
			}
			return conversation{
				func(message []byte) error { return s.SendMessage(background, h2.Bytes(message), false) },
				func() error { return s.CloseSend(background) },
				func() error { _, _, err := s.Receive(background); return err },
				func() { s.Reset(h2.Cancel) },
			}
		}
	} else {
		client := theirClient(b, n, address)
		open = func() conversation {
			ctx, cancel := context.WithCancel(background)
			s, err := client.NewStream(ctx, &peer.StreamDesc{StreamName: name, ClientStreams: true, ServerStreams: true}, "/test.Service/"+name)
			if err != nil {
				b.Fatal(err)
			}
			var reply []byte
			return conversation{func(message []byte) error { return s.SendMsg(&message) }, s.CloseSend, func() error { return s.RecvMsg(&reply) }, cancel}
		}
	}
	each := b.N/streams + 1
	talk := func(int) error {
		c := open()
		defer c.close()
		message := bytes.Repeat([]byte("m"), 1024)
		if kind == "expand" {
			if err := errors.Join(c.send([]byte(strconv.Itoa(each))), c.closeSend()); err != nil {
				return err
			}
		}
		for range each {
			if kind == "chat" {
				if err := c.send(message); err != nil {
					return err
				}
			}
			if err := c.receive(); err != nil {
				return err
			}
		}
		return nil
	}
	mine, its := cpu(), server.cpu()
	b.ReportAllocs()
	b.ResetTimer()
	if err := atOnce(streams, talk); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	b.ReportMetric(float64(server.cpu()-its)/float64(each*streams), "server-cpu-ns/op")
	b.ReportMetric(float64(cpu()-mine)/float64(each*streams), "client-cpu-ns/op")
}

func unary(b *testing.B, callers int, which string, server *alone) {
	n, address := network{kind: "unix"}, &net.UnixAddr{Net: "unix", Name: server.socket}
	var once func(message []byte) ([]byte, error)
	if which == "ours" {
		client := ourClient(b, n, address, h2.Options{})
		once = func(message []byte) ([]byte, error) { return call(background, client, "Echo", message) }
	} else {
		client := theirClient(b, n, address)
		once = func(message []byte) ([]byte, error) { return invoke(background, client, "Echo", message) }
	}
	load(b, callers, 10*callers, once)
	b.ReportAllocs()
	mine, its := cpu(), server.cpu()
	b.ResetTimer()
	load(b, callers, b.N, once)
	b.StopTimer()
	b.ReportMetric(float64(server.cpu()-its)/float64(b.N), "server-cpu-ns/op")
	b.ReportMetric(float64(cpu()-mine)/float64(b.N), "client-cpu-ns/op")
}

// load makes a number of calls by a number of callers.
func load(b *testing.B, callers, calls int, once func(message []byte) ([]byte, error)) {
	message := bytes.Repeat([]byte("m"), 1024)
	var left atomic.Int64
	left.Store(int64(calls))
	var all sync.WaitGroup
	for range callers {
		all.Add(1)
		go func() {
			defer all.Done()
			for left.Add(-1) >= 0 {
				if reply, err := once(message); err != nil || len(reply) != len(message) {
					b.Error(len(reply), err)
					return
				}
			}
		}()
	}
	all.Wait()
}
