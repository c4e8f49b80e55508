package rpc_test

import (
	"bytes"
	"errors"
	"math/rand"
	"net"
	"os"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/wrapperspb"

	"hone/go/internal/intruder"
	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
	"hone/go/shm"
)

// spoken returns the bytes with which an honest side begins, by wire.
func spoken(wire rpc.Wire) []byte {
	if wire == rpc.GRPC {
		// Settings, a ping, and a window that is opened.
		return append([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "\x00\x00\x00\x04\x00\x00\x00\x00\x00"+"\x00\x00\x08\x06\x00\x00\x00\x00\x00HONEHONE"+
			"\x00\x00\x04\x08\x00\x00\x00\x00\x00\x00\x00\x10\x00"...)
	}
	return bytes.Repeat(callBytes(wire, 5000), 3)
}

// doAnything speaks as an honest side does at first, and then does up to 1,000 things, most of which are honest.
func doAnything(peer *intruder.Peer, seed int64, said []byte) {
	random := rand.New(rand.NewSource(seed))
	peer.Write(said)
	for range random.Intn(1000) {
		switch random.Intn(50) {
		case 0:
			peer.Do(intruder.Act{Kind: uint8(random.Intn(intruder.Kinds)), Place: uint8(random.Intn(256)), Value: random.Uint64() >> random.Intn(64)})
		case 1:
			peer.Write(said[random.Intn(len(said)):])
		default:
			peer.Write(said)
			peer.Discard()
		}
	}
}

// intruding completes a handshake, for which a busy machine may take longer than the server's IdleTimeout.
func intruding(t *testing.T, address string) *intruder.Peer {
	t.Helper()
	for attempts := 1; ; attempts++ {
		peer, err := intruder.Ask(connectedTo(t, address))
		if err == nil {
			return peer
		}
		if attempts == 100 {
			t.Fatal(err)
		}
	}
}

func connectedTo(t *testing.T, address string) *net.UnixConn {
	t.Helper()
	conn, err := net.Dial("unix", address[len("shm://"):])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.(*net.UnixConn)
}

func TestAServerBearsClientsThatDoAnythingWithTheirMemory(t *testing.T) {
	for _, wire := range append([]rpc.Wire{rpc.GRPC}, written...) {
		t.Run(wire.String(), func(t *testing.T) {
			before := takeStock()
			mappings, descriptors := intruder.Held()
			s := set(t, "shm", rpc.TTHeader, func(server *rpc.Server, _ *rpc.Client) {
				server.WriteTimeout, server.IdleTimeout = 20*time.Millisecond, 20*time.Millisecond
				server.Register(newEcho().service())
			})
			for seed := range int64(20) {
				peer := intruding(t, s.address)
				doAnything(peer, seed, spoken(wire))
				peer.Close()
			}
			if err := manyTries(t, s); err != nil {
				t.Fatal("for others the server goes on:", err)
			}
			s.end()
			before.expectReturned(t)
			expectHeld(t, mappings, descriptors)
		})
	}
}

// manyTries makes a call until it is answered: connections without a call end soon here.
func manyTries(t *testing.T, s *setting) (err error) {
	for range 100 {
		if _, err = s.shopper.Alive(within(t, testPatience)); err == nil {
			break
		}
	}
	return err
}

func TestCallsOfAServerThatDoesAnythingWithItsMemoryEnd(t *testing.T) {
	for _, wire := range append([]rpc.Wire{rpc.GRPC}, written...) {
		t.Run(wire.String(), func(t *testing.T) {
			before := takeStock()
			mappings, descriptors := intruder.Held()
			seeds := make(chan int64, 1000)
			for seed := range int64(cap(seeds)) {
				seeds <- seed
			}
			address, end := serveBadly(t, "unix", func(conn net.Conn, _ <-chan struct{}) {
				peer, err := intruder.Offer{}.Give(conn.(*net.UnixConn))
				if err != nil {
					return
				}
				defer peer.Close()
				said := answerBytes(wire, 1<<16, 100)
				if wire == rpc.GRPC {
					said = spoken(wire)[len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"):]
				}
				doAnything(peer, <-seeds, said)
			})
			client := rpc.Dial("shm" + address[len("unix"):])
			client.Wire, client.SharedMemory = wire, new(shm.Dialer)
			for round := 0; round < 10 || client.SharedMemory.Stats().Shared == 0 && round < 1000; round++ {
				expectNoneAnswered(t, client, 20)
			}
			if client.SharedMemory.Stats().Shared == 0 {
				t.Error("no connection was shared")
			}
			client.Close()
			end()
			before.expectReturned(t)
			expectHeld(t, mappings, descriptors)
		})
	}
}

// expectNoneAnswered makes calls at once, each of which fails by its deadline or with its connection.
func expectNoneAnswered(t *testing.T, client *rpc.Client, calls int) {
	t.Helper()
	ctx := within(t, 50*time.Millisecond)
	if client.Wire != rpc.GRPC {
		expectAllFail(t, api.NewShopClient(client), ctx, calls)
		return
	}
	results := make(chan error, calls)
	for range calls {
		go func() {
			results <- client.Invoke(ctx, unaryPath, wrapperspb.String("text"), new(wrapperspb.StringValue))
		}()
	}
	for range calls {
		var told *rpc.Error
		if err := <-results; !errors.As(err, &told) {
			t.Fatalf("%v (%T)", err, err)
		}
	}
}

func TestAClientThatStopsInTheHandshakeOfSharedMemoryLosesItsConnectionByTheFirstByteTimeout(t *testing.T) {
	for name, begin := range map[string]func(*net.UnixConn) error{
		"15 of 16 bytes": func(conn *net.UnixConn) error {
			_, err := conn.Write([]byte("HONESHM1\x00\x00\x00\x00\x00\x00\x00"))
			return err
		},
		"no word whether it has mapped the segment": func(conn *net.UnixConn) error {
			peer, err := intruder.Begin(conn)
			if err == nil {
				peer.Close()
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := set(t, "shm", rpc.TTHeader, func(server *rpc.Server, _ *rpc.Client) { server.FirstByteTimeout = 10 * time.Millisecond })
			if err := begin(connectedTo(t, s.address)); err != nil {
				t.Fatal(err)
			}
			if err := s.awaitLost(t); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatal("the connection was lost for another cause:", err)
			}
			if open := s.server.SharedMemory.Stats().Open; open != 0 {
				t.Errorf("%d segments are left", open)
			}
		})
	}
}

func TestCallsToAServerThatReadsNothingTakeNoMemoryBeyondTheSegment(t *testing.T) {
	before := takeStock()
	address, end := serveBadly(t, "unix", func(conn net.Conn, ended <-chan struct{}) {
		peer, err := intruder.Offer{}.Give(conn.(*net.UnixConn))
		if err != nil {
			return
		}
		defer peer.Close()
		<-ended
	})
	client := rpc.Dial("shm" + address[len("unix"):])
	client.Connections, client.SharedMemory = 1, new(shm.Dialer)
	request := &api.Order{Items: make([]int64, 8<<10)}
	for round := 0; round < 2 || client.SharedMemory.Stats().Shared == 0 && round < 1000; round++ {
		// If nothing made the callers wait, 320 MB would wait to be sent.
		const calls = 5_000
		ctx := within(t, 100*time.Millisecond)
		results := make(chan error)
		for range calls {
			go func() {
				_, err := api.NewShopClient(client).Order(ctx, request, 0)
				results <- err
			}()
		}
		for range calls {
			if err := <-results; err == nil {
				t.Error("a call was answered")
			}
		}
	}
	if after := takeStock(); after.heap > before.heap+mostKeptBytes {
		t.Errorf("%d bytes are held, and %d before", after.heap, before.heap)
	}
	client.Close()
	end()
	before.expectReturned(t)
}
