package rpc

import (
	"context"
	"net"
	"path/filepath"
	"reflect"
	"testing"
)

func TestACommaOfAPathDoesNotSplitIt(t *testing.T) {
	for list, expected := range map[string][]string{
		"tcp://a:1,tcp://b:2":                       {"tcp://a:1", "tcp://b:2"},
		"a:1,b:2":                                   {"a:1", "b:2"},
		"unix:///run/a,b.sock":                      {"unix:///run/a,b.sock"},
		"shm:///run/a,b,c":                          {"shm:///run/a,b,c"},
		"unix:///run/a,shm:///run/b,c,tcp://d:1":    {"unix:///run/a", "shm:///run/b,c", "tcp://d:1"},
		"unix:///run/a,unix:/run/b,c,10.0.0.1:9090": {"unix:///run/a", "unix:/run/b,c", "10.0.0.1:9090"},
		"unix:///run/a,b:c.sock":                    {"unix:///run/a,b:c.sock"},
		"unix:///run/a,":                            {"unix:///run/a,"},
		"tcp://a:1,b.sock":                          {"tcp://a:1", "b.sock"},
		"":                                          {""},
	} {
		if got := addressesOf(list); !reflect.DeepEqual(got, expected) {
			t.Errorf("%q is split into %q, not %q", list, got, expected)
		}
	}
}

func TestAServerIsCalledAtAPathWithAComma(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a,b.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Skip("skipped: no Unix sockets here: ", err)
	}
	defer listener.Close()
	accepted := make(chan error, 1)
	go func() {
		conn, err := listener.Accept()
		if err == nil {
			conn.Close()
		}
		accepted <- err
	}()
	client := Dial("unix://" + path)
	defer client.Close()
	ctx, stop := context.WithCancel(t.Context())
	go client.Call(ctx, "anything", nil, nil)
	if err := <-accepted; err != nil {
		t.Error(err)
	}
	stop()
}
