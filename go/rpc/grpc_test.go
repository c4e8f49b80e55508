package rpc_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
)

// The service that these tests call, by hand where generated code would do it. Its messages are protobuf's own wrappers: they are read and
// written by reflection.
const (
	echoName   = "test.Echo"
	unaryPath  = "/test.Echo/Unary"
	countPath  = "/test.Echo/Count"
	sumPath    = "/test.Echo/Sum"
	streamPath = "/test.Echo/Stream"
)

// echo is an implementation of that service.
type echo struct {
	entered chan struct{}
	gone    chan error
}

func newEcho() *echo { return &echo{make(chan struct{}, 10000), make(chan error, 100)} }

func (e *echo) unary(ctx context.Context, request any) (any, error) {
	text := request.(*wrapperspb.StringValue)
	switch text.Value {
	case "panic":
		panic("the roof fell in")
	case "wait":
		e.entered <- struct{}{}
		<-ctx.Done()
		e.gone <- ctx.Err()
		return nil, ctx.Err()
	case "nil":
		return nil, nil
	case "refuse":
		refusal := rpc.Errorf(rpc.FailedPrecondition, "not today: 50 %% of ü")
		refusal.Details = [][]byte{{0x0a, 1, 'x'}}
		return nil, refusal
	}
	return text, nil
}

func (e *echo) service() rpc.Service {
	newText := func() any { return new(wrapperspb.StringValue) }
	return rpc.Service{Name: echoName, Methods: []rpc.Method{
		{Name: "Unary", NewRequest: newText, Serve: e.unary},
		{Name: "Count", ServerStreams: true, Stream: func(s *rpc.ServerStream) error {
			var to wrapperspb.Int64Value
			if err := s.Only(&to); err != nil {
				return err
			}
			s.SetHeader(rpc.Metadata{{Name: "up-to", Value: "there"}})
			for i := range to.Value {
				if err := s.Send(wrapperspb.Int64(i)); err != nil {
					e.gone <- err
					return err
				}
			}
			s.SetTrailer(rpc.Metadata{{Name: "done-bin", Value: "\x00\xff"}})
			return nil
		}},
		{Name: "Sum", ClientStreams: true, Stream: func(s *rpc.ServerStream) error {
			var sum int64
			for {
				var one wrapperspb.Int64Value
				err := s.Receive(&one)
				if err == io.EOF {
					return s.Send(wrapperspb.Int64(sum))
				}
				if err != nil {
					return err
				}
				sum += one.Value
			}
		}},
		{Name: "Stream", ClientStreams: true, ServerStreams: true, Stream: func(s *rpc.ServerStream) error {
			for {
				text := new(wrapperspb.StringValue)
				err := s.Receive(text)
				if err == io.EOF {
					return nil
				}
				if err != nil {
					e.gone <- err
					return err
				}
				if text.Value == "fail" {
					return rpc.Errorf(rpc.Aborted, "as asked")
				}
				if err := s.Send(text); err != nil {
					return err
				}
			}
		}},
	}}
}

func setEcho(t *testing.T, network string, changes ...change) (*setting, *echo) {
	t.Helper()
	e := newEcho()
	changes = append(changes, func(server *rpc.Server, client *rpc.Client) { server.Register(e.service()) })
	return set(t, network, rpc.GRPC, changes...), e
}

func (s *setting) unary(ctx context.Context, text string) (string, error) {
	var response wrapperspb.StringValue
	err := s.client.Invoke(ctx, unaryPath, wrapperspb.String(text), &response)
	return response.Value, err
}

