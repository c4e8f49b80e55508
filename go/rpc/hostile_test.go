package rpc_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/rpc"
	"hone/go/thrift"
)

// resources are the resources that a test must give back.
type resources struct {
	goroutines int
	heap       uint64
}

// mostKeptBytes is the number of bytes that may be held after a test beyond those before it: pools of buffers keep them.
const mostKeptBytes = 16 << 20

func takeStock() resources {
	// Pools keep their buffers through one collection.
	runtime.GC()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return resources{runtime.NumGoroutine(), memory.HeapAlloc}
}

// expectReturned waits until no more goroutines run than before, and checks that memory has been given back.
func (before resources) expectReturned(t *testing.T) {
	t.Helper()
	for late := time.Now().Add(testPatience); runtime.NumGoroutine() > before.goroutines; runtime.Gosched() {
		if time.Now().After(late) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, and %d before:\n%s", runtime.NumGoroutine(), before.goroutines, stacks[:runtime.Stack(stacks, true)])
		}
	}
	if after := takeStock(); after.heap > before.heap+mostKeptBytes {
		t.Errorf("%d bytes are held, and %d before", after.heap, before.heap)
	}
}

// tinyListener accepts connections with tiny buffers.
type tinyListener struct{ net.Listener }

func (l tinyListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	socket, err := conn.(syscall.Conn).SyscallConn()
	if err != nil {
		return nil, err
	}
	return conn, tiny("", "", socket)
}

// withTinyBuffers makes the buffers of both sides tiny.
func withTinyBuffers(s *setting) {
	s.client.SetControl(tiny)
	s.listen = func(listener net.Listener) net.Listener { return tinyListener{listener} }
}

// manyCalls makes calls at once, each of up to 2 KiB and with an answer of up to 512 bytes.
func manyCalls(t *testing.T, s *setting, calls int) {
	t.Helper()
	results := make(chan error, calls)
	ctx := within(t, testPatience)
	for call := range api.ItemID(calls) {
		go func() {
			id := call % 512
			item, err := s.shopper.Find(ctx, id, &base.Context{Caller: strings.Repeat("x", int(call))})
			if err == nil && (item.ID != id || len(item.Raw) != int(id)) {
				err = fmt.Errorf("item %d has the number %d and %d bytes", id, item.ID, len(item.Raw))
			}
			results <- err
		}()
	}
	for range calls {
		if err := <-results; err != nil {
			t.Fatal(err)
		}
	}
}

func TestManyCallsAtOnceAreAnsweredOverTinyBuffers(t *testing.T) {
	for _, network := range networks {
		for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.Framed, rpc.BufferedCompact} {
			for _, calls := range []int{512, 2048} {
				t.Run(fmt.Sprintf("%s/%s/%d", network, wire, calls), func(t *testing.T) {
					if testing.Short() && calls < 2048 {
						t.Skip("further end to end")
					}
					before := takeStock()
					s := setWith(t, network, wire, withTinyBuffers)
					manyCalls(t, s, calls)
					s.end()
					before.expectReturned(t)
				})
			}
		}
	}
}

// callBytes returns the bytes of a call of find.
func callBytes(wire rpc.Wire, id api.ItemID) []byte {
	message := thrift.Binary{}.AppendMessage(nil, thrift.Header{Method: "find", Type: thrift.Call, Sequence: int32(id) + 1}, &api.ShopFindArgs{ID: id})
	switch wire {
	case rpc.TTHeader:
		return append([]byte{0, 0, byte((len(message) + 14) >> 8), byte(len(message) + 14), 0x10, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}, message...)
	case rpc.Framed:
		return append([]byte{0, 0, byte(len(message) >> 8), byte(len(message))}, message...)
	}
	return message
}

var written = []rpc.Wire{rpc.TTHeader, rpc.Framed, rpc.Buffered}

