package grpc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	peer "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	_ "google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"hone/go/rpc/internal/h2"
	"hone/go/rpc/internal/link"
)

var (
	chatDesc    = &peer.StreamDesc{StreamName: "Chat", ClientStreams: true, ServerStreams: true}
	collectDesc = &peer.StreamDesc{StreamName: "Collect", ClientStreams: true}
	expandDesc  = &peer.StreamDesc{StreamName: "Expand", ServerStreams: true}
)

// invoke calls a method with grpc-go.
func invoke(ctx context.Context, client *peer.ClientConn, name string, message []byte, options ...peer.CallOption) ([]byte, error) {
	var reply []byte
	err := client.Invoke(ctx, "/test.Service/"+name, &message, &reply, options...)
	return reply, err
}

func TestOurServerAnswersTheirCalls(t *testing.T) {
	eachNetwork(t, func(t *testing.T, n network) {
		server := serveOurs(t, n, h2.Options{MessageBytes: 64 << 20}, newOurs().handle)
		client := theirClient(t, n, server.listener.Addr())
		for _, size := range []int{0, 1, 1000, 20_000, 1 << 20, 6 << 20} {
			for _, options := range [][]peer.CallOption{nil, {peer.UseCompressor("gzip")}} {
				message := bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
				if reply, err := invoke(background, client, "Echo", message, options...); err != nil || !bytes.Equal(reply, message) {
					t.Fatalf("%d bytes: %d came back: %v", size, len(reply), err)
				}
			}
		}
	})
}

func TestOurServerTellsTheirsAStatusWithDetails(t *testing.T) {
	server := serveOurs(t, networks[0], h2.Options{}, newOurs().handle)
	client := theirClient(t, networks[0], server.listener.Addr())
	var trailer metadata.MD
	_, err := invoke(background, client, "Fail", nil, peer.Trailer(&trailer))
	if got := status.Convert(err); got.Code() != codes.FailedPrecondition || got.Message() != "nö: 100 %\n" {
		t.Fatal(err)
	}
	if trailer.Get("why")[0] != "because" || trailer.Get("grpc-status-details-bin")[0] != string(failure) {
		t.Fatal(trailer)
	}
	if _, err := invoke(background, client, "Unknown", nil); status.Code(err) != codes.Unimplemented {
		t.Fatal(err)
	}
}

func TestOurServerHandsTheirMetadataBack(t *testing.T) {
	server := serveOurs(t, networks[0], h2.Options{}, newOurs().handle)
	client := theirClient(t, networks[0], server.listener.Addr())
	sent := metadata.Pairs("x-text", "some text", "x-text", "more", "x-bytes-bin", "\x00\xff\xfe", "x-long", fmt.Sprintf("%030000d", 7))
	for range 3 {
		var header, trailer metadata.MD
		_, err := invoke(metadata.NewOutgoingContext(background, sent), client, "Meta", nil, peer.Header(&header), peer.Trailer(&trailer))
		if err != nil {
			t.Fatal(err)
		}
		for name, values := range sent {
			if fmt.Sprint(header[name]) != fmt.Sprint(values) || fmt.Sprint(trailer[name]) != fmt.Sprint(values) {
				t.Fatalf("%s: %q %q", name, header[name], trailer[name])
			}
		}
	}
}

func TestOurServerStreamsWithTheirs(t *testing.T) {
	eachNetwork(t, func(t *testing.T, n network) {
		server := serveOurs(t, n, h2.Options{StreamWindow: 100_000}, newOurs().handle)
		client := theirClient(t, n, server.listener.Addr())
		if err := atOnce(10, func(int) error { return theirStreams(client) }); err != nil {
			t.Fatal(err)
		}
	})
}

