//go:build linux

package shm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// listening serves each connection of a socket by a function, until the test ends.
func listening(t testing.TB, server *Server, serve func(*Conn)) (path string) {
	path = filepath.Join(t.TempDir(), "s")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	var served sync.WaitGroup
	t.Cleanup(func() {
		listener.Close()
		served.Wait()
	})
	served.Go(func() {
		for {
			accepted, err := listener.AcceptUnix()
			if err != nil {
				return
			}
			conn, err := server.Conn(accepted)
			if err != nil {
				t.Error(err)
				return
			}
			conn.SetHandshakeTimeout(testPatience)
			served.Go(func() {
				defer conn.Close()
				serve(conn)
			})
		}
	})
	return path
}

func dialled(t testing.TB, dialer *Dialer, path string) net.Conn {
	// A busy machine may take longer than the default allows.
	dialer.Patience = testPatience
	conn, err := dialer.Dial(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func isShared(conn net.Conn) bool {
	shared, is := conn.(*Conn)
	return is && shared.IsShared()
}

// echo sends back the bytes that come.
func echo(conn *Conn) { io.Copy(struct{ io.Writer }{conn}, struct{ io.Reader }{conn}) }

func TestWhatIsWrittenIsReadInItsOrderWhateverTheSizes(t *testing.T) {
	for _, options := range []Options{{RingBytes: 64 << 10}, {RingBytes: 1 << 20, Spin: -1}} {
		server := &Server{Options: options}
		conn := dialled(t, &Dialer{Options: options}, listening(t, server, echo))
		if !isShared(conn) {
			t.Fatal("the connection is not shared")
		}
		sizes := rand.New(rand.NewSource(1))
		const total = 8 << 20
		sent := sha256.New()
		go func() {
			text := make([]byte, 200<<10)
			for written := 0; written < total; {
				part := text[:min(1+sizes.Intn(1<<sizes.Intn(18)), total-written)]
				sizes.Read(part)
				sent.Write(part)
				if _, err := conn.Write(part); err != nil {
					t.Error(err)
				}
				written += len(part)
			}
			if err := conn.(*Conn).CloseWrite(); err != nil {
				t.Error(err)
			}
		}()
		got := sha256.New()
		if n, err := io.CopyBuffer(struct{ io.Writer }{got}, struct{ io.Reader }{conn}, make([]byte, 30_001)); n != total || err != nil {
			t.Fatalf("%d bytes came back: %v", n, err)
		}
		if !bytes.Equal(sent.Sum(nil), got.Sum(nil)) {
			t.Error("other bytes came back than were sent")
		}
	}
}

func TestAnOrdinaryClientIsServedByAServerOfSharedMemory(t *testing.T) {
	for _, text := range []string{"x", "HONE", "HONESHM2 and more", "HEAD / HTTP/1.1\r\n"} {
		server := &Server{}
		conn, err := net.Dial("unix", listening(t, server, echo))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		// A few bytes that may begin a hello are told apart from it by the bytes that follow, or by the end.
		conn.(*net.UnixConn).CloseWrite()
		if back, err := io.ReadAll(conn); string(back) != text || err != nil {
			t.Errorf("%q came back of %q: %v", back, text, err)
		}
		if got := server.Stats(); got != (Stats{Plain: 1}) {
			t.Errorf("the server tells of %+v", got)
		}
	}
}

func TestAClientGetsAnOrdinaryConnectionWhereThereIsNoMemoryForIt(t *testing.T) {
	nobody := func(uint32) bool { return false }
	for name, is := range map[string]*struct {
		server Server
		dialer Dialer
	}{
		"the server does not allow it": {server: Server{Options: Options{Allow: nobody}}},
		"the client does not allow it": {dialer: Dialer{Options: Options{Allow: nobody}}},
		"others have all there is":     {server: Server{MostSegments: 1}},
		"a ring cannot be so small":    {server: Server{Options: Options{RingBytes: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			path := listening(t, &is.server, echo)
			if is.server.MostSegments == 1 && !isShared(dialled(t, new(Dialer), path)) {
				t.Fatal("the first connection is not shared")
			}
			conn := dialled(t, &is.dialer, path)
			if isShared(conn) {
				t.Error("the connection is shared")
			}
			if _, err := conn.Write([]byte("text")); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(conn, make([]byte, 4)); err != nil {
				t.Fatal(err)
			}
			if got := is.dialer.Stats(); got != (Stats{Plain: 1}) {
				t.Errorf("the client tells of %+v", got)
			}
			if got := is.server.Stats().Plain; got != 1 {
				t.Errorf("the server tells of %d ordinary connections", got)
			}
		})
	}
}

func TestAClientConnectsToServersThatDoNotKnowSharedMemory(t *testing.T) {
	for name, serve := range map[string]func(net.Conn){
		"closes": func(conn net.Conn) { conn.Close() },
		"answers": func(conn net.Conn) {
			conn.Write([]byte("what is that?"))
			io.Copy(io.Discard, conn)
		},
		"answers little": func(conn net.Conn) {
			conn.Write([]byte("HON"))
			conn.(*net.UnixConn).CloseWrite()
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s")
			listener, err := net.Listen("unix", path)
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			go func() {
				for isFirst := true; ; isFirst = false {
					conn, err := listener.Accept()
					switch {
					case err != nil:
						return
					case isFirst:
						serve(conn)
					default:
						conn.Write([]byte("welcome"))
					}
				}
			}()
			dialer := new(Dialer)
			conn := dialled(t, dialer, path)
			if _, err := io.ReadFull(conn, make([]byte, 7)); err != nil || isShared(conn) {
				t.Errorf("shared %t: %v", isShared(conn), err)
			}
			if got := dialer.Stats(); got != (Stats{Plain: 1}) {
				t.Errorf("the client tells of %+v", got)
			}
		})
	}
}

func TestDialEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		io.ReadFull(conn, make([]byte, helloBytes))
		cancel(reason)
	}()
	if _, err := new(Dialer).Dial(ctx, path); !errors.Is(err, reason) {
		t.Errorf("dialling ends with %v", err)
	}
}