func TestGRPCCallsOfAllKinds(t *testing.T) {
	for _, network := range networks {
		s, _ := setEcho(t, network)
		for _, size := range []int{0, 5, 1000, 200_000, 5 << 20} {
			text := strings.Repeat("x", size)
			if got, err := s.unary(background, text); err != nil || got != text {
				t.Fatal(size, len(got), err)
			}
		}
		count, err := s.client.Open(background, countPath)
		if err != nil {
			t.Fatal(err)
		}
		count.Send(wrapperspb.Int64(1000))
		count.CloseSend()
		if header, err := count.Header(); err != nil || header.Get("up-to") != "there" {
			t.Fatal(header, err)
		}
		for i := range int64(1000) {
			var one wrapperspb.Int64Value
			if err := count.Receive(&one); err != nil || one.Value != i {
				t.Fatal(i, one.Value, err)
			}
		}
		if err := count.Receive(new(emptypb.Empty)); err != io.EOF || count.Trailer().Get("done-bin") != "\x00\xff" {
			t.Fatal(err, count.Trailer())
		}
		sum, err := s.client.Open(background, sumPath)
		if err != nil {
			t.Fatal(err)
		}
		for i := range int64(1000) {
			if err := sum.Send(wrapperspb.Int64(i)); err != nil {
				t.Fatal(err)
			}
		}
		total, err := rpc.ClientStreamOf[wrapperspb.Int64Value, wrapperspb.Int64Value]{ClientStream: sum}.CloseAndRecv()
		if err != nil || total.Value != 999*1000/2 {
			t.Fatal(total.GetValue(), err)
		}
		stream, err := s.client.Open(background, streamPath)
		if err != nil {
			t.Fatal(err)
		}
		typed := rpc.ClientStreamOf[wrapperspb.StringValue, wrapperspb.StringValue]{ClientStream: stream}
		for range 100 {
			if err := typed.Send(wrapperspb.String("ping")); err != nil {
				t.Fatal(err)
			}
			if got, err := typed.Recv(); err != nil || got.Value != "ping" {
				t.Fatal(got, err)
			}
		}
		typed.CloseSend()
		if _, err := typed.Recv(); err != io.EOF {
			t.Fatal(err)
		}
	}
}

func TestErrorsOfGRPCComeToTheCaller(t *testing.T) {
	s, _ := setEcho(t, "tcp")
	_, err := s.unary(background, "refuse")
	var told *rpc.Error
	if !errors.As(err, &told) || told.Code != rpc.FailedPrecondition || told.Message != "not today: 50 % of ü" || told.Stage != rpc.Answering ||
		len(told.Details) != 1 || string(told.Details[0]) != "\x0a\x01x" {
		t.Fatalf("%+v", told)
	}
	if _, err := s.unary(background, "panic"); rpc.CodeOf(err) != rpc.Internal || strings.Contains(err.Error(), "roof") {
		t.Fatal(err)
	}
	if _, err := s.unary(background, "nil"); err == nil {
		t.Fatal("nothing was answered")
	}
	for path, text := range map[string]string{"/test.Echo/None": "unknown method /test.Echo/None", "/none/None": "unknown service none"} {
		if err := s.client.Invoke(background, path, wrapperspb.String(""), new(emptypb.Empty)); rpc.CodeOf(err) != rpc.Unimplemented || !strings.Contains(err.Error(), text) {
			t.Error(path, err)
		}
	}
	if err := s.client.Invoke(background, "Unary", nil, nil); err == nil || !strings.Contains(err.Error(), "/SERVICE/METHOD") {
		t.Fatal(err)
	}
	if err := s.client.Invoke(background, unaryPath, 5, new(emptypb.Empty)); err == nil || !strings.Contains(err.Error(), "int is no protobuf message") {
		t.Fatal(err)
	}
	stream, err := s.client.Open(background, streamPath)
	if err != nil {
		t.Fatal(err)
	}
	stream.Send(wrapperspb.String("fail"))
	if err := stream.Receive(new(wrapperspb.StringValue)); rpc.CodeOf(err) != rpc.Aborted {
		t.Fatal(err)
	}
	if got, err := s.unary(background, "after"); err != nil || got != "after" {
		t.Fatal(got, err)
	}
}

func TestDeadlinesAndTheEndOfCallsReachHandlersOverGRPC(t *testing.T) {
	// A busy machine may take all of a deadline before the handler is called.
	for timeout := 50 * time.Millisecond; ; timeout *= 2 {
		s, e := setEcho(t, "unix")
		if _, err := s.unary(within(t, timeout), "wait"); rpc.CodeOf(err) != rpc.DeadlineExceeded {
			t.Fatal(err)
		}
		if len(e.entered) > 0 {
			<-e.gone
			break
		}
	}
	s, e := setEcho(t, "unix")
	ctx, cancel := context.WithCancel(background)
	result := make(chan error)
	go func() {
		_, err := s.unary(ctx, "wait")
		result <- err
	}()
	<-e.entered
	cancel()
	if err := <-result; rpc.CodeOf(err) != rpc.Canceled {
		t.Fatal(err)
	}
	if err := <-e.gone; !errors.Is(err, context.Canceled) {
		t.Fatal("the handler's context:", err)
	}
	// Now the caller of a stream goes away.
	ctx, cancel = context.WithCancel(background)
	stream, err := s.client.Open(ctx, streamPath)
	if err != nil {
		t.Fatal(err)
	}
	stream.Send(wrapperspb.String("x"))
	if err := stream.Receive(new(wrapperspb.StringValue)); err != nil {
		t.Fatal(err)
	}
	cancel()
	<-e.gone
	if err := stream.Receive(new(wrapperspb.StringValue)); rpc.CodeOf(err) != rpc.Canceled {
		t.Fatal(err)
	}
}

