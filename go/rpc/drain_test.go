package rpc_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"hone/go/internal/greeter"
	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
)

// quiet is longer than a server that ends waits for further bytes.
const quiet = 150 * time.Millisecond

// end begins to end the server, and gives what tells that it has ended.
func (s *setting) beginEnd(t *testing.T) <-chan error {
	t.Helper()
	begun, ended := make(chan struct{}), make(chan error, 1)
	s.server.OnShutdown(func() { close(begun) })
	go func() { ended <- s.server.Shutdown(within(t, testPatience)) }()
	<-begun
	return ended
}

// TestAServerThatEndsTakesNoPartOfAMessageForACall sends half of a message, waits until the server has looked for more in vain, and sends the
// other half, which holds the bytes of another call.
func TestAServerThatEndsTakesNoPartOfAMessageForACall(t *testing.T) {
	for _, padding := range []int{1, 12 << 10} {
		s := set(t, "tcp", rpc.TTHeader)
		caller := newRawCaller(t, s.address, rpc.TTHeader)
		caller.write(t, caller.bytesOf(1, "nothing", nothing{}))
		<-s.entered
		inner := caller.bytesOf(7, "forget", &api.ShopForgetArgs{ID: 4711})
		order := api.NewOrder()
		order.Items = make([]api.ItemID, padding)
		for padded := append(bytes.Clone(inner), make([]byte, 8)...); len(padded) >= 8; padded = padded[8:] {
			order.Items = append(order.Items, api.ItemID(binary.BigEndian.Uint64(padded)))
		}
		outer := caller.bytesOf(2, "order", &api.ShopOrderArgs{Order: order, Limit: 1_000_000})
		half := bytes.Index(outer, inner)
		ended := s.beginEnd(t)
		caller.write(t, outer[:half])
		time.Sleep(2 * quiet)
		caller.write(t, outer[half:])
		caller.expect(t, "order")
		close(s.release)
		caller.expect(t, "nothing")
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if len(s.forgotten) > 0 {
			t.Error("a part of a message ran as a call")
		}
	}
}

func TestCallsThatHaveComeOverAnOrderedWireAreAnsweredByAServerThatEnds(t *testing.T) {
	s := set(t, "tcp", rpc.Framed)
	caller := newRawCaller(t, s.address, rpc.Framed)
	caller.write(t, caller.bytesOf(1, "nothing", nothing{}))
	<-s.entered
	caller.write(t, caller.bytesOf(2, "alive", nothing{}))
	ended := s.beginEnd(t)
	// So long that the server's patience for further calls is over.
	time.Sleep(quiet)
	close(s.release)
	caller.expect(t, "nothing", "alive")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestAnAnswerIsNotCutByCallsThatNobodyReads(t *testing.T) {
	const size = 14 << 20
	entered, release := make(chan struct{}), make(chan struct{})
	s := set(t, "tcp", rpc.Framed, func(server *rpc.Server, _ *rpc.Client) {
		server.Interceptors = []rpc.Interceptor{func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
			if call.Method == "find" {
				entered <- struct{}{}
				<-release
			}
			return next(ctx)
		}}
	})
	caller := newRawCaller(t, s.address, rpc.Framed)
	caller.write(t, caller.bytesOf(1, "find", &api.ShopFindArgs{ID: size}))
	<-entered
	ended := s.beginEnd(t)
	close(release)
	// The server is writing its answer when these come, and ends before the last of the answer is read.
	for range 100 {
		caller.Write(caller.bytesOf(2, "alive", nothing{}))
	}
	const last = 64 << 10
	if _, err := io.CopyN(io.Discard, caller.Conn, size-last); err != nil {
		t.Fatal(err)
	}
	<-ended
	if n := caller.readAll(); n < last {
		t.Errorf("%d of the last %d bytes came", n, last)
	}
}