// theirStreams uses the three kinds of streams with grpc-go's client.
func theirStreams(client *peer.ClientConn) error {
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	collect, err := client.NewStream(ctx, collectDesc, "/test.Service/Collect")
	if err != nil {
		return err
	}
	size := 0
	for i := range 300 {
		message := expansion(i)
		size += len(message)
		if err := collect.SendMsg(&message); err != nil {
			return err
		}
	}
	collect.CloseSend()
	var reply []byte
	if err := collect.RecvMsg(&reply); err != nil || !bytes.Equal(reply, tally(300, size)) {
		return fmt.Errorf("collect: %x, %w", reply, err)
	}
	expand, err := client.NewStream(ctx, expandDesc, "/test.Service/Expand")
	if err != nil {
		return err
	}
	request := []byte("300")
	expand.SendMsg(&request)
	expand.CloseSend()
	for i := range 300 {
		if err := expand.RecvMsg(&reply); err != nil || !bytes.Equal(reply, expansion(i)) {
			return fmt.Errorf("expand: %d: %d bytes, %w", i, len(reply), err)
		}
	}
	if err := expand.RecvMsg(&reply); err != io.EOF {
		return err
	}
	chat, err := client.NewStream(ctx, chatDesc, "/test.Service/Chat")
	if err != nil {
		return err
	}
	for i := range 100 {
		message := expansion(i * 7)
		if err := chat.SendMsg(&message); err != nil {
			return err
		}
		if err := chat.RecvMsg(&reply); err != nil || !bytes.Equal(reply, message) {
			return fmt.Errorf("chat: %d: %d bytes, %w", i, len(reply), err)
		}
	}
	chat.CloseSend()
	if err := chat.RecvMsg(&reply); err != io.EOF {
		return err
	}
	return nil
}

func TestTheirCancellationReachesOurHandlers(t *testing.T) {
	service := newOurs()
	server := serveOurs(t, networks[0], h2.Options{}, service.handle)
	client := theirClient(t, networks[0], server.listener.Addr())
	ctx, cancel := context.WithCancel(background)
	result := make(chan error)
	go func() {
		_, err := invoke(ctx, client, "Wait", nil)
		result <- err
	}()
	<-service.waiting
	cancel()
	if err := <-result; status.Code(err) != codes.Canceled {
		t.Fatal(err)
	}
	<-service.ended
	untilADeadlineReaches(service.waiting, func(deadline context.Context) {
		if _, err := invoke(deadline, client, "Wait", nil); status.Code(err) != codes.DeadlineExceeded {
			t.Fatal(err)
		}
	})
	<-service.ended
}

func TestOurServerRefusesMessagesThatAreTooLong(t *testing.T) {
	server := serveOurs(t, networks[0], h2.Options{MessageBytes: 1000}, newOurs().handle)
	client := theirClient(t, networks[0], server.listener.Addr())
	for _, size := range []int{1001, 1 << 20} {
		if _, err := invoke(background, client, "Echo", make([]byte, size)); status.Code(err) != codes.ResourceExhausted {
			t.Fatal(err)
		}
	}
	if _, err := invoke(background, client, "Echo", make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
}

func TestManyOfTheirCallsAtOnceAreAnswered(t *testing.T) {
	eachNetwork(t, func(t *testing.T, n network) {
		server := serveOurs(t, n, h2.Options{}, newOurs().handle)
		client := theirClient(t, n, server.listener.Addr())
		for _, callers := range []int{512, 2048} {
			err := atOnce(callers, func(i int) error {
				for round := range 3 {
					message := bytes.Repeat([]byte{byte(i)}, (i*31+round)%4096)
					if reply, err := invoke(background, client, "Echo", message); err != nil || !bytes.Equal(reply, message) {
						return fmt.Errorf("%d bytes came back: %w", len(reply), err)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestNoCallOfTheirsIsLostWhenOurServerDrains(t *testing.T) {
	eachNetwork(t, func(t *testing.T, n network) {
		server := serveOurs(t, n, h2.Options{}, newOurs().handle)
		client := theirClient(t, n, server.listener.Addr())
		stop := make(chan struct{})
		drained := make(chan int)
		go func() {
			// Each present connection drains, again and again.
			drains := 0
			for {
				select {
				case <-stop:
					drained <- drains
					return
				case <-time.After(time.Millisecond):
					server.each(func(s *h2.Server, _ *link.Link) { s.Drain(); drains++ })
				}
			}
		}()
		err := atOnce(50, func(i int) error {
			for round := range 100 {
				message := []byte(fmt.Sprint(i, round))
				if reply, err := invoke(background, client, "Echo", message); err != nil || !bytes.Equal(reply, message) {
					return err
				}
			}
			return nil
		})
		close(stop)
		if drains := <-drained; err != nil || drains == 0 {
			t.Fatal(drains, err)
		}
	})
}
