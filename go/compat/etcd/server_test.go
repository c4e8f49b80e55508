package etcd

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"

	"hone/go/etcd"
)

// With these variables the test program is an etcd, until it is killed.
const (
	directoryVariable = "HONE_TEST_ETCD_DIRECTORY"
	clientVariable    = "HONE_TEST_ETCD_CLIENT_URL"
	peerVariable      = "HONE_TEST_ETCD_PEER_URL"
)

func TestMain(m *testing.M) {
	if directory := os.Getenv(directoryVariable); directory != "" {
		fmt.Fprintln(os.Stderr, serve(directory))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func serve(directory string) error {
	config := embed.NewConfig()
	config.Dir = directory
	config.LogLevel = "fatal"
	// Leases of one second need elections that are shorter.
	config.TickMs, config.ElectionMs = 20, 200
	client, err := url.Parse(os.Getenv(clientVariable))
	if err != nil {
		return err
	}
	peer, err := url.Parse(os.Getenv(peerVariable))
	if err != nil {
		return err
	}
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{*client}, []url.URL{*client}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{*peer}, []url.URL{*peer}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	server, err := embed.StartEtcd(config)
	if err != nil {
		return err
	}
	// The end of its standard input is the end of the test.
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return <-server.Err()
}

// patience is the time limit for an event that must happen, on a slow machine too.
const patience = 4 * time.Minute

// server is an etcd that can be killed and started again.
type server struct {
	t                   *testing.T
	directory           string
	clientHost, peerURL string
	command             *exec.Cmd
	input               io.WriteCloser
}

func start(t *testing.T) *server {
	s := &server{t: t, directory: t.TempDir(), clientHost: freeAddress(t), peerURL: "http://" + freeAddress(t)}
	s.start()
	t.Cleanup(s.kill)
	return s
}

// freeAddress returns an address that nobody uses before the test takes it or after the test closed it: its port is outside the range of ports that
// the kernel assigns by itself, also to clients of other tests (by default 32,768 and more).
func freeAddress(t *testing.T) string {
	for range 1000 {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(22_000)))
		if err == nil {
			defer listener.Close()
			return listener.Addr().String()
		}
	}
	t.Fatal("no port is free")
	return ""
}

// start starts the server, and waits until it answers.
func (s *server) start() {
	s.t.Helper()
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	s.command = exec.Command(self)
	s.command.Env = append(os.Environ(), directoryVariable+"="+s.directory, clientVariable+"=http://"+s.clientHost, peerVariable+"="+s.peerURL)
	s.command.Stderr = os.Stderr
	if s.input, err = s.command.StdinPipe(); err != nil {
		s.t.Fatal(err)
	}
	if err := s.command.Start(); err != nil {
		s.t.Fatal(err)
	}
	client := s.client(s.clientHost)
	defer client.Close()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	for ctx.Err() == nil {
		asking, stop := context.WithTimeout(ctx, time.Second)
		_, err = client.Get(asking, "ready")
		stop()
		if err == nil {
			return
		}
	}
	s.t.Fatal("etcd does not start:", err)
}

// kill ends the server as a power failure would.
func (s *server) kill() {
	s.command.Process.Kill()
	s.command.Wait()
	s.input.Close()
}

// wipe deletes the server's data.
func (s *server) wipe() {
	if err := os.RemoveAll(s.directory); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Mkdir(s.directory, 0o700); err != nil {
		s.t.Fatal(err)
	}
}

func (s *server) client(host string) *clientv3.Client {
	config := etcd.Config("http://" + host)
	// The client logs every lost connection, of which there are many here.
	config.Logger = zap.NewNop()
	client, err := clientv3.New(config)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { client.Close() })
	return client
}

// proxy stands between a client and the server, and can be cut.
type proxy struct {
	address, to string
	lock        sync.Mutex
	listener    net.Listener
	open        map[net.Conn]bool
}

func (s *server) proxy() *proxy {
	p := &proxy{address: freeAddress(s.t), to: s.clientHost}
	p.join(s.t)
	s.t.Cleanup(p.cut)
	return p
}

func (p *proxy) join(t *testing.T) {
	listener, err := net.Listen("tcp", p.address)
	if err != nil {
		t.Fatal(err)
	}
	p.lock.Lock()
	p.listener, p.open = listener, map[net.Conn]bool{}
	p.lock.Unlock()
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", p.to)
			if err != nil {
				from.Close()
				continue
			}
			p.lock.Lock()
			isCut := p.listener != listener
			if !isCut {
				p.open[from], p.open[to] = true, true
			}
			p.lock.Unlock()
			if isCut {
				from.Close()
				to.Close()
				return
			}
			go func() { io.Copy(to, from); to.Close() }()
			go func() { io.Copy(from, to); from.Close() }()
		}
	}()
}

func (p *proxy) cut() {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.listener == nil {
		return
	}
	p.listener.Close()
	p.listener = nil
	for connection := range p.open {
		connection.Close()
	}
}