func TestDeadlinesEndReadsAndWrites(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	conn := dialled(t, new(Dialer), listening(t, new(Server), func(conn *Conn) {
		conn.Read(make([]byte, 1))
		<-hold
	}))
	if _, err := conn.Write([]byte{1}); err != nil {
		t.Fatal(err)
	}
	conn.SetReadDeadline(time.Now().Add(time.Millisecond))
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("reading ends with %v", err)
	}
	// The memory takes as many bytes as fit into the ring, and no more: the byte that was written first may still be in it.
	if n, err := conn.Write(make([]byte, defaultRingBytes-1)); err != nil {
		t.Fatalf("writing ends after %d bytes with %v", n, err)
	}
	conn.SetWriteDeadline(time.Now().Add(20 * time.Millisecond))
	if n, err := conn.Write(make([]byte, 1<<20)); !errors.Is(err, os.ErrDeadlineExceeded) || n > 1 {
		t.Errorf("writing more ends after %d bytes with %v", n, err)
	}
}

func TestClosingEndsReadsAndWritesOfBothSidesAndGivesTheMemoryBack(t *testing.T) {
	for _, closes := range []string{"client", "server"} {
		t.Run(closes, func(t *testing.T) {
			server, dialer := new(Server), new(Dialer)
			accepted := make(chan *Conn)
			hasEnded := make(chan struct{})
			path := listening(t, server, func(conn *Conn) {
				conn.Read(make([]byte, 1))
				accepted <- conn
				<-hasEnded
			})
			client := dialled(t, dialer, path)
			if _, err := client.Write([]byte{1}); err != nil {
				t.Fatal(err)
			}
			other := <-accepted
			var ends sync.WaitGroup
			for _, side := range []net.Conn{client, other} {
				ends.Go(func() {
					if n, err := side.Read(make([]byte, 1<<20)); n == 0 && err == nil {
						t.Error("reading ends without an error")
					}
					// Bytes that were on their way may come before the end.
					io.Copy(io.Discard, struct{ io.Reader }{side})
				})
				ends.Go(func() {
					for {
						if _, err := side.Write(make([]byte, 1<<20)); err != nil {
							return
						}
					}
				})
			}
			if closes == "client" {
				client.Close()
			} else {
				other.Close()
			}
			ends.Wait()
			close(hasEnded)
			client.Close()
			other.Close()
			if err := client.Close(); !errors.Is(err, net.ErrClosed) {
				t.Errorf("closing again gives %v", err)
			}
			eventually(t, func() bool { return dialer.Stats().Open == 0 && server.Stats().Open == 0 })
			if _, err := client.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
				t.Errorf("reading after that ends with %v", err)
			}
		})
	}
}

func TestWhatWasWrittenBeforeTheEndIsRead(t *testing.T) {
	for range 200 {
		path := listening(t, new(Server), func(conn *Conn) {
			conn.Read(make([]byte, 1))
			conn.Write([]byte("last words"))
		})
		conn := dialled(t, new(Dialer), path)
		conn.Write([]byte{1})
		if said, err := io.ReadAll(conn); string(said) != "last words" || err != nil {
			t.Fatalf("%q was read: %v", said, err)
		}
		conn.Close()
	}
}

// eventually waits until a condition holds.
func eventually(t testing.TB, holds func() bool) {
	t.Helper()
	for late := time.Now().Add(testPatience); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("it does not come to hold in %v", testPatience)
		}
	}
}
