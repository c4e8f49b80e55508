//go:build linux

package shm

import (
	"encoding/binary"
	"net"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"hone/go/internal/intruder"
)

// FuzzSegment has a client do what the input says, with its memory and its sockets, and with those of a pair if it asks for one.
// Meanwhile the server reads and writes. Nothing but that connection may break.
func FuzzSegment(f *testing.F) {
	const capacity = 64 << 10
	act := func(kind, place uint8, value uint64) []byte {
		return binary.LittleEndian.AppendUint64([]byte{kind, place}, value)
	}
	add := func(acts []byte) {
		f.Add(false, acts)
		f.Add(true, acts)
	}
	for kind := range uint8(intruder.Kinds) {
		for place := range uint8(8) {
			add(append(act(intruder.WriteHonestly, 0, 1000), act(kind, place, uint64(kind))...))
		}
	}
	for value := range uint64(16) {
		// Each notice of a seat is posted alone and with others.
		add(append(act(intruder.Notify, 0, value), act(intruder.Awaken, 0, value)...))
	}
	for move := range uint64(12) {
		add(append(act(intruder.MovePosition, 0, move), act(intruder.MovePosition, 3, move)...))
	}
	for _, position := range []uint64{1, capacity, capacity + 1, 1 << 63, ^uint64(0), ^uint64(capacity - 1), ^uint64(capacity)} {
		add(append(act(intruder.SetPosition, 0, position), act(intruder.SetPosition, 3, position)...))
	}
	server := &Server{Options: Options{RingBytes: capacity, Spin: -1}}
	f.Fuzz(func(t *testing.T, hasPair bool, acts []byte) {
		conn, peer := pairWithIntruder(t, server, hasPair)
		defer peer.Close()
		for ; len(acts) >= intruder.ActBytes; acts = acts[intruder.ActBytes:] {
			act := intruder.ParseAct(acts)
			peer.Do(act)
			expectTries(t, conn, int(act.Value%(2*capacity)))
		}
		conn.Close()
		peer.Close()
		eventually(t, func() bool {
			server.mu.Lock()
			defer server.mu.Unlock()
			return server.open.Load() == 0 && len(server.pairs) == 0
		})
	})
}

// pairWithIntruder makes a server's connection and its client, which either asks for a pair or does not know pairs.
func pairWithIntruder(t *testing.T, server *Server, hasPair bool) (*Conn, *intruder.Peer) {
	t.Helper()
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	var sockets [2]*net.UnixConn
	for n, end := range ends {
		file := os.NewFile(uintptr(end), "end")
		conn, err := net.FileConn(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		sockets[n] = conn.(*net.UnixConn)
	}
	conn, err := server.Conn(sockets[0])
	if err != nil {
		t.Fatal(err)
	}
	ask := intruder.Ask
	if hasPair {
		ask = intruder.AskForPair
	}
	asked := make(chan *intruder.Peer)
	go func() {
		peer, err := ask(sockets[1])
		if err != nil {
			t.Error(err)
		}
		asked <- peer
	}()
	conn.SetReadDeadline(time.Now().Add(testPatience))
	for !conn.IsShared() && conn.RawRead(func(descriptor uintptr) bool {
		_, err := conn.TryRead(descriptor, make([]byte, 1))
		return err != unix.EAGAIN || conn.IsShared()
	}) == nil {
	}
	conn.SetReadDeadline(time.Time{})
	peer := <-asked
	if peer == nil || !conn.IsShared() || conn.isPaired() != hasPair {
		t.Fatal("the connection is not shared as its client asked")
	}
	return conn, peer
}

// expectTries reads and writes once each, without waiting, and checks the errors.
func expectTries(t *testing.T, conn *Conn, most int) {
	for _, try := range []struct {
		wait func(func(uintptr) bool) error
		try  func(uintptr, []byte) (int, error)
	}{{conn.RawRead, conn.TryRead}, {conn.RawWrite, conn.TryWrite}} {
		try.wait(func(descriptor uintptr) bool {
			n, err := try.try(descriptor, make([]byte, most))
			if n < 0 || n > most || err != unix.EAGAIN && !isAllowed(err) {
				t.Errorf("%d of %d bytes: %v", n, most, err)
			}
			return true
		})
	}
}