func TestAStreamThatNobodyReadsStopsItsSender(t *testing.T) {
	s, e := setEcho(t, "unix")
	ctx, cancel := context.WithCancel(background)
	stream, err := s.client.Open(ctx, countPath)
	if err != nil {
		t.Fatal(err)
	}
	stream.Send(wrapperspb.Int64(1 << 40))
	stream.CloseSend()
	if err := stream.Receive(new(wrapperspb.Int64Value)); err != nil {
		t.Fatal(err)
	}
	// Other calls on the same connection are still answered.
	for range 100 {
		if got, err := s.unary(background, "others"); err != nil || got != "others" {
			t.Fatal(got, err)
		}
	}
	cancel()
	if err := <-e.gone; err == nil {
		t.Fatal("the sender goes on")
	}
}

func TestThriftAndGRPCShareAPort(t *testing.T) {
	s, _ := setEcho(t, "tcp")
	thrifty := rpc.Dial(s.address)
	defer thrifty.Close()
	shopper := api.NewShopClient(thrifty)
	var all sync.WaitGroup
	for range 20 {
		all.Add(2)
		go func() {
			defer all.Done()
			for range 50 {
				if _, err := shopper.Find(background, 100, nil); err != nil {
					t.Error(err)
				}
			}
		}()
		go func() {
			defer all.Done()
			for range 50 {
				if got, err := s.unary(background, "x"); err != nil || got != "x" {
					t.Error(got, err)
				}
			}
		}()
	}
	all.Wait()
}

func TestMetadataGoesOverGRPC(t *testing.T) {
	var seen rpc.Metadata
	var lasting rpc.Metadata
	s, _ := setEcho(t, "tcp", func(server *rpc.Server, _ *rpc.Client) {
		server.Interceptors = []rpc.Interceptor{func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
			seen, lasting = rpc.Incoming(ctx), rpc.Propagated(ctx)
			return next(ctx)
		}}
	})
	ctx := rpc.WithMetadata(rpc.WithMetadata(rpc.WithPropagated(background, "trace", "t1"), "blob-bin", "\x00\x01"), "one", "1")
	if _, err := s.unary(ctx, "x"); err != nil {
		t.Fatal(err)
	}
	if seen.Get("blob-bin") != "\x00\x01" || seen.Get("one") != "1" || lasting.Get("trace") != "t1" {
		t.Fatal(seen, lasting)
	}
}

func TestCompressedMessagesGoBothWays(t *testing.T) {
	s, _ := setEcho(t, "tcp", func(server *rpc.Server, client *rpc.Client) {
		client.Compress, server.Compress = 100, 200
	})
	for _, size := range []int{10, 5000, 1 << 20} {
		text := strings.Repeat("compress me ", size/12)
		if got, err := s.unary(background, text); err != nil || got != text {
			t.Fatal(size, len(got), err)
		}
	}
}

func TestAServerOfGRPCThatEndsLosesNoCall(t *testing.T) {
	for range 5 {
		s, e := setEcho(t, "unix")
		results := make(chan error, 50)
		ctx, cancel := context.WithCancel(background)
		for range 50 {
			go func() {
				_, err := s.unary(ctx, "wait")
				results <- err
			}()
		}
		for range 50 {
			<-e.entered
		}
		ended := make(chan error)
		go func() { ended <- s.server.Shutdown(within(t, testPatience)) }()
		cancel()
		for range 50 {
			if err := <-results; rpc.CodeOf(err) != rpc.Canceled {
				t.Fatal(err)
			}
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
}
