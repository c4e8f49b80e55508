//go:build linux

package shm

import (
	"bytes"
	"errors"
	"io"
	"math/rand"
	"net"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"hone/go/raw"
	"hone/go/shm/internal/segment"
)

func pairOf(t *testing.T, conn net.Conn) *pair {
	t.Helper()
	if !isShared(conn) || !conn.(*Conn).isPaired() {
		t.Fatal("the connection is not in a pair")
	}
	return conn.(*Conn).memory.Load().pair
}

// echoes checks that a text comes back.
func echoes(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	got := make([]byte, len(text))
	if _, err := conn.Write([]byte(text)); err != nil {
		t.Error(err)
	} else if _, err := io.ReadFull(conn, got); err != nil || string(got) != text {
		t.Errorf("%q came back: %v", got, err)
	}
}

func TestAllConnectionsOfTwoProcessesAreInOnePairAlsoIfMadeAtTheSameTime(t *testing.T) {
	givingBack(t)
	server, dialer := &Server{Options: Options{RingBytes: 64 << 10}}, &Dialer{Patience: testPatience}
	path := listening(t, server, echo)
	conns := make([]net.Conn, 20)
	var dials sync.WaitGroup
	for i := range conns {
		dials.Go(func() { conns[i], _ = dialer.Dial(t.Context(), path) })
	}
	dials.Wait()
	of := pairOf(t, conns[0])
	for _, conn := range conns {
		if pairOf(t, conn) != of {
			t.Error("a connection is in another pair")
		}
		echoes(t, conn, "text")
		conn.Close()
	}
	eventually(t, func() bool { return server.Stats().Open == 0 && dialer.Stats().Open == 0 })
	server.mu.Lock()
	defer server.mu.Unlock()
	if dialer.mu.Lock(); len(server.pairs) != 0 || len(dialer.paths) != 0 {
		t.Errorf("%d pairs of the server and %d of the client are left", len(server.pairs), len(dialer.paths))
	}
	dialer.mu.Unlock()
}

func TestAPairWhoseSeatsAreTakenIsFollowedByAnother(t *testing.T) {
	givingBack(t)
	server, dialer := &Server{Options: Options{RingBytes: 64 << 10}}, new(Dialer)
	path := listening(t, server, echo)
	pairs := map[*pair]int{}
	for range segment.Seats + 3 {
		conn := dialled(t, dialer, path)
		pairs[pairOf(t, conn)]++
		echoes(t, conn, "text")
	}
	if len(pairs) != 2 || server.Stats().Shared != segment.Seats+3 {
		t.Errorf("%d pairs, and the server tells of %+v", len(pairs), server.Stats())
	}
}

func TestAnotherProcessThatKnowsTheTokenDoesNotJoinAPair(t *testing.T) {
	server, dialer := new(Server), new(Dialer)
	path := listening(t, server, echo)
	first := dialled(t, dialer, path)
	server.mu.Lock()
	server.pairs[pairOf(t, first).token].peer++
	server.mu.Unlock()
	second := dialled(t, dialer, path)
	if pairOf(t, first) == pairOf(t, second) {
		t.Error("it is in the other one's pair")
	}
	echoes(t, first, "one")
	echoes(t, second, "two")
}

func TestConnectionsOfAPairPassAllTheyAreGivenAtTheSameTime(t *testing.T) {
	for _, spin := range []time.Duration{0, -1} {
		path := listening(t, &Server{Options: Options{RingBytes: 64 << 10, Spin: spin}}, echo)
		dialer := &Dialer{Options: Options{Spin: spin}}
		var all sync.WaitGroup
		for seed := range int64(12) {
			conn := dialled(t, dialer, path)
			text := make([]byte, 1+rand.New(rand.NewSource(seed)).Intn(1<<20))
			rand.New(rand.NewSource(seed)).Read(text)
			all.Go(func() {
				if _, err := conn.Write(text); err != nil {
					t.Error(err)
				}
				conn.(*Conn).CloseWrite()
			})
			all.Go(func() {
				if got, err := io.ReadAll(conn); err != nil || !bytes.Equal(got, text) {
					t.Errorf("%d of %d bytes came back as they were sent: %v", len(got), len(text), err)
				}
			})
		}
		all.Wait()
	}
}

func TestTheEndOfABellEndsAllConnectionsOfItsPairAfterWhatWasWritten(t *testing.T) {
	givingBack(t)
	server, dialer := new(Server), new(Dialer)
	read := make(chan string)
	path := listening(t, server, func(conn *Conn) {
		text, err := io.ReadAll(conn)
		if err != nil {
			t.Error(err)
		}
		read <- string(text)
	})
	var conns []net.Conn
	for range 3 {
		conns = append(conns, dialled(t, dialer, path))
	}
	for _, conn := range conns {
		conn.Write([]byte("text"))
	}
	// The sockets of the connections stay open.
	unix.Shutdown(pairOf(t, conns[0]).bellEnd, unix.SHUT_RDWR)
	for range conns {
		if text := <-read; text != "text" {
			t.Errorf("%q was read", text)
		}
	}
	for _, conn := range conns {
		if _, err := conn.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("the client's own reading ends by %v", err)
		}
		conn.Close()
	}
	next := dialled(t, dialer, path)
	pairOf(t, next)
	next.Close()
	<-read
}

