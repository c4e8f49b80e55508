package thrift_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"hone/go/internal/sample/shop/api"
	"hone/go/thrift"
)

// prefixed is a connection with bytes that are read before any others.
type prefixed struct {
	net.Conn
	first io.Reader
}

func (p prefixed) Read(b []byte) (int, error) {
	if n, _ := p.first.Read(b); n > 0 {
		return n, nil
	}
	return p.Conn.Read(b)
}

// served lets a shop answer a connection over which the bytes of first have come. It returns the other end of the connection, and a
// channel with the error that the connection ended with.
func served(t *testing.T, ctx context.Context, s *shop, timeout time.Duration, wire thrift.Wire, first []byte) (net.Conn, chan error) {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { here.Close() })
	processor := api.NewShopProcessor(s)
	processor.IdleTimeout = timeout
	ended := make(chan error, 1)
	go func() { ended <- processor.ServeConn(ctx, prefixed{there, bytes.NewReader(first)}, wire) }()
	return here, ended
}

func TestAnIdleConnectionEnds(t *testing.T) {
	for _, isFramed := range []bool{true, false} {
		wire := thrift.Wire{Framed: isFramed}
		call := message(wire, thrift.Header{Method: "alive", Type: thrift.Call}, &api.Empty{})
		stream, ended := served(t, background, newShop(), time.Millisecond, wire, nil)
		if err := <-ended; err != nil {
			t.Fatal("one that sends nothing is not at fault:", err)
		}
		if _, err := stream.Read(make([]byte, 1)); err != io.EOF {
			t.Fatal(err)
		}
		_, ended = served(t, background, newShop(), time.Millisecond, wire, call[:len(call)-1])
		if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("a call that stays in the middle:", err)
		}
		_, ended = served(t, background, newShop(), time.Millisecond, wire, call)
		if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("an answer that nobody takes:", err)
		}
	}
}

func TestAnIdleTimeoutDoesNotPutOffTheEndOfAServer(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	s := newShop()
	stream, ended := served(t, ctx, s, time.Hour, thrift.Wire{},
		message(thrift.Wire{}, thrift.Header{Method: "nothing", Type: thrift.Call}, &api.Empty{}))
	<-s.entered
	cancel()
	answerOf(t, bufio.NewReader(stream), false, new(thrift.ApplicationException))
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

// deadlines is a connection that counts the deadlines set for writes.
type deadlines struct {
	net.Conn
	set atomic.Int32
}

func (d *deadlines) SetWriteDeadline(at time.Time) error {
	defer d.set.Add(1)
	return d.Conn.SetWriteDeadline(at)
}

// stubborn is a shop that takes no notice of its context.
type stubborn struct{ *shop }

func (s stubborn) Nothing(context.Context) error { return s.shop.Nothing(background) }

func TestAnAnswerThatTookLongToMakeHasTimeToBeSent(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	s := newShop()
	here, there := net.Pipe()
	defer here.Close()
	stream := &deadlines{Conn: there}
	go api.NewShopProcessor(stubborn{s}).ServeConn(ctx, stream, thrift.Wire{})
	here.Write(message(thrift.Wire{}, thrift.Header{Method: "nothing", Type: thrift.Call}, &api.Empty{}))
	<-s.entered
	cancel()
	for stream.set.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	// The deadline for the end of the server has been set by now, and may pass before the answer is sent.
	stream.set.Store(0)
	close(s.release)
	if header := answerOf(t, bufio.NewReader(here), false, new(api.Empty)); header.Type != thrift.Reply || stream.set.Load() == 0 {
		t.Fatal(header, stream.set.Load())
	}
}

func TestConnectionsBeyondTheLimitWait(t *testing.T) {
	listener := listen(t, "tcp")
	s := newShop()
	processor := api.NewShopProcessor(s)
	processor.MaxConnections = 1
	ctx, cancel := context.WithCancel(background)
	ended := make(chan error)
	go func() { ended <- processor.Serve(ctx, listener, thrift.Wire{}, nil) }()
	client := func() (*api.ShopClient, *thrift.Client) {
		stream, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		caller := thrift.NewClient(stream, thrift.Wire{})
		return api.NewShopClient(caller), caller
	}
	first, caller := client()
	if alive, err := first.Alive(background); !alive || err != nil {
		t.Fatal(alive, err)
	}
	second, _ := client()
	answered := make(chan error)
	go func() { answered <- second.Nothing(background) }()
	for range 20 {
		if alive, err := first.Alive(background); !alive || err != nil {
			t.Fatal(alive, err)
		}
	}
	select {
	case <-s.entered:
		t.Fatal("a second connection was served beside the first")
	default:
	}
	caller.Close()
	<-s.entered
	cancel()
	if err := <-answered; err == nil {
		t.Fatal("a handler whose context has ended")
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}
