package grpc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	peer "google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/h2"
)

// call calls a method with package h2.
func call(ctx context.Context, client *h2.Client, name string, message []byte) ([]byte, error) {
	var reply kept
	s, err := client.Call(ctx, method(name), h2.Bytes(message), false, &reply)
	if err != nil {
		return nil, err
	}
	if status := s.Status(); status.Code != grpcwire.OK {
		return nil, fmt.Errorf("%s: %s", status.Code, status.Message)
	}
	return reply.bytes, nil
}

// codeOf returns the code of a call that failed in another way than by a status.
func codeOf(err error) grpcwire.Code {
	var why *h2.Error
	if errors.As(err, &why) {
		return why.Code
	}
	return grpcwire.OK
}

func TestTheirServerAnswersOurCalls(t *testing.T) {
	eachNetwork(t, func(t *testing.T, n network) {
		_, address := newTheirs().serve(t, n)
		client := ourClient(t, n, address, h2.Options{MessageBytes: 64 << 20})
		for _, size := range []int{0, 1, 1000, 20_000, 1 << 20, 6 << 20} {
			message := bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
			if reply, err := call(background, client, "Echo", message); err != nil || !bytes.Equal(reply, message) {
				t.Fatalf("%d bytes: %d came back: %v", size, len(reply), err)
			}
		}
	})
}

func TestTheirServerAnswersOurCompressedCalls(t *testing.T) {
	_, address := newTheirs().serve(t, networks[0])
	client := ourClient(t, networks[0], address, h2.Options{})
	message := bytes.Repeat([]byte("0123456789"), 1000)
	var reply kept
	ask := method("Echo", h2.Field{Name: "grpc-encoding", Value: "gzip"}, h2.Field{Name: "grpc-accept-encoding", Value: grpcwire.Gzip})
	s, err := client.Call(background, ask, h2.Bytes(grpcwire.AppendGzip(nil, message)), true, &reply)
	if err != nil || s.Status().Code != grpcwire.OK || !reply.isCompressed || s.Encoding() != grpcwire.Gzip {
		t.Fatal(err, s.Status(), reply.isCompressed)
	}
	if plain, err := grpcwire.AppendGunzip(nil, reply.bytes, 1<<20); err != nil || !bytes.Equal(plain, message) {
		t.Fatal(len(plain), err)
	}
}

func TestTheirStatusIsRead(t *testing.T) {
	_, address := newTheirs().serve(t, networks[0])
	client := ourClient(t, networks[0], address, h2.Options{})
	s, err := client.Call(background, method("Fail"), h2.Bytes(nil), false, &kept{})
	if err != nil {
		t.Fatal(err)
	}
	if status := s.Status(); status.Code != grpcwire.FailedPrecondition || status.Message != "nö: 100 %\n" {
		t.Fatal(status)
	}
	if trailer := s.Trailer(); len(trailer) != 1 || trailer[0] != (h2.Field{Name: "why", Value: "because"}) {
		t.Fatal(trailer)
	}
	s, err = client.Call(background, method("Unknown"), h2.Bytes(nil), false, &kept{})
	if err != nil || s.Status().Code != grpcwire.Unimplemented {
		t.Fatal(err, s.Status())
	}
}

func TestTheirServerHandsOurMetadataBack(t *testing.T) {
	_, address := newTheirs().serve(t, networks[0])
	client := ourClient(t, networks[0], address, h2.Options{})
	for range 3 {
		ask := method("Meta", h2.Field{Name: "x-text", Value: "some text"}, h2.Field{Name: "x-text", Value: "more"},
			h2.Field{Name: "x-bytes-bin", Value: string(grpcwire.AppendBinary(nil, []byte("\x00\xff\xfe")))})
		s, err := client.Call(background, ask, h2.Bytes(nil), false, &kept{})
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range [][]h2.Field{s.Header(), s.Trailer()} {
			values := map[string]int{}
			for _, field := range got {
				values[field.Name+"="+field.Value]++
			}
			if len(got) != 3 || values["x-text=some text"] != 1 || values["x-text=more"] != 1 || values["x-bytes-bin=AP/+"] != 1 {
				t.Fatal(got)
			}
		}
	}
}