// floods makes a client post notices, ring the bell, and have the server ring its own, all without end, until the function that it
// returns is called.
func floods(conn net.Conn) (stop func()) {
	p := conn.(*Conn).memory.Load().pair
	stopped := make(chan struct{})
	var flooding sync.WaitGroup
	flooding.Go(func() {
		random := rand.New(rand.NewSource(1))
		for {
			select {
			case <-stopped:
				return
			default:
			}
			for range 100 {
				p.out.Post(random.Intn(segment.Seats * segment.NoticesOfSeat))
			}
			p.out.Sleep()
			wake(p.bellEnd)
		}
	})
	return func() {
		close(stopped)
		flooding.Wait()
	}
}

func TestNoticesWithoutEndOutlastNoDeadlineAndHarmNoOtherProcess(t *testing.T) {
	for _, use := range []func(conn net.Conn) error{
		func(conn net.Conn) error { _, err := conn.Read(make([]byte, 1)); return err },
		func(conn net.Conn) error { _, err := conn.Write(make([]byte, 1<<20)); return err },
	} {
		hasEnded := make(chan error, 1)
		server := &Server{Options: Options{RingBytes: 64 << 10}}
		path := listening(t, server, func(conn *Conn) {
			first := make([]byte, 1)
			io.ReadFull(conn, first)
			if first[0] != 0 {
				conn.Write(first)
				echo(conn)
				return
			}
			conn.SetDeadline(time.Now().Add(20 * time.Millisecond))
			hasEnded <- use(conn)
		})
		intruding := dialled(t, new(Dialer), path)
		intruding.Write([]byte{0})
		stop := floods(intruding)
		// Another dialer counts as another process.
		other := dialled(t, new(Dialer), path)
		for range 100 {
			echoes(t, other, "text")
		}
		if err := <-hasEnded; !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("it ended by %v", err)
		}
		stop()
	}
}

func TestAConnectionOfAPairEndsWhileItsOtherSideFloodsIt(t *testing.T) {
	givingBack(t)
	server, dialer := new(Server), new(Dialer)
	begun := make(chan *Conn, 2)
	path := listening(t, server, func(conn *Conn) {
		io.ReadFull(conn, make([]byte, 1))
		begun <- conn
		conn.Read(make([]byte, 1))
	})
	client := dialled(t, dialer, path)
	client.Write([]byte{1})
	conn := <-begun
	// The pair stays as long as a connection of it is open.
	keeping := dialled(t, dialer, path)
	stop := floods(keeping)
	conn.Close()
	if _, err := client.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the client's reading ends by %v", err)
	}
	client.Close()
	eventually(t, func() bool { return server.Stats().Open <= 1 })
	stop()
	keeping.Close()
}

func TestNoWakeUpIsLostWhereSidesWakeEachOtherInTurn(t *testing.T) {
	for _, connections := range []int{1, 3} {
		path := listening(t, &Server{Options: Options{RingBytes: 64 << 10, Spin: -1}}, echo)
		dialer := &Dialer{Options: Options{Spin: -1}}
		var all sync.WaitGroup
		for range connections {
			conn := dialled(t, dialer, path)
			// A lost wake-up makes the test fail, and does not make it wait for ever.
			conn.SetDeadline(time.Now().Add(testPatience))
			all.Go(func() {
				p := pairOf(t, conn)
				for range 10_000 {
					// Rings without a notice come while the server is about to sleep, and make it look for long.
					go func() {
						for range mostLooks {
							wake(p.bellEnd)
							runtime.Gosched()
						}
					}()
					if echoes(t, conn, "text"); t.Failed() {
						return
					}
				}
			})
		}
		all.Wait()
	}
}

func TestAWakeUpThatWasTakenIsFollowedByALookAtTheNotices(t *testing.T) {
	givingBack(t)
	shared, page, err := segment.CreatePair(1)
	if err != nil {
		t.Fatal(err)
	}
	unix.Close(page)
	ends, err := socketPair()
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(ends[1])
	p, err := newPair(shared, ends[0], shared.Notices[toServer], shared.Notices[toClient], Options{})
	if err != nil {
		t.Fatal(err)
	}
	p.onOver = func() {}
	// These are as many rings as the process takes before it sleeps, and one more.
	if _, err := raw.Send(ends[1], make([]byte, mostLooks*wakesAtOnce+1)); err != nil {
		t.Fatal(err)
	}
	if err := p.take(); err != unix.EAGAIN {
		t.Errorf("taking ends by %v", err)
	}
	// If the process took that ring too, and then slept, it would miss the notice that the ring may belong to.
	if n, err := raw.Receive(p.bellEnd, make([]byte, 2)); n != 1 {
		t.Errorf("%d rings are left: %v", n, err)
	}
	p.release()
	p.leave()
}
