package rpc_test

import (
	"context"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hone/go/rpc"
	"hone/go/rpc/proxy"
)

// unreachable is an address that only a proxy can reach.
const unreachable = "shop.invalid:9090"

// tunnels is a proxy that connects to one address, whatever address a client asks for, and counts.
type tunnels struct {
	*httptest.Server
	made atomic.Int64
}

func startProxy(t *testing.T, to string, user string) *tunnels {
	p := new(tunnels)
	p.Server = httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		switch {
		case request.Method != http.MethodConnect || request.Host != unreachable:
			http.Error(answer, "only "+unreachable, http.StatusForbidden)
			return
		case user != "" && request.Header.Get("Proxy-Authorization") != "Basic "+base64.StdEncoding.EncodeToString([]byte(user)):
			http.Error(answer, "who are you?", http.StatusProxyAuthRequired)
			return
		}
		there, err := net.Dial("tcp", strings.TrimPrefix(to, "tcp://"))
		if err != nil {
			http.Error(answer, err.Error(), http.StatusBadGateway)
			return
		}
		p.made.Add(1)
		here, _, err := answer.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		io.WriteString(here, "HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n")
		go func() {
			io.Copy(there, here)
			there.Close()
		}()
		go func() {
			io.Copy(here, there)
			here.Close()
		}()
	}))
	t.Cleanup(p.Close)
	return p
}

// callThrough calls through a proxy.
func callThrough(t *testing.T, wire rpc.Wire, address string, proxy rpc.Proxy) error {
	t.Helper()
	client := rpc.Dial(address)
	client.Wire, client.Proxy, client.ConnectTimeout = wire, proxy, testPatience
	defer client.Close()
	return callOf(client)(within(t, testPatience))
}

func TestCallsGoThroughTheProxyThatTheEnvironmentNames(t *testing.T) {
	for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.Framed, rpc.GRPC} {
		t.Run(wire.String(), func(t *testing.T) {
			s, _ := setPolite(t)
			listener, err := rpc.Listen("tcp://127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			go s.server.Serve(listener)
			at := startProxy(t, listener.Addr().String(), "ada:secret")
			t.Setenv("HTTPS_PROXY", strings.Replace(at.URL, "://", "://ada:secret@", 1))
			t.Setenv("NO_PROXY", "other.invalid")
			if err := callThrough(t, wire, "tcp://"+unreachable, proxy.FromEnvironment); err != nil || at.made.Load() == 0 {
				t.Fatal(at.made.Load(), err)
			}
			// The client connects to this machine's own address without the proxy.
			made := at.made.Load()
			if err := callThrough(t, wire, "tcp://"+listener.Addr().String(), proxy.FromEnvironment); err != nil || at.made.Load() != made {
				t.Fatal(at.made.Load(), err)
			}
		})
	}
}

func TestAProxyThatDoesNotConnectIsTold(t *testing.T) {
	closed := startProxy(t, "127.0.0.1:1", "ada:secret")
	garbage, _ := serveBadly(t, "tcp", func(conn net.Conn, _ <-chan struct{}) { io.WriteString(conn, "SSH-2.0-x\r\n\r\n") })
	endless, _ := serveBadly(t, "tcp", func(conn net.Conn, _ <-chan struct{}) {
		io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
		for many := strings.Repeat("x: y\r\n", 4096); ; {
			if _, err := io.WriteString(conn, many); err != nil {
				return
			}
		}
	})
	for name, is := range map[string]struct{ proxy, target, want string }{
		"password":  {closed.URL, unreachable, "USER:PASSWORD"},
		"forbidden": {closed.URL, "other.invalid:1", "403"},
		"no server": {strings.Replace(closed.URL, "://", "://ada:secret@", 1), unreachable, "502"},
		"no proxy":  {strings.Replace(garbage, "tcp", "http", 1), unreachable, "SSH-2.0"},
		"endless":   {strings.Replace(endless, "tcp", "http", 1), unreachable, "too long"},
		"socks":     {"socks5://127.0.0.1:1", unreachable, "socks5 is not known"},
	} {
		at, err := url.Parse(is.proxy)
		if err != nil {
			t.Fatal(err)
		}
		err = callThrough(t, rpc.TTHeader, "tcp://"+is.target, func(string) (*url.URL, error) { return at, nil })
		if rpc.CodeOf(err) != rpc.Unavailable || !strings.Contains(err.Error(), is.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAProxyThatIsSilentTakesNoLongerThanConnectingMay(t *testing.T) {
	silent, _ := serveBadly(t, "tcp", func(_ net.Conn, ended <-chan struct{}) { <-ended })
	at, err := url.Parse(strings.Replace(silent, "tcp", "http", 1))
	if err != nil {
		t.Fatal(err)
	}
	client := rpc.Dial("tcp://" + unreachable)
	client.ConnectTimeout, client.Proxy = 10*time.Millisecond, func(string) (*url.URL, error) { return at, nil }
	defer client.Close()
	if err := callOf(client)(context.Background()); rpc.CodeOf(err) != rpc.Unavailable {
		t.Fatal(err)
	}
}