func TestAClientThatStopsReadingLosesItsConnection(t *testing.T) {
	for _, network := range networks {
		for _, wire := range written {
			t.Run(network+"/"+wire.String(), func(t *testing.T) {
				before := takeStock()
				s := setWith(t, network, wire, withTinyBuffers, func(s *setting) { s.server.WriteTimeout = 20 * time.Millisecond })
				conn := dial(t, s.address)
				// The connection ends while these calls are written, or after that.
				for range 2048 {
					if _, err := conn.Write(callBytes(wire, 5000)); err != nil {
						break
					}
				}
				if err := s.awaitLost(t); !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Fatal("the connection was lost for another cause:", err)
				}
				if alive, err := s.shopper.Alive(background); !alive || err != nil {
					t.Fatal("for others the server goes on:", err)
				}
				conn.Close()
				s.end()
				before.expectReturned(t)
			})
		}
	}
}

func TestAClientThatHalfClosesItsConnectionGetsItsAnswers(t *testing.T) {
	for _, network := range networks {
		for _, wire := range written {
			t.Run(network+"/"+wire.String(), func(t *testing.T) {
				s := set(t, network, wire)
				conn := dial(t, s.address)
				for id := range api.ItemID(3) {
					if _, err := conn.Write(callBytes(wire, 70000+id)); err != nil {
						t.Fatal(err)
					}
				}
				if err := conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
					t.Fatal(err)
				}
				if n := readAll(t, conn); n < 3*70000 {
					t.Fatal(n)
				}
			})
		}
	}
}

// readAll reads until the server closes the connection, and returns the number of bytes that have come.
func readAll(t *testing.T, conn net.Conn) int {
	t.Helper()
	total, into := 0, make([]byte, 64<<10)
	conn.SetReadDeadline(time.Now().Add(testPatience))
	for {
		n, err := conn.Read(into)
		total += n
		if errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("the server does not close the connection")
		}
		if err != nil {
			return total
		}
	}
}

func TestAThousandResetsLeaveNothingBehind(t *testing.T) {
	for _, wire := range written {
		t.Run(wire.String(), func(t *testing.T) {
			before := takeStock()
			s := set(t, "tcp", wire)
			var resetting sync.WaitGroup
			resetting.Add(10)
			for n := range 10 {
				go func() {
					defer resetting.Done()
					for reset := range 100 {
						// Some connections send a part of a call, others several calls.
						bytes := append(callBytes(wire, 100), callBytes(wire, 5000)...)
						resetAfter(t, s.address, bytes[:(n*100+reset)%len(bytes)])
					}
				}()
			}
			resetting.Wait()
			if alive, err := s.shopper.Alive(background); !alive || err != nil {
				t.Fatal(err)
			}
			s.end()
			before.expectReturned(t)
		})
	}
}

func resetAfter(t *testing.T, address string, bytes []byte) {
	if err := reset(address, bytes); err != nil {
		t.Error(err)
	}
}

// reset connects, sends some bytes and resets the connection.
func reset(address string, bytes []byte) error {
	conn, err := net.Dial("tcp", address[len("tcp://"):])
	if err != nil {
		return err
	}
	conn.Write(bytes)
	conn.(*net.TCPConn).SetLinger(0)
	return conn.Close()
}

func TestAConnectionWithoutACallEndsByTheIdleTimeoutAndOneWithACallDoesNot(t *testing.T) {
	for _, wire := range written {
		t.Run(wire.String(), func(t *testing.T) {
			s := set(t, "tcp", wire, func(server *rpc.Server, _ *rpc.Client) { server.IdleTimeout = 10 * time.Millisecond })
			idle := dial(t, s.address)
			busy := make(chan error)
			go func() { busy <- s.shopper.Nothing(background) }()
			<-s.entered
			if _, err := idle.Write(callBytes(wire, 1)); err != nil {
				t.Fatal(err)
			}
			readAll(t, idle)
			close(s.release)
			if err := <-busy; err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestTheEndOfTheServerReachesHandlersOfEveryWire(t *testing.T) {
	eachWire(t, func(t *testing.T, s *setting) {
		before := make(chan error)
		go func() { before <- s.shopper.Nothing(background) }()
		<-s.entered
		s.server.Close()
		if err := <-before; rpc.CodeOf(err) != rpc.Unavailable {
			t.Fatal(err)
		}
		// If the handler had not ended too, Shutdown would wait for it.
		if err := s.server.Shutdown(within(t, testPatience)); err != nil {
			t.Fatal(err)
		}
	})
}
