//go:build linux

package shm

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"hone/go/internal/intruder"
	"hone/go/raw"
	"hone/go/shm/internal/segment"
)

// givingBack checks, when the test ends, that the process holds no more mappings and descriptors than before.
func givingBack(t testing.TB) {
	mappings, descriptors := intruder.Held()
	t.Cleanup(func() {
		t.Helper()
		eventually(t, func() bool {
			mappingsNow, descriptorsNow := intruder.Held()
			return mappingsNow <= mappings && descriptorsNow <= descriptors
		})
	})
}

// connected returns a plain connection to a socket.
func connected(t testing.TB, path string) *net.UnixConn {
	t.Helper()
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func intruding(t testing.TB, path string) *intruder.Peer {
	t.Helper()
	return intrudingBy(t, path, intruder.Ask)
}

func intrudingBy(t testing.TB, path string, ask func(*net.UnixConn) (*intruder.Peer, error)) *intruder.Peer {
	t.Helper()
	peer, err := ask(connected(t, path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(peer.Close)
	return peer
}

// testPatience is the time that anything that must happen may take, on a slow machine too.
const testPatience = 4 * time.Minute

// isAllowed reports whether a read or a write may end with this error, whatever the other side does.
func isAllowed(err error) bool {
	return err == nil || err == io.EOF || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, unix.EPIPE) || errors.Is(err, unix.ECONNRESET) ||
		errors.Is(err, net.ErrClosed) || isCorrupt(err)
}

func isCorrupt(err error) bool { return errors.Is(err, segment.ErrCorrupt) }

func TestAClientThatDoesAnythingWithItsMemoryBreaksNoMoreThanItsConnection(t *testing.T) {
	server := &Server{Options: Options{RingBytes: 64 << 10}}
	givingBack(t)
	path := listening(t, server, func(conn *Conn) {
		conn.Read(make([]byte, 1))
		useHonestly(t, conn)
	})
	for seed := range int64(20) {
		for _, ask := range []func(*net.UnixConn) (*intruder.Peer, error){intruder.Ask, intruder.AskForPair} {
			peer := intrudingBy(t, path, ask)
			peer.Write([]byte{1})
			doAnything(peer, seed)
			peer.Close()
		}
	}
	eventually(t, func() bool { return server.Stats().Open == 0 })
	conn := dialled(t, new(Dialer), path)
	if !isShared(conn) {
		t.Error("the next connection is not shared")
	}
	conn.Close()
	eventually(t, func() bool { return server.Stats().Open == 0 })
}

// useHonestly reads and writes at the same time, until each of them fails. Deadlines end them where the other side has sent its own
// sockets to this side, which keeps the sockets open.
func useHonestly(t testing.TB, conn net.Conn) {
	conn.SetDeadline(time.Now().Add(50 * time.Millisecond))
	var uses sync.WaitGroup
	for _, use := range []func([]byte) (int, error){conn.Read, conn.Write} {
		uses.Go(func() {
			defer conn.Close()
			for part := make([]byte, 100_000); ; {
				n, err := use(part)
				if n < 0 || n > len(part) || !isAllowed(err) {
					t.Errorf("%d bytes: %v", n, err)
				}
				if err != nil {
					return
				}
			}
		})
	}
	uses.Wait()
}

func TestPositionsThatCannotBeEndTheConnection(t *testing.T) {
	const capacity, head, tail = 64 << 10, 0, 3
	for name, is := range map[string]struct {
		place uint8
		moves []uint64
		use   func(conn net.Conn) error
	}{
		"what was written": {head, []uint64{capacity + 1, 1 << 31, 1 << 32, 1<<63 - 1, 1 << 63, ^uint64(0), ^uint64(capacity - 1)},
			func(conn net.Conn) error { _, err := conn.Read(make([]byte, 1)); return err }},
		"what was read": {tail, []uint64{1, capacity, 1 << 31, 1 << 32, 1<<63 - 1, 1 << 63, ^uint64(capacity)},
			func(conn net.Conn) error { _, err := conn.Write(make([]byte, 1)); return err }},
	} {
		for _, move := range is.moves {
			hasMoved, ended := make(chan struct{}), make(chan error, 1)
			path := listening(t, &Server{Options: Options{RingBytes: capacity}}, func(conn *Conn) {
				conn.SetDeadline(time.Now().Add(testPatience))
				conn.Read(make([]byte, 1))
				<-hasMoved
				ended <- is.use(conn)
			})
			peer := intruding(t, path)
			peer.Write([]byte{1})
			eventually(t, peer.IsRead)
			peer.Do(intruder.Act{Kind: intruder.SetPosition, Place: is.place, Value: peer.Position(is.place) + move})
			close(hasMoved)
			if err := <-ended; !isCorrupt(err) {
				t.Errorf("%s, moved by %d: %v", name, move, err)
			}
		}
	}
}

func TestAFloodOfWakeUpsDoesNotOutlastADeadline(t *testing.T) {
	for place, use := range []func(conn net.Conn) error{
		func(conn net.Conn) error { _, err := conn.Read(make([]byte, 1)); return err },
		func(conn net.Conn) error { _, err := conn.Write(make([]byte, 1<<20)); return err },
	} {
		ended := make(chan error, 1)
		path := listening(t, new(Server), func(conn *Conn) {
			conn.Read(make([]byte, 1))
			conn.SetDeadline(time.Now().Add(20 * time.Millisecond))
			ended <- use(conn)
		})
		peer := intruding(t, path)
		peer.Write([]byte{1})
		for hasEnded := false; !hasEnded; {
			select {
			case err := <-ended:
				hasEnded = true
				if !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("it ended by %v", err)
				}
			default:
				peer.Do(intruder.Act{Kind: intruder.Flood, Place: uint8(place), Value: 4095})
			}
		}
	}
}

func TestWakeUpsWithoutEndAreNotTakenAllAtOnceAndLaterOnesStillWake(t *testing.T) {
	server := &Server{Options: Options{RingBytes: 64 << 10, Spin: -1}}
	conn, peer := pairWithIntruder(t, server, false)
	defer conn.Close()
	defer peer.Close()
	conn.SetDeadline(time.Now().Add(testPatience))
	once := func(wait func(func(uintptr) bool) error, try func(uintptr, []byte) (int, error), bytes int) (n int, err error) {
		wait(func(descriptor uintptr) bool {
			n, err = try(descriptor, make([]byte, bytes))
			return true
		})
		return n, err
	}
	if n, err := once(conn.RawWrite, conn.TryWrite, 1<<20); n != 64<<10 || err != nil {
		t.Fatalf("%d bytes fill the ring: %v", n, err)
	}
	m := conn.memory.Load()
	for place, is := range []struct {
		socket int
		wait   func(func(uintptr) bool) error
		try    func(uintptr, []byte) (int, error)
	}{{m.socketEnd, conn.RawRead, conn.TryRead}, {m.spaceEnd, conn.RawWrite, conn.TryWrite}} {
		for range 20 {
			peer.Do(intruder.Act{Kind: intruder.Flood, Place: uint8(place), Value: 4095})
		}
		if n, err := once(is.wait, is.try, 1); err != unix.EAGAIN {
			t.Errorf("%d bytes: %v", n, err)
		}
		if n, err := raw.Receive(is.socket, make([]byte, 1)); n != 1 {
			t.Errorf("all wake-ups were taken: %v", err)
		}
	}
	var wakes sync.WaitGroup
	wakes.Go(func() {
		peer.Write([]byte{1})
		peer.Discard()
	})
	defer wakes.Wait()
	if _, err := conn.Read(make([]byte, 1)); err != nil {
		t.Error(err)
	}
	if _, err := conn.Write(make([]byte, 64<<10)); err != nil {
		t.Error(err)
	}
}

func TestAnEndIsSeenBehindMoreWakeUpsThanAreTakenAtATime(t *testing.T) {
	givingBack(t)
	const many = 2 * mostLooks * wakesAtOnce
	for name, is := range map[string]struct {
		hasPair  bool
		floods   func(*intruder.Peer) int
		use      func(*Conn) error
		expected error
	}{
		"reader": {false, func(peer *intruder.Peer) int { return peer.Socket }, func(conn *Conn) error { _, err := conn.Read(make([]byte, 1)); return err }, io.EOF},
		"writer": {false, func(peer *intruder.Peer) int { return peer.Space }, func(conn *Conn) error { _, err := conn.Write(make([]byte, 1<<20)); return err }, unix.EPIPE},
		"pair":   {true, func(peer *intruder.Peer) int { return peer.Bell }, func(conn *Conn) error { _, err := conn.Read(make([]byte, 1)); return err }, io.EOF},
	} {
		conn, peer := pairWithIntruder(t, new(Server), is.hasPair)
		conn.SetDeadline(time.Now().Add(testPatience))
		// A process that is killed posts no notice of its end.
		for n := 0; n < many; {
			sent, err := raw.Send(is.floods(peer), make([]byte, many-n))
			if n += max(sent, 0); err == unix.EAGAIN {
				break
			}
		}
		peer.Close()
		if err := is.use(conn); !errors.Is(err, is.expected) {
			t.Errorf("%s: it ends by %v", name, err)
		}
		conn.Close()
	}
}

func TestAClientThatKeepsItsMemoryHasNoneOnceTheServerForgetsIt(t *testing.T) {
	server := &Server{MostSegments: 1}
	path := listening(t, server, func(conn *Conn) { io.Copy(io.Discard, struct{ io.Reader }{conn}) })
	for range 3 {
		peer := intruding(t, path)
		peer.Write([]byte("text"))
		peer.Hangup()
		eventually(t, func() bool { return server.Stats().Open == 0 })
		expectEmpty(t, peer)
	}
	// A client that was offered memory and does not take it gets none either.
	socket := connected(t, path)
	peer, err := intruder.Begin(socket)
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	socket.Write([]byte{0})
	eventually(t, func() bool { return server.Stats().Open == 0 })
	expectEmpty(t, peer)
}

func expectEmpty(t *testing.T, peer *intruder.Peer) {
	t.Helper()
	var about unix.Stat_t
	if err := unix.Fstat(peer.Memory, &about); err != nil || about.Blocks != 0 {
		t.Errorf("the client has %d blocks of memory: %v", about.Blocks, err)
	}
}

func TestMemoryCountsUntilTheClientHasClosedTooAndCanBeReadUntilThen(t *testing.T) {
	server := &Server{MostSegments: 1}
	isClosed := make(chan struct{}, 1)
	path := listening(t, server, func(conn *Conn) {
		conn.Read(make([]byte, 1))
		conn.Write([]byte("last words"))
		conn.Close()
		isClosed <- struct{}{}
	})
	conn := dialled(t, new(Dialer), path)
	conn.Write([]byte{1})
	<-isClosed
	if isShared(dialled(t, new(Dialer), path)) {
		t.Error("there are more segments than may be")
	}
	if said, err := io.ReadAll(struct{ io.Reader }{conn}); string(said) != "last words" || err != nil {
		t.Errorf("%q was read: %v", said, err)
	}
	conn.Close()
	eventually(t, func() bool { return server.Stats().Open == 0 })
}

func TestAClientThatDoesNotFinishItsHandshakeLosesItsConnectionAndItsMemory(t *testing.T) {
	for name, stall := range map[string]func(*net.UnixConn) error{
		"15 of 16 bytes": func(socket *net.UnixConn) error {
			_, err := socket.Write([]byte("HONESHM1\x00\x00\x00\x00\x00\x00\x00"))
			return err
		},
		"no word whether it has mapped the segment": func(socket *net.UnixConn) error {
			peer, err := intruder.Begin(socket)
			if err == nil {
				peer.Close()
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			givingBack(t)
			server := new(Server)
			ended := make(chan error, 1)
			path := listening(t, server, func(conn *Conn) {
				conn.SetHandshakeTimeout(time.Millisecond)
				_, err := conn.Read(make([]byte, 1))
				ended <- err
			})
			socket := connected(t, path)
			if err := stall(socket); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("it ended by %v", err)
			}
			if server.Stats().Open != 0 {
				t.Error("the memory is still there")
			}
			socket.Close()
		})
	}
}

