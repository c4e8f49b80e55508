package grpc

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	peer "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hone/go/rpc"
)

// patience is the time that an answered call may take: only a call that nobody answers takes so long.
const patience = 4 * time.Minute

// telling is the content of a handler's answer.
type telling struct {
	header, trailer rpc.Metadata
	err             error
}

// serveTelling serves calls, with and without a stream, and answers them with the content of next.
func serveTelling(t *testing.T, n network, next *atomic.Pointer[telling]) (address net.Addr, lost func() string) {
	t.Helper()
	last := make(chan string, 10000)
	server := rpc.NewServer()
	server.Lost = func(err error) { last <- err.Error() }
	server.Register(rpc.Service{Name: "test.Telling", Methods: []rpc.Method{
		{Name: "One", NewRequest: func() any { return new(rpc.Raw) }, Serve: func(ctx context.Context, request any) (any, error) {
			is := next.Load()
			rpc.SetHeader(ctx, is.header)
			rpc.SetTrailer(ctx, is.trailer)
			return wrapperspb.String("answer"), is.err
		}},
		{Name: "Many", ServerStreams: true, Stream: func(s *rpc.ServerStream) error {
			is := next.Load()
			s.SetHeader(is.header)
			s.SetTrailer(is.trailer)
			return is.err
		}},
	}})
	listener := n.listen(t)
	go server.Serve(listener)
	t.Cleanup(server.Close)
	return listener.Addr(), func() (all string) {
		for len(last) > 0 {
			all += <-last + "\n"
		}
		return all
	}
}

// askTelling makes a call with grpc-go.
func askTelling(t *testing.T, client *peer.ClientConn, method string) (error, metadata.MD, metadata.MD) {
	t.Helper()
	ctx, cancel := context.WithTimeout(background, patience)
	defer cancel()
	var header, trailer metadata.MD
	var reply []byte
	request := []byte(nil)
	if method == "One" {
		err := client.Invoke(ctx, "/test.Telling/One", &request, &reply, peer.Header(&header), peer.Trailer(&trailer))
		return err, header, trailer
	}
	stream, err := client.NewStream(ctx, &peer.StreamDesc{ServerStreams: true}, "/test.Telling/Many")
	if err != nil {
		return err, nil, nil
	}
	stream.SendMsg(&request)
	stream.CloseSend()
	for err == nil {
		err = stream.RecvMsg(&reply)
	}
	header, _ = stream.Header()
	if err.Error() == "EOF" {
		err = nil
	}
	return err, header, stream.Trailer()
}

func TestTheirClientsGetAnAnswerWhateverAHandlerSets(t *testing.T) {
	var next atomic.Pointer[telling]
	n := networks[0]
	address, lost := serveTelling(t, n, &next)
	for _, limit := range []uint32{0, 8 << 10, 16 << 10} {
		options := []peer.DialOption{}
		if limit != 0 {
			options = append(options, peer.WithMaxHeaderListSize(limit))
		}
		client := theirClient(t, n, address, options...)
		for _, pair := range []rpc.Pair{
			{Name: "why", Value: "one\ntwo"}, {Name: "why", Value: "\xff"}, {Name: "a b", Value: "x"}, {Name: "grpc-status", Value: "3"},
			{Name: "te", Value: "x"}, {Name: "connection", Value: "x"}, {Name: "why", Value: strings.Repeat("x", 30_000)}, {Name: "why-bin", Value: strings.Repeat("x", 300_000)},
		} {
			for _, code := range []rpc.Code{rpc.OK, rpc.NotFound} {
				for _, method := range []string{"One", "Many"} {
					is := &telling{trailer: rpc.Metadata{pair, {Name: "fine", Value: "yes"}}}
					if code != rpc.OK {
						is.err = rpc.Errorf(code, "no such thing")
					}
					next.Store(is)
					err, _, trailer := askTelling(t, client, method)
					fits := limit == 0 && len(pair.Value) > 10_000
					if status.Code(err) != codes.Code(code) || len(trailer.Get("fine")) != 1 || (len(trailer.Get(pair.Name)) != 0) != fits {
						t.Errorf("limit %d, %.20q, %d bytes, %v, %s: %v, %d fields", limit, pair.Name, len(pair.Value), code, method, err, len(trailer))
					}
					if told := lost(); fits != (told == "") {
						t.Errorf("limit %d, %.20q, %d bytes: the server tells of %.200q", limit, pair.Name, len(pair.Value), told)
					}
				}
			}
		}
	}
}

func TestTheirClientsGetTheCodeOfALongError(t *testing.T) {
	var next atomic.Pointer[telling]
	n := networks[0]
	address, _ := serveTelling(t, n, &next)
	for _, limit := range []uint32{0, 8 << 10, 16 << 10} {
		options := []peer.DialOption{}
		if limit != 0 {
			options = append(options, peer.WithMaxHeaderListSize(limit))
		}
		client := theirClient(t, n, address, options...)
		for _, text := range []string{"short", strings.Repeat("€", 5000), strings.Repeat("x", 300_000)} {
			for _, details := range []int{0, 10, 20_000} {
				failure := rpc.Errorf(rpc.NotFound, "%s", text)
				if details > 0 {
					failure.WithDetails(wrapperspb.String("first"), wrapperspb.String(strings.Repeat("x", details)))
				}
				next.Store(&telling{err: failure})
				for _, method := range []string{"One", "Many"} {
					err, _, _ := askTelling(t, client, method)
					got := status.Convert(err)
					kept, _, isCut := strings.Cut(got.Message(), " ... (")
					if got.Code() != codes.NotFound || !strings.HasPrefix(text, kept) || !utf8.ValidString(kept) || len(kept) < min(len(text), 1000) || !isCut && kept != text {
						t.Errorf("limit %d, %d bytes, details of %d, %s: %v %.100q", limit, len(text), details, method, got.Code(), got.Message())
					}
					if details == 10 && len(got.Details()) != 2 {
						t.Errorf("limit %d, %d bytes: short details did not come: %s", limit, len(text), fmt.Sprint(got.Details()))
					}
				}
			}
		}
	}
}
