package rpc_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
	"hone/go/shm"
	"hone/go/thrift"
)

// badServers lists things that no server should do with a connection, which is closed after them.
var badServers = []struct {
	name string
	// ends is true if the connection ends by itself, so that calls end without a deadline.
	ends  bool
	serve func(conn net.Conn, wire rpc.Wire, ended <-chan struct{})
}{
	{"never reads", false, func(_ net.Conn, _ rpc.Wire, ended <-chan struct{}) { <-ended }},
	{"never answers", false, func(conn net.Conn, _ rpc.Wire, _ <-chan struct{}) { io.Copy(io.Discard, conn) }},
	{"answers a half", false, func(conn net.Conn, wire rpc.Wire, _ <-chan struct{}) {
		answer := answerBytes(wire, 1<<16, 100)
		conn.Write(answer[:len(answer)/2])
		io.Copy(io.Discard, conn)
	}},
	{"answers what nobody asked", false, func(conn net.Conn, wire rpc.Wire, _ <-chan struct{}) {
		go io.Copy(io.Discard, conn)
		// The client's own calls have positive numbers.
		for number := int32(-1); ; number-- {
			if _, err := conn.Write(answerBytes(wire, number, 100)); err != nil {
				return
			}
		}
	}},
	{"closes at once", true, func(conn net.Conn, _ rpc.Wire, _ <-chan struct{}) {}},
	{"closes after the first byte", true, func(conn net.Conn, _ rpc.Wire, _ <-chan struct{}) { conn.Read(make([]byte, 1)) }},
	{"resets", true, func(conn net.Conn, _ rpc.Wire, _ <-chan struct{}) {
		conn.Read(make([]byte, 100))
		if tcp, ok := conn.(*net.TCPConn); ok {
			tcp.SetLinger(0)
		}
	}},
	{"answers a half and closes", true, func(conn net.Conn, wire rpc.Wire, _ <-chan struct{}) {
		answer := answerBytes(wire, 1<<16, 100)
		conn.Write(answer[:len(answer)-1])
	}},
	{"claims four GiB", true, func(conn net.Conn, _ rpc.Wire, _ <-chan struct{}) {
		conn.Write([]byte{0xff, 0xff, 0xff, 0xff, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0})
		io.Copy(io.Discard, conn)
	}},
	{"speaks HTTP", true, func(conn net.Conn, _ rpc.Wire, _ <-chan struct{}) {
		io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
	}},
}

// answerBytes returns the bytes of an answer of find.
func answerBytes(wire rpc.Wire, sequence int32, id api.ItemID) []byte {
	item := api.NewItem()
	item.ID = id
	message := thrift.Binary{}.AppendMessage(nil, thrift.Header{Method: "find", Type: thrift.Reply, Sequence: sequence}, &api.ShopFindResult{Success: item})
	switch wire {
	case rpc.TTHeader:
		head := binary.BigEndian.AppendUint32(nil, uint32(14+len(message)))
		head = append(head, 0x10, 0, 0, 1)
		head = binary.BigEndian.AppendUint32(head, uint32(sequence))
		return append(append(head, 0, 1, 0, 0, 0, 0), message...)
	case rpc.Framed:
		return append(binary.BigEndian.AppendUint32(nil, uint32(len(message))), message...)
	}
	return message
}

// sharing returns a connection through memory if the network is shm, and conn otherwise.
func sharing(network string, conn net.Conn) net.Conn {
	socket, isUnix := conn.(*net.UnixConn)
	if network != "shm" || !isUnix {
		return conn
	}
	shared, err := new(shm.Server).Conn(socket)
	if err != nil {
		return conn
	}
	// This call returns after the handshake.
	shared.Read(nil)
	return shared
}

// serveBadly serves until the test ends, or until the returned function is called.
func serveBadly(t *testing.T, network string, serve func(conn net.Conn, ended <-chan struct{})) (address string, end func()) {
	t.Helper()
	address = "tcp://127.0.0.1:0"
	if network != "tcp" {
		address = network + "://" + filepath.Join(t.TempDir(), "s")
	}
	listener, err := rpc.Listen(address)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	var serving sync.WaitGroup
	serving.Add(1)
	go func() {
		defer serving.Done()
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Add(1)
			go func() {
				defer serving.Done()
				conn = sharing(network, conn)
				defer conn.Close()
				serve(conn, ended)
			}()
		}
	}()
	end = sync.OnceFunc(func() {
		close(ended)
		listener.Close()
		serving.Wait()
	})
	t.Cleanup(end)
	return network + "://" + listener.Addr().String(), end
}

func TestCallsOfABadServerEndAndLeaveNothingBehind(t *testing.T) {
	for i, bad := range badServers {
		for j, network := range networks {
			for k, wire := range written {
				t.Run(fmt.Sprintf("%s/%s/%s", bad.name, network, wire), func(t *testing.T) {
					// In short mode, each bad server is tested with one network and one wire, and each network with each wire.
					if testing.Short() && (i%len(networks) != j || i/len(networks)%len(written) != k) {
						t.Skip("further end to end")
					}
					before := takeStock()
					address, end := serveBadly(t, network, func(conn net.Conn, ended <-chan struct{}) { bad.serve(conn, wire, ended) })
					client := rpc.Dial(address)
					client.Wire = wire
					ctx := background
					if !bad.ends {
						ctx = within(t, 50*time.Millisecond)
					}
					expectAllFail(t, api.NewShopClient(client), ctx, 2048)
					client.Close()
					end()
					before.expectReturned(t)
				})
			}
		}
	}
}

// expectAllFail makes many calls at once, each of which must fail by its deadline or with its connection.
func expectAllFail(t *testing.T, shopper *api.ShopClient, ctx context.Context, calls int) {
	t.Helper()
	results := make(chan error, calls)
	request := &api.Order{Items: make([]int64, 512)}
	for range calls {
		go func() {
			_, err := shopper.Order(ctx, request, 0)
			results <- err
		}()
	}
	for range calls {
		var told *rpc.Error
		if err := <-results; !errors.As(err, &told) {
			t.Fatalf("%v (%T)", err, err)
		}
	}
}

func TestAfterABadServerAGoodOneAnswersAtTheSameAddress(t *testing.T) {
	path := "unix://" + filepath.Join(t.TempDir(), "s")
	listener, err := rpc.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	client := rpc.Dial(path)
	defer client.Close()
	shopper := api.NewShopClient(client)
	go func() {
		conn, err := listener.Accept()
		if err == nil {
			conn.Close()
		}
		server := rpc.NewServer()
		api.RegisterShop(server, newShop())
		t.Cleanup(server.Close)
		server.Serve(listener)
	}()
	for {
		alive, err := shopper.Alive(background)
		if err == nil && alive {
			return
		}
		if rpc.CodeOf(err) != rpc.Unavailable {
			t.Fatal(err)
		}
	}
}