func TestClosingAConnectionGivesBackMemoryThatWasOffered(t *testing.T) {
	givingBack(t)
	server := new(Server)
	conns := make(chan *Conn, 1)
	path := listening(t, server, func(conn *Conn) {
		conns <- conn
		conn.Read(make([]byte, 1))
	})
	peer, err := intruder.Begin(connected(t, path))
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	(<-conns).Close()
	eventually(t, func() bool { return server.Stats().Open == 0 })
}

func TestADeadlineOfWritesThatWasSetBeforeTheConnectionIsSharedHolds(t *testing.T) {
	ended := make(chan error, 1)
	path := listening(t, new(Server), func(conn *Conn) {
		conn.SetWriteDeadline(time.Now().Add(time.Millisecond))
		conn.Read(make([]byte, 1))
		_, err := conn.Write(make([]byte, 1<<20))
		ended <- err
	})
	intruding(t, path).Write([]byte{1})
	if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("it ended by %v", err)
	}
}

func TestAServerThatWritesFirstIsToldToReadFirst(t *testing.T) {
	ended := make(chan error, 1)
	path := listening(t, new(Server), func(conn *Conn) {
		_, err := conn.Write([]byte("welcome"))
		ended <- err
		conn.Read(make([]byte, 1))
		conn.Write([]byte("hello"))
	})
	conn := dialled(t, new(Dialer), path)
	conn.Write([]byte{1})
	if said, err := io.ReadAll(struct{ io.Reader }{conn}); string(said) != "hello" || err != nil {
		t.Errorf("%q was read: %v", said, err)
	}
	if err := <-ended; !errors.Is(err, errReadFirst) {
		t.Errorf("it ended by %v", err)
	}
}

func TestNothingIsWrittenAfterTheEnd(t *testing.T) {
	conn := dialled(t, new(Dialer), listening(t, new(Server), echo)).(*Conn)
	conn.Write([]byte("text"))
	conn.CloseWrite()
	if _, err := conn.Write([]byte("more")); !errors.Is(err, unix.EPIPE) {
		t.Errorf("writing after the end gives %v", err)
	}
	if said, err := io.ReadAll(struct{ io.Reader }{conn}); string(said) != "text" || err != nil {
		t.Errorf("%q was read: %v", said, err)
	}
}
