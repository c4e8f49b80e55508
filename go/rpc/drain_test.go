package rpc_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"hone/go/internal/greeter"
	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
)

// quiet is longer than the time for which a server that ends waits for further bytes.
const quiet = 150 * time.Millisecond

// beginEnd begins to end the server, and returns a channel that receives the result when it has ended.
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
		inFakeTime(t, func(t *testing.T) { halfOfAMessageComesLate(t, padding) })
	}
}

func halfOfAMessageComesLate(t *testing.T, padding int) {
	t.Helper()
	s := setPiped(t)
	caller := rawCallerOver(s.connect(t), rpc.TTHeader)
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

func TestCallsThatHaveComeOverAnOrderedWireAreAnsweredByAServerThatEnds(t *testing.T) {
	t.Run("at once", func(t *testing.T) { callsHaveCome(t, 0) })
	t.Run("after its patience for further calls", func(t *testing.T) {
		if testing.Short() {
			t.Skip("waits on a clock")
		}
		callsHaveCome(t, quiet)
	})
}

// callsHaveCome ends a server while it answers the first of two calls. Answering takes the time wait.
func callsHaveCome(t *testing.T, wait time.Duration) {
	t.Helper()
	s := set(t, "tcp", rpc.Framed)
	caller := newRawCaller(t, s.address, rpc.Framed)
	caller.write(t, caller.bytesOf(1, "nothing", nothing{}))
	<-s.entered
	caller.write(t, caller.bytesOf(2, "alive", nothing{}))
	ended := s.beginEnd(t)
	time.Sleep(wait)
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
	// The server is still writing its answer when these calls come, and ends before the last of the answer is read.
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
	inFakeTime(t, func(t *testing.T) {
		s := setPiped(t, func(server *rpc.Server, _ *rpc.Client) { server.IdleTimeout = quiet })
		caller := rawCallerOver(s.connect(t), rpc.TTHeader)
		caller.write(t, caller.bytesOf(1, "find", &api.ShopFindArgs{ID: size}))
		time.Sleep(5 * quiet)
		if n := caller.readAll(); n < size {
			t.Errorf("%d of %d bytes came", n, size)
		}
	})
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
	inFakeTime(t, func(t *testing.T) {
		p := &patient{entered: make(chan struct{}, 1), release: make(chan struct{}), ended: make(chan error, 1)}
		s := setPiped(t, func(server *rpc.Server, _ *rpc.Client) { greeter.RegisterGreeter(server, p) })
		call := firstCall(t, greeter.Greeter_Hello_FullMethodName)
		conn := s.connect(t)
		// Once no goroutine of the server runs, it has accepted the connection.
		synctest.Wait()
		s.beginEnd(t)
		// This pause is too short for the server to stop waiting for a first call.
		time.Sleep(quiet / 2)
		go io.Copy(io.Discard, conn)
		if _, err := conn.Write(call); err != nil {
			t.Fatal(err)
		}
		<-p.entered
		time.Sleep(2 * quiet)
		close(p.release)
		if err := <-p.ended; err != nil {
			t.Error(err)
		}
	})
}

// firstCall returns the bytes that a client of gRPC sends first, with a call whose request is empty.
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

// patient answers a call when it is released.
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