func TestOurClientStreamsWithTheirServer(t *testing.T) {
	eachNetwork(t, func(t *testing.T, n network) {
		_, address := newTheirs().serve(t, n)
		client := ourClient(t, n, address, h2.Options{StreamWindow: 100_000})
		if err := atOnce(10, func(int) error { return ourStreams(client) }); err != nil {
			t.Fatal(err)
		}
	})
}

// ourStreams uses the three kinds of streams with the client of package h2.
func ourStreams(client *h2.Client) error {
	collect, err := client.Open(background, method("Collect"))
	if err != nil {
		return err
	}
	size := 0
	for i := range 300 {
		message := expansion(i)
		size += len(message)
		if err := collect.SendMessage(background, h2.Bytes(message), false); err != nil {
			return err
		}
	}
	collect.CloseSend(background)
	if reply, _, err := collect.Receive(background); err != nil || !bytes.Equal(reply, tally(300, size)) {
		return fmt.Errorf("collect: %x, %w", reply, err)
	}
	if _, _, err := collect.Receive(background); err != io.EOF {
		return err
	}
	expand, err := client.Send(background, method("Expand"), h2.Bytes("300"), false)
	if err != nil {
		return err
	}
	for i := range 300 {
		if reply, _, err := expand.Receive(background); err != nil || !bytes.Equal(reply, expansion(i)) {
			return fmt.Errorf("expand: %d: %d bytes, %w", i, len(reply), err)
		}
	}
	if _, _, err := expand.Receive(background); err != io.EOF {
		return err
	}
	chat, err := client.Open(background, method("Chat"))
	if err != nil {
		return err
	}
	for i := range 100 {
		message := expansion(i * 7)
		if err := chat.SendMessage(background, h2.Bytes(message), false); err != nil {
			return err
		}
		if reply, _, err := chat.Receive(background); err != nil || !bytes.Equal(reply, message) {
			return fmt.Errorf("chat: %d: %d bytes, %w", i, len(reply), err)
		}
	}
	chat.CloseSend(background)
	if _, _, err := chat.Receive(background); err != io.EOF || chat.Status().Code != grpcwire.OK {
		return err
	}
	return nil
}

func TestOurCancellationReachesTheirHandlers(t *testing.T) {
	service := newTheirs()
	_, address := service.serve(t, networks[0])
	client := ourClient(t, networks[0], address, h2.Options{})
	ctx, cancel := context.WithCancel(background)
	result := make(chan error)
	go func() {
		_, err := call(ctx, client, "Wait", nil)
		result <- err
	}()
	<-service.waiting
	cancel()
	if err := <-result; codeOf(err) != grpcwire.Canceled {
		t.Fatal(err)
	}
	<-service.ended
	untilADeadlineReaches(service.waiting, func(deadline context.Context) {
		if _, err := call(deadline, client, "Wait", nil); codeOf(err) != grpcwire.DeadlineExceeded && !bytes.Contains([]byte(fmt.Sprint(err)), []byte("DEADLINE")) {
			t.Fatal(err)
		}
	})
	<-service.ended
}

