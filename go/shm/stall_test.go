//go:build linux

package shm

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hone/go/internal/intruder"
)

// The tests of this file are for shmipc-go's issues 34, 35, 39 and 44: memory grows while a reader stalls, and does not shrink
// again.

func TestAReaderThatStallsStopsItsWritersWithinTheSegment(t *testing.T) {
	const capacity, writers, each = 64 << 10, 8, 1 << 20
	var readsOn atomic.Bool
	stalled, goesOn := make(chan *Conn, 1), make(chan struct{})
	path := listening(t, &Server{Options: Options{RingBytes: capacity}}, func(conn *Conn) {
		conn.Read(make([]byte, 1))
		stalled <- conn
		<-goesOn
		if n, err := io.Copy(io.Discard, struct{ io.Reader }{conn}); n != writers*each || err != nil {
			t.Errorf("%d bytes came: %v", n, err)
		}
	})
	conn := dialled(t, new(Dialer), path).(*Conn)
	conn.Write([]byte{1})
	<-stalled
	mappings, descriptors := intruder.Held()
	// However long and often writers try, the connection takes no more bytes than the ring holds.
	taken := 0
	for range 100 {
		conn.SetWriteDeadline(time.Now().Add(time.Millisecond))
		n, err := conn.Write(make([]byte, each))
		if taken += n; !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("writing to a reader that stalls ends after %d bytes by %v", taken, err)
		}
	}
	if taken > capacity {
		t.Errorf("%d bytes were taken", taken)
	}
	conn.SetWriteDeadline(time.Time{})
	var writing sync.WaitGroup
	for n := range writers {
		writing.Go(func() {
			part := make([]byte, each)
			if n == 0 {
				part = part[taken:]
			}
			if written, err := conn.Write(part); written != len(part) || err != nil || !readsOn.Load() {
				t.Errorf("%d bytes are written, though the reader stalls (%t): %v", written, !readsOn.Load(), err)
			}
		})
	}
	if mappingsNow, descriptorsNow := intruder.Held(); mappingsNow > mappings || descriptorsNow > descriptors {
		t.Errorf("%d mappings and %d descriptors are held, and %d and %d before", mappingsNow, descriptorsNow, mappings, descriptors)
	}
	readsOn.Store(true)
	close(goesOn)
	writing.Wait()
	conn.CloseWrite()
	io.Copy(io.Discard, struct{ io.Reader }{conn})
}

func TestMemoryOfStalledConnectionsComesBackWhenTheyEnd(t *testing.T) {
	givingBack(t)
	server, dialer := new(Server), new(Dialer)
	hold := make(chan struct{})
	path := listening(t, server, func(conn *Conn) {
		conn.Read(make([]byte, 1))
		<-hold
	})
	const connections = 50
	for range connections {
		conn := dialled(t, dialer, path)
		conn.Write([]byte{1})
		conn.SetWriteDeadline(time.Now().Add(time.Millisecond))
		conn.Write(make([]byte, 1<<20))
		conn.Close()
	}
	if got := dialer.Stats(); got.Shared != connections {
		t.Errorf("the client tells of %+v", got)
	}
	close(hold)
	eventually(t, func() bool { return server.Stats().Open == 0 && dialer.Stats().Open == 0 })
}
