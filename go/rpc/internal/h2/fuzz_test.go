package h2

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"hone/go/rpc/internal/link"
)

// script is a connection that gives some bytes, in parts, and takes everything that is written.
type script struct {
	parts  [][]byte
	waits  []<-chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newScript() *script { return &script{closed: make(chan struct{})} }

// then adds bytes that come next: once a channel is closed, if there is a channel.
func (s *script) then(part []byte, wait <-chan struct{}) {
	s.parts, s.waits = append(s.parts, part), append(s.waits, wait)
}

func (s *script) Read(into []byte) (int, error) {
	for len(s.parts) > 0 {
		if s.waits[0] != nil {
			select {
			case <-s.waits[0]:
			case <-s.closed:
				return 0, net.ErrClosed
			}
		}
		if n := copy(into, s.parts[0]); n > 0 {
			s.parts[0] = s.parts[0][n:]
			return n, nil
		}
		s.parts, s.waits = s.parts[1:], s.waits[1:]
	}
	return 0, io.EOF
}

func (s *script) Write(b []byte) (int, error)      { return len(b), nil }
func (s *script) Close() error                     { s.once.Do(func() { close(s.closed) }); return nil }
func (s *script) LocalAddr() net.Addr              { return nil }
func (s *script) RemoteAddr() net.Addr             { return nil }
func (s *script) SetDeadline(time.Time) error      { return nil }
func (s *script) SetReadDeadline(time.Time) error  { return nil }
func (s *script) SetWriteDeadline(time.Time) error { return nil }

// written returns the bytes that a raw peer writes.
func written(do func(r *raw)) []byte {
	var out bytes.Buffer
	r := &raw{Framer: http2.NewFramer(&out, nil), conn: nil}
	r.AllowIllegalWrites = true
	r.encoder = hpack.NewEncoder(&r.block)
	do(r)
	return out.Bytes()
}

func FuzzNothingThatAClientSendsHurtsAServer(f *testing.F) {
	for _, fault := range faults {
		f.Add(written(func(r *raw) {
			r.WriteSettings()
			r.call(9, "/stream", "hello")
			r.call(11, "/echo", "hello")
			fault.do(r)
		}), byte(len(fault.name)))
	}
	f.Fuzz(func(t *testing.T, bytes []byte, cut byte) {
		conn := newScript()
		conn.then([]byte(preface), nil)
		// The bytes come in two parts, or, if cut is small, in many.
		for n := int(cut) + 1; len(bytes) > n && cut%2 == 0; {
			conn.then(bytes[:n], nil)
			bytes = bytes[n:]
		}
		conn.then(bytes, nil)
		l := link.New(conn, link.Options{})
		options := Options{HeaderBytes: 4096, MessageBytes: 100_000, HeldBytes: 200_000, Streams: 20, LingerTimeout: time.Hour}
		server := NewServer(l, options, handleOrWait)
		server.Serve()
		if server.Streams() != 0 {
			t.Fatal("streams are left")
		}
		if held := server.conn.held.Load(); held != 0 {
			t.Fatal("bytes are held:", held)
		}
	})
}

func FuzzNothingThatAServerSendsHurtsAClient(f *testing.F) {
	for _, answer := range answers {
		if answer.name == "a server that closes the connection" {
			continue
		}
		f.Add(written(func(r *raw) {
			r.answer(3, "hello")
			r.answer(5, strings.Repeat("hello", 1000))
			answer.do(r)
		}), byte(len(answer.name)))
	}
	f.Fuzz(func(t *testing.T, bytes []byte, cut byte) {
		conn, opened := newScript(), make(chan struct{})
		conn.then(written(func(r *raw) { r.WriteSettings() }), nil)
		conn.then(nil, opened)
		for n := int(cut) + 1; len(bytes) > n && cut%2 == 0; {
			conn.then(bytes[:n], nil)
			bytes = bytes[n:]
		}
		conn.then(bytes, nil)
		l := link.New(conn, link.Options{})
		client := NewClient(l, Options{HeaderBytes: 4096, MessageBytes: 100_000, HeldBytes: 200_000, LingerTimeout: time.Hour})
		unary := unaryCall{reply: &text{}, wake: make(chan struct{}, 1)}
		call := method("/echo")
		call.Receiver = &unary
		if _, err := client.start(background, &unary.Stream, call, Bytes("x"), false); err != nil {
			t.Fatal(err)
		}
		stream, err := client.Open(background, method("/stream"))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := client.Send(background, method("/stream"), Bytes("x"), false)
		if err != nil {
			t.Fatal(err)
		}
		close(opened)
		for _, s := range []*Stream{stream, whole} {
			for err = error(nil); err == nil; {
				_, _, err = s.Receive(background)
			}
			var why *Error
			if err != io.EOF && !errors.As(err, &why) {
				t.Fatal(err)
			}
		}
		<-unary.wake
		<-client.Ended()
		if held := client.conn.held.Load(); held != 0 || client.Streams() != 0 {
			t.Fatal("bytes are held:", held)
		}
	})
}
