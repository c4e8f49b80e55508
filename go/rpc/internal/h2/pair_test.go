package h2

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/link"
)

var background = context.Background()

// sockets returns both ends of a connection.
func sockets(t testing.TB, network string) (client, server net.Conn) {
	t.Helper()
	if network == "pipe" {
		return net.Pipe()
	}
	address := "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(t.TempDir(), "s")
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client, err = net.Dial(network, listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server, err = listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return client, server
}

// pair is a client and a server that are connected.
type pair struct {
	client *Client
	server *Server
	served chan error
}

func connect(t testing.TB, network string, options Options, handle func(*Stream)) *pair {
	t.Helper()
	a, b := sockets(t, network)
	p := &pair{server: NewServer(link.New(b, link.Options{}), options, handle), served: make(chan error, 1)}
	go func() { p.served <- p.server.Serve() }()
	p.client = NewClient(link.New(a, link.Options{}), options)
	t.Cleanup(func() {
		p.client.conn.link.Close(errors.New("the test is over"))
		p.server.conn.link.Close(errors.New("the test is over"))
		<-p.client.Ended()
	})
	return p
}

// text is a reply that keeps its message.
type text struct{ got string }

func (r *text) ReadMessage(_ *Stream, message []byte, _ bool) error {
	r.got = string(message)
	return nil
}

func method(path string) Call {
	return Call{Header: NewRequestTemplate("http", "test", path, "application/grpc", "hone")}
}

// echo answers each call from the reader with the message that was sent. For a path that begins with "/stream" a goroutine answers
// message by message.
type echo struct{}

func (echo) Message(s *Stream, message []byte, isCompressed, isLast bool) {
	s.RespondNow(background, &Response{Message: Bytes(bytes.Clone(message)), IsCompressed: isCompressed})
}

func (echo) End(s *Stream, why *Error) {
	if why != nil {
		s.RespondNow(background, &Response{Status: grpcwire.Status{Code: why.Code, Message: why.What}})
	}
}

func handleEcho(s *Stream) {
	if strings.HasPrefix(s.Request.Path, "/stream") {
		go echoStream(s)
		return
	}
	s.SetReceiver(echo{})
}

func echoStream(s *Stream) {
	for {
		message, isCompressed, err := s.Receive(background)
		if err == io.EOF {
			s.Finish(background, grpcwire.Status{}, s.Request.Metadata)
			return
		}
		if err == nil {
			err = s.SendMessage(background, Bytes(message), isCompressed)
		}
		if err != nil {
			s.Reset(Cancel)
			return
		}
	}
}

func eachNetwork(t *testing.T, test func(t *testing.T, network string)) {
	for _, network := range []string{"tcp", "unix", "pipe"} {
		t.Run(network, func(t *testing.T) { test(t, network) })
	}
}

func TestACallIsAnswered(t *testing.T) {
	eachNetwork(t, func(t *testing.T, network string) {
		p := connect(t, network, Options{}, handleEcho)
		for _, size := range []int{0, 1, 1000, 16 << 10, 100_000, 3 << 20} {
			message, reply := strings.Repeat("x", size), text{}
			s, err := p.client.Call(background, method("/echo"), Bytes(message), false, &reply)
			if err != nil || s.Status().Code != grpcwire.OK || reply.got != message {
				t.Fatalf("%d bytes: %d came back: %v", size, len(reply.got), err)
			}
		}
	})
}

func TestManyCallsAtOnceAreAnswered(t *testing.T) {
	eachNetwork(t, func(t *testing.T, network string) {
		p := connect(t, network, Options{}, handleEcho)
		var all sync.WaitGroup
		for i := range 500 {
			all.Add(1)
			go func() {
				defer all.Done()
				message, reply := fmt.Sprint(i, strings.Repeat("x", i*10)), text{}
				if _, err := p.client.Call(background, method("/echo"), Bytes(message), false, &reply); err != nil || reply.got != message {
					t.Errorf("%d: %d bytes: %v", i, len(reply.got), err)
				}
			}()
		}
		all.Wait()
	})
}

func TestAStreamCarriesMessagesBothWays(t *testing.T) {
	eachNetwork(t, func(t *testing.T, network string) {
		p := connect(t, network, Options{}, handleEcho)
		call := method("/stream")
		call.Metadata = []Field{{"x-trace", "17"}}
		s, err := p.client.Open(background, call)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 100 {
			message := strings.Repeat("m", i*1000)
			sent := make(chan error)
			go func() { sent <- s.SendMessage(background, Bytes(message), i%2 == 0) }()
			got, isCompressed, err := s.Receive(background)
			if err != nil || string(got) != message || isCompressed != (i%2 == 0) {
				t.Fatal(i, len(got), err)
			}
			if err := <-sent; err != nil {
				t.Fatal(err)
			}
		}
		if err := s.CloseSend(background); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Receive(background); err != io.EOF || s.Status().Code != grpcwire.OK {
			t.Fatal(err, s.Status())
		}
		if trailer := s.Trailer(); len(trailer) != 1 || trailer[0] != (Field{"x-trace", "17"}) {
			t.Fatal(trailer)
		}
	})
}

func TestACallEndsWithItsContext(t *testing.T) {
	entered := make(chan *Stream, 1)
	p := connect(t, "tcp", Options{}, func(s *Stream) { entered <- s })
	ctx, cancel := context.WithCancel(background)
	result := make(chan error)
	go func() {
		_, err := p.client.Call(ctx, method("/never"), Bytes("x"), false, &text{})
		result <- err
	}()
	s := <-entered
	cancel()
	var why *Error
	if err := <-result; !errors.As(err, &why) || why.Code != grpcwire.Canceled {
		t.Fatal(err)
	}
	<-s.Done()
	if s.Err().Code != grpcwire.Canceled {
		t.Fatal(s.Err())
	}
	s.Reset(Cancel)
	deadline, cancel := context.WithTimeout(background, time.Millisecond)
	defer cancel()
	if _, err := p.client.Call(deadline, method("/never"), Bytes("x"), false, &text{}); !errors.As(err, &why) || why.Code != grpcwire.DeadlineExceeded {
		t.Fatal(err)
	}
}