func TestOurClientRefusesMessagesThatAreTooLong(t *testing.T) {
	_, address := newTheirs().serve(t, networks[0])
	client := ourClient(t, networks[0], address, h2.Options{MessageBytes: 1000, SendBytes: 2 << 20})
	for size, code := range map[int]grpcwire.Code{1000: grpcwire.OK, 1001: grpcwire.ResourceExhausted, 3 << 20: grpcwire.ResourceExhausted} {
		if _, err := call(background, client, "Echo", make([]byte, size)); codeOf(err) != code {
			t.Fatal(size, err)
		}
	}
	if _, err := call(background, client, "Echo", make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
}

// untilTaken makes a call again until the server processes it, and returns how often the server refused it.
func untilTaken(call func() ([]byte, error)) (reply []byte, refused int, err error) {
	for ; ; refused++ {
		reply, err = call()
		var why *h2.Error
		if !errors.As(err, &why) || !why.IsUnprocessed {
			return reply, refused, err
		}
	}
}

// grpc-go says that a stream has ended a moment before it counts the stream as ended. So the stream that takes its place may be
// refused, though rarely. A client that did not keep to the limit would be refused most of the time.
func TestManyOfOurCallsAtOnceAreAnswered(t *testing.T) {
	eachNetwork(t, func(t *testing.T, n network) {
		for _, streams := range []uint32{0, 10} {
			var options []peer.ServerOption
			if streams > 0 {
				options = append(options, peer.MaxConcurrentStreams(streams))
			}
			_, address := newTheirs().serve(t, n, options...)
			client := ourClient(t, n, address, h2.Options{})
			for _, callers := range []int{512, 2048} {
				const rounds = 3
				var refusals atomic.Int64
				err := atOnce(callers, func(i int) error {
					for round := range rounds {
						message := bytes.Repeat([]byte{byte(i)}, (i*31+round)%4096)
						reply, refused, err := untilTaken(func() ([]byte, error) { return call(background, client, "Echo", message) })
						if err != nil || !bytes.Equal(reply, message) {
							return fmt.Errorf("%d bytes came back: %w", len(reply), err)
						}
						refusals.Add(int64(refused))
					}
					return nil
				})
				if refused := refusals.Load(); err != nil || refused > int64(callers*rounds/10) {
					t.Fatal(refused, err)
				}
			}
		}
	})
}

// redialing is a client that opens another connection when its server leaves, and sends the calls again that were not processed.
type redialing struct {
	t    *testing.T
	dial func() *h2.Client
	mu   sync.Mutex
	now  *h2.Client
}

func (r *redialing) client() *h2.Client {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil {
		select {
		case <-r.now.Leaving():
			r.now = nil
		default:
		}
	}
	if r.now == nil {
		r.now = r.dial()
	}
	return r.now
}

func (r *redialing) call(message []byte) ([]byte, error) {
	reply, _, err := untilTaken(func() ([]byte, error) { return call(background, r.client(), "Echo", message) })
	return reply, err
}

func TestNoCallOfOursIsLostWhenTheirServerSendsConnectionsAway(t *testing.T) {
	eachNetwork(t, func(t *testing.T, n network) {
		// grpc-go sends GOAWAY when a connection reaches this age.
		_, address := newTheirs().serve(t, n, peer.KeepaliveParams(keepalive.ServerParameters{MaxConnectionAge: 5 * time.Millisecond}))
		dials := 0
		client := redialing{t: t, dial: func() *h2.Client {
			dials++
			return ourClient(t, n, address, h2.Options{})
		}}
		err := atOnce(50, func(i int) error {
			for round := range 100 {
				message := []byte(fmt.Sprint(i, round))
				if reply, err := client.call(message); err != nil || !bytes.Equal(reply, message) {
					return fmt.Errorf("%q: %w", reply, err)
				}
			}
			return nil
		})
		if err != nil || dials < 2 {
			t.Fatal(dials, err)
		}
	})
}

func TestTheirServerSendsAwayAClientThatPingsTooOften(t *testing.T) {
	service := newTheirs()
	_, address := service.serve(t, networks[0])
	client := ourClient(t, networks[0], address, h2.Options{KeepAlive: h2.KeepAlive{Every: time.Millisecond}})
	_, err := call(background, client, "Wait", nil)
	if codeOf(err) != grpcwire.Unavailable {
		t.Fatal(err)
	}
	<-service.ended
	<-client.Leaving()
}

func TestOurKeepAliveIsAnsweredByTheirs(t *testing.T) {
	service := newTheirs()
	_, address := service.serve(t, networks[0], peer.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: time.Microsecond}))
	client := ourClient(t, networks[0], address, h2.Options{KeepAlive: h2.KeepAlive{Every: time.Millisecond}})
	ctx, cancel := context.WithTimeout(background, 200*time.Millisecond)
	defer cancel()
	call(ctx, client, "Wait", nil)
	if _, err := call(background, client, "Echo", nil); err != nil {
		t.Fatal(err)
	}
}

func TestACallEndsWhenItsServerStopsReading(t *testing.T) {
	eachNetwork(t, func(t *testing.T, n network) {
		listener := n.listen(t)
		defer listener.Close()
		accepted := make(chan net.Conn, 1)
		go func() {
			c, err := listener.Accept()
			if err == nil {
				accepted <- c
			}
		}()
		client := ourClient(t, n, listener.Addr(), h2.Options{})
		defer func() { (<-accepted).Close() }()
		err := atOnce(200, func(int) error {
			ctx, cancel := context.WithTimeout(background, 100*time.Millisecond)
			defer cancel()
			_, err := call(ctx, client, "Echo", make([]byte, 100_000))
			if code := codeOf(err); code != grpcwire.DeadlineExceeded {
				return fmt.Errorf("%v: %w", code, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
