//go:build linux

package shm

import (
	"context"
	"errors"
	"io"
	"math/rand"
	"net"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
	"hone/go/internal/intruder"
	"hone/go/shm/internal/segment"
)

// served handles each connection of a socket by a function, until the test ends.
func served(t *testing.T, handle func(*net.UnixConn)) (path string) {
	path = filepath.Join(t.TempDir(), "s")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	var handling sync.WaitGroup
	t.Cleanup(func() {
		listener.Close()
		handling.Wait()
	})
	handling.Go(func() {
		for {
			conn, err := listener.AcceptUnix()
			if err != nil {
				return
			}
			handling.Go(func() {
				defer conn.Close()
				handle(conn)
			})
		}
	})
	return path
}

// pairPage returns a descriptor of the memory of a pair.
func pairPage(t *testing.T) int {
	pair, descriptor, err := segment.CreatePair(1)
	if err != nil {
		t.Fatal(err)
	}
	pair.Unmap()
	t.Cleanup(func() { unix.Close(descriptor) })
	return descriptor
}

func TestAClientTakesNoMemoryThatIsNotAsItMustBe(t *testing.T) {
	const capacity = 64 << 10
	good := 4096 + 2*capacity
	page := pairPage(t)
	seated := func(seat int, files func(memory, space int) []int) intruder.Offer {
		return intruder.Offer{Seat: seat, Capacity: capacity, Bytes: good, Header: capacity, Files: files}
	}
	for name, offer := range map[string]intruder.Offer{
		"a capacity that is no power of two": {Capacity: capacity + 1},
		"a capacity that is too small":       {Capacity: 4096, Bytes: 3 * 4096},
		"a capacity that is too large":       {Capacity: 1 << 30},
		"a capacity that is negative":        {Capacity: -capacity},
		"a segment that is too small":        {Bytes: good - 1},
		"a segment that is empty":            {Bytes: 1},
		"a segment that is too large":        {Bytes: good + 1},
		"a segment of another capacity":      {Header: 2 * capacity},
		"a segment that may shrink":          {Seals: unix.F_SEAL_GROW | unix.F_SEAL_SEAL},
		"a segment that may grow":            {Seals: unix.F_SEAL_SHRINK | unix.F_SEAL_SEAL},
		"a segment that may be sealed":       {Seals: unix.F_SEAL_SHRINK | unix.F_SEAL_GROW},
		"a segment that cannot be written":   {Seals: unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_FUTURE_WRITE | unix.F_SEAL_SEAL},
		"no descriptor of space":             {Files: func(memory, _ int) []int { return []int{memory} }},
		"too many descriptors":               {Files: func(memory, space int) []int { return []int{memory, space, space} }},
		"more descriptors than are looked at": {Files: func(memory, space int) (files []int) {
			for range 200 {
				files = append(files, memory)
			}
			return files
		}},
		"descriptors in another order":     {Files: func(memory, space int) []int { return []int{space, memory} }},
		"two segments":                     {Files: func(memory, _ int) []int { return []int{memory, memory} }},
		"a socket in place of the segment": {Files: func(_, space int) []int { return []int{space, space} }},
		"a seat without a pair":            seated(1, nil),
		"a pair without a seat":            seated(0, func(memory, space int) []int { return []int{memory, space, page, space} }),
		"a seat that a pair has not":       seated(segment.Seats+1, func(memory, space int) []int { return []int{memory, space, page, space} }),
		"a segment in place of a pair":     seated(1, func(memory, space int) []int { return []int{memory, space, memory, space} }),
		"a pair without a bell":            seated(1, func(memory, space int) []int { return []int{memory, space, page, page} }),
	} {
		t.Run(name, func(t *testing.T) {
			givingBack(t)
			path := served(t, func(conn *net.UnixConn) {
				peer, err := offer.Give(conn)
				if err == nil {
					peer.Close()
				}
				if !errors.Is(err, intruder.ErrRefused) {
					t.Errorf("the client's answer is %v", err)
				}
				io.Copy(struct{ io.Writer }{conn}, struct{ io.Reader }{conn})
			})
			dialer := &Dialer{Patience: testPatience}
			conn := dialled(t, dialer, path)
			if isShared(conn) {
				t.Fatal("the connection is shared")
			}
			// The connection is an ordinary one.
			conn.Write([]byte("text"))
			if _, err := io.ReadFull(conn, make([]byte, 4)); err != nil {
				t.Error(err)
			}
			conn.Close()
			if got := dialer.Stats(); got != (Stats{Plain: 1}) {
				t.Errorf("the client tells of %+v", got)
			}
		})
	}
}

func TestAServerThatDoesAnythingWithItsMemoryBreaksNoMoreThanItsConnection(t *testing.T) {
	givingBack(t)
	seeds := make(chan int64, 1)
	path := served(t, func(conn *net.UnixConn) {
		peer, err := intruder.Offer{}.Give(conn)
		if err != nil {
			t.Error(err)
			<-seeds
			return
		}
		defer peer.Close()
		doAnything(peer, <-seeds)
	})
	dialer := &Dialer{Patience: testPatience}
	for seed := range int64(20) {
		seeds <- seed
		conn := dialled(t, dialer, path)
		if !isShared(conn) {
			t.Fatal("the connection is not shared")
		}
		useHonestly(t, conn)
	}
	eventually(t, func() bool { return dialer.Stats().Open == 0 })
}

// doAnything makes a peer do up to 500 things. Most are honest, or the connection would end with the first one.
func doAnything(peer *intruder.Peer, seed int64) {
	random := rand.New(rand.NewSource(seed))
	for range random.Intn(500) {
		act := intruder.Act{Kind: uint8(intruder.WriteHonestly + random.Intn(3)), Place: uint8(random.Intn(256)), Value: random.Uint64() >> random.Intn(64)}
		if random.Intn(50) == 0 {
			act.Kind = uint8(random.Intn(intruder.Kinds))
		}
		peer.Do(act)
	}
}

func TestAServerThatDoesNotKnowSharedMemoryAndWaitsIsReachedBeforeTheContextEnds(t *testing.T) {
	path := served(t, func(conn *net.UnixConn) {
		// The server waits for more bytes than a hello has.
		first := make([]byte, 24)
		if _, err := io.ReadFull(conn, first); err == nil {
			conn.Write(first)
		}
	})
	var conn net.Conn
	for attempts := 0; conn == nil; attempts++ {
		// The context lasts as long as a server may take to answer a hello. A busy machine may take all of that time, but not in every
		// attempt.
		ctx, cancel := context.WithTimeout(t.Context(), defaultPatience)
		var err error
		if conn, err = new(Dialer).Dial(ctx, path); err != nil && attempts == 20 {
			t.Fatal(err)
		}
		cancel()
	}
	defer conn.Close()
	conn.Write(make([]byte, 24))
	if _, err := io.ReadFull(conn, make([]byte, 24)); err != nil || isShared(conn) {
		t.Errorf("shared %t: %v", isShared(conn), err)
	}
}
