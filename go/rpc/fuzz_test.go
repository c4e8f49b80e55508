package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"testing"

	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
	"hone/go/thrift"
)

// pipes is a listener whose connections are pipes.
type pipes struct {
	waiting chan net.Conn
	closing sync.Once
}

func newPipes() *pipes { return &pipes{waiting: make(chan net.Conn)} }

func (p *pipes) Accept() (net.Conn, error) {
	if conn, ok := <-p.waiting; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (p *pipes) Close() error {
	p.closing.Do(func() { close(p.waiting) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Net: "unix", Name: "pipe"} }

// recorded returns the bytes that a client sends over a wire: calls of several functions.
func recorded(wire rpc.Wire) []byte {
	var sent bytes.Buffer
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	client := rpc.Dial(listener.Addr().String())
	client.Wire, client.Name = wire, "fuzzer"
	received := make(chan struct{})
	go func() {
		defer close(received)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		for part := make([]byte, 4096); !bytes.Contains(sent.Bytes(), []byte("order")); {
			n, err := conn.Read(part)
			if err != nil {
				return
			}
			sent.Write(part[:n])
		}
	}()
	ctx, cancel := context.WithTimeout(rpc.WithMetadata(rpc.WithPropagated(background, "trace", "t"), "hop", "x"), testPatience)
	defer cancel()
	shopper := api.NewShopClient(client)
	shopper.Forget(ctx, 1)
	// Order gets no answer: the connection ends.
	shopper.Order(ctx, &api.Order{Items: []int64{1, 2}, Payment: &api.Payment{Cash: thrift.PointerTo(int64(3))}}, 2)
	<-received
	client.Close()
	listener.Close()
	return sent.Bytes()
}

func addSeeds(f *testing.F) {
	for _, wire := range thriftWires {
		sent := recorded(wire)
		f.Add(sent)
		for _, cut := range []int{1, 9, len(sent) / 2, max(0, len(sent)-1)} {
			f.Add(sent[:min(cut, len(sent))])
		}
		for at := 0; at < len(sent); at += 3 {
			changed := bytes.Clone(sent)
			changed[at] ^= 0xff
			f.Add(changed)
		}
	}
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add(bytes.Repeat([]byte{0xff}, 64))
	f.Add(make([]byte, 64))
}

// quietShop reports no calls to the channels of shop, since there may be many.
type quietShop struct{ *shop }

func (quietShop) Forget(context.Context, api.ItemID) error                          { return nil }
func (quietShop) Nothing(context.Context) error                                     { return nil }
func (quietShop) Order(_ context.Context, order *api.Order, _ int32) (int64, error) { return 1, nil }

// Whatever comes over a connection, the server neither panics nor hangs: it ends once the connection has ended.
func FuzzServer(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, sent []byte) {
		server := rpc.NewServer()
		server.Lost = func(error) {}
		api.RegisterShop(server, quietShop{newShop()})
		listener := newPipes()
		go server.Serve(listener)
		here, there := net.Pipe()
		listener.waiting <- there
		go io.Copy(io.Discard, here)
		here.Write(sent)
		here.Close()
		ctx, cancel := context.WithTimeout(background, testPatience)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			t.Fatal("the server does not end:", err)
		}
	})
}

// Whatever a server answers, a call ends once the connection has ended.
func FuzzClient(f *testing.F) {
	addSeeds(f)
	for _, wire := range written {
		// The answer has the number of the first call of a connection.
		answer := answerBytes(wire, 1<<16, 100)
		f.Add(answer)
		f.Add(bytes.Replace(answer, []byte("find"), []byte("order"), 1))
		f.Add(append(bytes.Clone(answer), answer[:len(answer)/2]...))
	}
	f.Fuzz(func(t *testing.T, answered []byte) {
		wire := thriftWires[len(answered)%len(thriftWires)]
		address, end := serveBadly(t, "tcp", func(conn net.Conn, _ <-chan struct{}) {
			conn.Write(answered)
			conn.(*net.TCPConn).CloseWrite()
			io.Copy(io.Discard, conn)
		})
		client := rpc.Dial(address)
		client.Wire = wire
		ctx, cancel := context.WithTimeout(background, testPatience)
		defer cancel()
		_, err := api.NewShopClient(client).Order(ctx, &api.Order{}, 2)
		if errors.Is(err, context.DeadlineExceeded) {
			t.Fatal("the call does not end with its connection:", err)
		}
		client.Close()
		end()
	})
}
