package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"hone/go/internal/greeter"
	"hone/go/rpc"
	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/h2"
	"hone/go/rpc/internal/link"
)

func TestMetadataOfAGatewayIsRefusedByNameBeforeItIsSent(t *testing.T) {
	s, _ := setEcho(t, "unix")
	for name, value := range map[string]string{
		"te": "gzip", "connection": "close", "Content-Type": "text/html", "grpc-timeout": "1S", "host": "a", ":path": "/", "x-name": "\xff\x00", "x y": "z", "": "x",
	} {
		for _, call := range []func(ctx context.Context) error{
			func(ctx context.Context) error { _, err := s.unary(ctx, "x"); return err },
			func(ctx context.Context) error { _, err := s.client.Open(ctx, streamPath); return err },
		} {
			err := call(rpc.WithMetadata(within(t, testPatience), name, value))
			var told *rpc.Error
			if !errors.As(err, &told) || told.Code != rpc.InvalidArgument || told.Stage != rpc.Sending || !strings.Contains(err.Error(), fmt.Sprintf("%q", strings.ToLower(name))) && name != "" {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
	if got, err := s.unary(rpc.WithMetadata(background, "x-forwarded-for", "::1"), "after"); err != nil || got != "after" {
		t.Error(got, err)
	}
}

func TestMetadataThatIsNotBase64IsRefusedByName(t *testing.T) {
	a := newAnswering(t)
	client := a.dial(t, 0)
	a.next.Store(&telling{})
	for _, path := range []string{oneAnswer, manyAnswers} {
		for value, want := range map[string]grpcwire.Code{"AAE": grpcwire.OK, "AAE=,AQ": grpcwire.OK, "a?": grpcwire.InvalidArgument, "naïve": grpcwire.InvalidArgument} {
			header := h2.NewRequestTemplate("http", "test", path, grpcwire.ContentType, "test")
			call := h2.Call{Header: header, Metadata: []h2.Field{{Name: "trace-bin", Value: value}}}
			stream, err := client.Call(within(t, testPatience), call, h2.Bytes(nil), false, anyReply{})
			if path == manyAnswers && want == grpcwire.OK {
				// An answer of this method has no message.
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := stream.Status(); got.Code != want || want != grpcwire.OK && (!strings.Contains(got.Message, `"trace-bin"`) || !strings.Contains(got.Message, "base64")) {
				t.Errorf("%s, %q: %v", path, value, got)
			}
		}
	}
}

// answersBadly starts a server of gRPC that gives every call the same answer, and returns its address.
func answersBadly(t *testing.T, answer h2.Response) string {
	address, _ := serveBadly(t, "unix", func(conn net.Conn, _ <-chan struct{}) {
		h2.NewServer(link.New(conn, link.Options{}), h2.Options{}, func(s *h2.Stream) {
			go s.Respond(background, &answer)
		}).Serve()
	})
	return address
}

func TestAnAnswerWithMetadataThatIsNotBase64IsRefusedByName(t *testing.T) {
	bad := []h2.Field{{Name: "fine-bin", Value: "AAE"}, {Name: "trace-bin", Value: "a?"}}
	refused := grpcwire.Status{Code: grpcwire.NotFound, Message: "no such item"}
	for name, is := range map[string]struct {
		answer h2.Response
		want   rpc.Code
		text   string
	}{
		"header":              {h2.Response{Metadata: bad, Message: h2.Bytes(nil)}, rpc.Internal, `"trace-bin" is not base64`},
		"trailer":             {h2.Response{Trailer: bad, Message: h2.Bytes(nil)}, rpc.Internal, `"trace-bin" is not base64`},
		"trailer of an error": {h2.Response{Trailer: bad, Status: refused}, rpc.NotFound, "no such item"},
	} {
		t.Run(name, func(t *testing.T) {
			client := rpc.Dial(answersBadly(t, is.answer))
			client.Wire = rpc.GRPC
			defer client.Close()
			expect := func(kind string, err error) {
				if rpc.CodeOf(err) != is.want || !strings.Contains(err.Error(), is.text) {
					t.Errorf("%s: %v", kind, err)
				}
			}
			polite := greeter.NewGreeterClient(client)
			_, err := polite.Hello(within(t, testPatience), new(greeter.HelloRequest))
			expect("a call", err)
			items, err := polite.List(within(t, testPatience), new(greeter.ListRequest))
			for err == nil {
				_, err = items.Recv()
			}
			expect("a stream", err)
		})
	}
}