func TestAnAnswerThatIsBeingReadKeepsItsConnection(t *testing.T) {
	const size = 14 << 20
	s := set(t, "tcp", rpc.TTHeader, func(server *rpc.Server, _ *rpc.Client) { server.IdleTimeout = quiet })
	caller := newRawCaller(t, s.address, rpc.TTHeader)
	caller.write(t, caller.bytesOf(1, "find", &api.ShopFindArgs{ID: size}))
	time.Sleep(5 * quiet)
	if n := caller.readAll(); n < size {
		t.Errorf("%d of %d bytes came", n, size)
	}
}

func TestAnAnswerDoesNotWaitForTheNextCallOfItsConnection(t *testing.T) {
	s := set(t, "tcp", rpc.Framed)
	caller := newRawCaller(t, s.address, rpc.Framed)
	caller.write(t, append(caller.bytesOf(1, "alive", nothing{}), caller.bytesOf(2, "nothing", nothing{})...))
	caller.expect(t, "alive")
	close(s.release)
	caller.expect(t, "nothing")
}

// TestACallThatComesWithItsConnectionWhileTheServerEndsIsServed connects before the server begins to end, and calls then.
func TestACallThatComesWithItsConnectionWhileTheServerEndsIsServed(t *testing.T) {
	for !callWhileItEnds(t) {
		// The call came after the server's patience for a first one.
	}
}

// callWhileItEnds is false where the server did not take the call.
func callWhileItEnds(t *testing.T) bool {
	t.Helper()
	p := &patient{entered: make(chan struct{}, 1), release: make(chan struct{}), ended: make(chan error, 1)}
	accepts := make(chan struct{}, 10)
	s := setWith(t, "tcp", rpc.GRPC, func(s *setting) {
		greeter.RegisterGreeter(s.server, p)
		s.listen = func(l net.Listener) net.Listener { return accepting{l, accepts} }
	})
	call := firstCall(t, greeter.Greeter_Hello_FullMethodName)
	conn := dial(t, s.address)
	// The server has the connection once it asks for another one.
	<-accepts
	<-accepts
	s.beginEnd(t)
	conn.Write(call)
	hasEnded := make(chan struct{})
	go func() {
		io.Copy(io.Discard, conn)
		close(hasEnded)
	}()
	select {
	case <-p.entered:
	case <-hasEnded:
		return false
	}
	time.Sleep(2 * quiet)
	close(p.release)
	if err := <-p.ended; err != nil {
		t.Error(err)
	}
	return true
}

// firstCall is what a client of gRPC sends first: an empty request.
func firstCall(t *testing.T, path string) []byte {
	t.Helper()
	var head, sent bytes.Buffer
	encoder := hpack.NewEncoder(&head)
	for _, field := range [][2]string{{":method", "POST"}, {":scheme", "http"}, {":path", path}, {":authority", "shop"}, {"content-type", "application/grpc"}, {"te", "trailers"}} {
		encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]})
	}
	sent.WriteString(http2.ClientPreface)
	framer := http2.NewFramer(&sent, nil)
	if err := errors.Join(framer.WriteSettings(), framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: head.Bytes(), EndHeaders: true}),
		framer.WriteData(1, true, make([]byte, 5))); err != nil {
		t.Fatal(err)
	}
	return sent.Bytes()
}

// accepting tells when a connection is asked for.
type accepting struct {
	net.Listener
	asked chan<- struct{}
}

func (a accepting) Accept() (net.Conn, error) {
	a.asked <- struct{}{}
	return a.Listener.Accept()
}

// patient answers when it may.
type patient struct {
	greeter.UnimplementedGreeter
	entered, release chan struct{}
	ended            chan error
}

func (p *patient) Hello(ctx context.Context, _ *greeter.HelloRequest) (*greeter.HelloReply, error) {
	p.entered <- struct{}{}
	select {
	case <-p.release:
	case <-ctx.Done():
	}
	p.ended <- ctx.Err()
	return new(greeter.HelloReply), nil
}
