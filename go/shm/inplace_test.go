//go:build linux

package shm

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand"
	"net"
	"sync"
	"testing"
)

// echoInPlace sends back the bytes that come. Its only copy is the one from ring to ring.
func echoInPlace(conn *Conn) {
	for {
		unread, err := conn.Peek()
		if err != nil {
			return
		}
		room, err := conn.Reserve()
		if err != nil {
			return
		}
		n := copy(room, unread)
		if conn.Commit(n) != nil || conn.Discard(n) != nil {
			return
		}
	}
}

func TestWhatIsWrittenInPlaceIsReadInItsOrderWhateverTheSizes(t *testing.T) {
	for _, options := range []Options{{RingBytes: 64 << 10}, {RingBytes: 1 << 20, Spin: -1}} {
		conn := dialled(t, &Dialer{Options: options}, listening(t, &Server{Options: options}, echoInPlace)).(*Conn)
		sizes := rand.New(rand.NewSource(1))
		const total = 16 << 20
		sent := sha256.New()
		var sending sync.WaitGroup
		sending.Go(func() {
			for written := 0; written < total; {
				room, err := conn.Reserve()
				if err != nil {
					t.Error(err)
					return
				}
				room = room[:min(1+sizes.Intn(1<<sizes.Intn(18)), len(room), total-written)]
				sizes.Read(room)
				sent.Write(room)
				if err := conn.Commit(len(room)); err != nil {
					t.Error(err)
				}
				written += len(room)
			}
		})
		got := sha256.New()
		for read := 0; read < total; {
			unread, err := conn.Peek()
			if err != nil {
				t.Fatal(err)
			}
			n := max(1, len(unread)*2/3)
			got.Write(unread[:n])
			if err := conn.Discard(n); err != nil {
				t.Fatal(err)
			}
			read += n
		}
		sending.Wait()
		if !bytes.Equal(sent.Sum(nil), got.Sum(nil)) {
			t.Error("other bytes came back than were sent")
		}
	}
}

func TestInPlaceAndCopiedReadsAndWritesFollowEachOther(t *testing.T) {
	conn := dialled(t, new(Dialer), listening(t, new(Server), echo)).(*Conn)
	if _, err := conn.Write([]byte("one ")); err != nil {
		t.Fatal(err)
	}
	room, err := conn.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	// Bytes that are not committed are not sent.
	n := copy(room, "two three")
	if err := conn.Commit(n - len("three")); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 3)
	if _, err := io.ReadFull(conn, first); err != nil || string(first) != "one" {
		t.Fatalf("%q was read: %v", first, err)
	}
	said := ""
	for len(said) < len(" two ") {
		unread, err := conn.Peek()
		if err != nil {
			t.Fatal(err)
		}
		// Bytes that are not discarded are returned again.
		said += string(unread[:1])
		if err := conn.Discard(1); err != nil {
			t.Fatal(err)
		}
	}
	if said != " two " {
		t.Errorf("%q was read in place", said)
	}
}

func TestMoreThanWasLentCannotBeGivenBack(t *testing.T) {
	conn := dialled(t, new(Dialer), listening(t, new(Server), echo)).(*Conn)
	if err := errors.Join(conn.Discard(0), conn.Commit(0)); err != nil {
		t.Errorf("giving back nothing fails: %v", err)
	}
	room, err := conn.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	for _, bytes := range []int{-1, len(room) + 1} {
		if conn.Commit(bytes) == nil || conn.Discard(bytes) == nil {
			t.Errorf("%d bytes of %d may be given back", bytes, len(room))
		}
	}
	if err := conn.Commit(3); err != nil {
		t.Fatal(err)
	}
	if conn.Commit(1) == nil {
		t.Error("room may be committed twice")
	}
	if _, err := conn.Peek(); err != nil || conn.Discard(4) == nil {
		t.Errorf("more bytes may be discarded than came: %v", err)
	}
}

func TestWhatIsLentStaysUntilItIsGivenBackAlthoughTheConnectionIsClosed(t *testing.T) {
	dialer := &Dialer{Patience: testPatience}
	conn := dialled(t, dialer, listening(t, new(Server), echo)).(*Conn)
	if _, err := conn.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	unread, err := conn.Peek()
	if err != nil {
		t.Fatal(err)
	}
	room, err := conn.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if room[0] = 1; string(unread[:1]) != "t" || dialer.Stats().Open != 1 {
		t.Errorf("%q is left, and %d segments", unread, dialer.Stats().Open)
	}
	if _, err := conn.Peek(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("peeking at a closed connection gives %v", err)
	}
	if err := errors.Join(conn.Discard(0), conn.Commit(1)); err != nil {
		t.Error(err)
	}
	eventually(t, func() bool { return dialer.Stats().Open == 0 })
	if _, err := conn.Reserve(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("reserving of a closed connection gives %v", err)
	}
}

func TestPeekTellsOfTheEnd(t *testing.T) {
	conn := dialled(t, new(Dialer), listening(t, new(Server), func(conn *Conn) {
		conn.Read(make([]byte, 1))
		conn.Write([]byte("last words"))
	})).(*Conn)
	conn.Write([]byte{1})
	said := ""
	for {
		unread, err := conn.Peek()
		if err != nil {
			if !errors.Is(err, io.EOF) || said != "last words" {
				t.Errorf("%q was read: %v", said, err)
			}
			return
		}
		said += string(unread)
		conn.Discard(len(unread))
	}
}

func TestAnOrdinaryConnectionHasNothingInPlaceAndLosesNothingByIt(t *testing.T) {
	path := listening(t, new(Server), func(conn *Conn) {
		if _, err := conn.Peek(); !errors.Is(err, ErrNotShared) {
			t.Errorf("peeking gives %v", err)
		}
		if _, err := conn.Reserve(); !errors.Is(err, ErrNotShared) {
			t.Errorf("reserving gives %v", err)
		}
		echo(conn)
	})
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.Write([]byte("HONE, but no hello"))
	conn.(*net.UnixConn).CloseWrite()
	if back, err := io.ReadAll(conn); string(back) != "HONE, but no hello" || err != nil {
		t.Errorf("%q came back: %v", back, err)
	}
}
