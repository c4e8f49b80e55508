package rpc_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hone/go/internal/greeter"
	"hone/go/rpc"
	"hone/go/rpc/policy/retry"
)

// polite is an implementation of the service that protoc-gen-hone has written code for.
type polite struct {
	greeter.UnimplementedGreeter
	// calls receives the names of calls that are answered by Look.
	calls chan string
}

func (p *polite) Hello(ctx context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	switch request.Name {
	case "":
		return nil, nil
	case "nobody":
		rpc.SetTrailer(ctx, rpc.Metadata{{Name: "why", Value: "gone"}})
		return nil, rpc.Errorf(rpc.NotFound, "nobody is here").WithDetails(wrapperspb.String("at all"), durationpb.New(time.Second))
	}
	rpc.SetHeader(ctx, rpc.Metadata{{Name: "Greets", Value: request.Name}})
	rpc.SetTrailer(ctx, rpc.Metadata{{Name: "raw-bin", Value: "\x00"}})
	return &greeter.HelloReply{Text: "Hello, " + request.Name}, nil
}

func (p *polite) Look(context.Context, *greeter.HelloRequest) (*greeter.HelloReply, error) {
	p.calls <- "look"
	return nil, rpc.Errorf(rpc.Unavailable, "not now")
}

func (p *polite) List(request *greeter.ListRequest, stream rpc.ServerStreamingServer[greeter.Item]) error {
	for i := range request.Count {
		if err := stream.Send(&greeter.Item{Number: i, Body: make([]byte, request.Bytes)}); err != nil {
			return err
		}
	}
	return nil
}

func (p *polite) Upload(stream rpc.ClientStreamingServer[greeter.Chunk, greeter.Summary]) error {
	var summary greeter.Summary
	for {
		chunk, err := stream.Recv()
		if err == io.EOF {
			return stream.SendAndClose(&summary)
		}
		if err != nil {
			return err
		}
		summary.Chunks++
		summary.Bytes += int64(len(chunk.Body))
	}
}

func (p *polite) Chat(stream rpc.BidiStreamingServer[greeter.Note, greeter.Note]) error {
	for {
		note, err := stream.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := stream.Send(&greeter.Note{Text: note.Text + "!"}); err != nil {
			return err
		}
	}
}

func setPolite(t *testing.T, changes ...change) (*setting, *greeter.GreeterClient) {
	t.Helper()
	changes = append(changes, func(server *rpc.Server, _ *rpc.Client) {
		greeter.RegisterGreeter(server, &polite{calls: make(chan string, 100)})
	})
	s := set(t, "unix", rpc.GRPC, changes...)
	return s, greeter.NewGreeterClient(s.client)
}

func TestGeneratedServicesAnswerGeneratedClients(t *testing.T) {
	_, client := setPolite(t)
	var reply rpc.Reply
	answer, err := client.Hello(rpc.WithReply(background, &reply), &greeter.HelloRequest{Name: "Ada"})
	if err != nil || answer.Text != "Hello, Ada" || reply.Header.Get("greets") != "Ada" || reply.Trailer.Get("raw-bin") != "\x00" {
		t.Fatal(answer, reply, err)
	}
	items, err := client.List(background, &greeter.ListRequest{Count: 3, Bytes: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(3) {
		if item, err := items.Recv(); err != nil || item.Number != i || len(item.Body) != 1000 {
			t.Fatal(item, err)
		}
	}
	if _, err := items.Recv(); err != io.EOF {
		t.Fatal(err)
	}
	upload, err := client.Upload(background)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if err := upload.Send(&greeter.Chunk{Body: []byte("12345")}); err != nil {
			t.Fatal(err)
		}
	}
	if summary, err := upload.CloseAndRecv(); err != nil || summary.Chunks != 10 || summary.Bytes != 50 {
		t.Fatal(summary, err)
	}
	chat, err := client.Chat(background)
	if err != nil {
		t.Fatal(err)
	}
	if err := chat.Send(&greeter.Note{Text: "hi"}); err != nil {
		t.Fatal(err)
	}
	if note, err := chat.Recv(); err != nil || note.Text != "hi!" {
		t.Fatal(note, err)
	}
	chat.CloseSend()
	if _, err := chat.Recv(); err != io.EOF {
		t.Fatal(err)
	}
}

func TestAClientEndsItsSideOnce(t *testing.T) {
	s, client := setPolite(t)
	items, err := client.List(background, &greeter.ListRequest{Count: 1})
	if err != nil {
		t.Fatal(err)
	}
	upload, err := client.Upload(background)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := errors.Join(items.CloseSend(), upload.CloseSend()); err != nil {
			t.Fatal(err)
		}
	}
	if err := upload.Send(new(greeter.Chunk)); err == nil || !strings.Contains(err.Error(), "after its last one") {
		t.Error(err)
	}
	if summary, err := upload.CloseAndRecv(); err != nil || summary.Chunks != 0 {
		t.Error(summary, err)
	}
	if _, err := items.Recv(); err != nil {
		t.Error(err)
	}
	if _, err := items.Recv(); err != io.EOF {
		t.Error(err)
	}
	if err := s.server.Shutdown(within(t, testPatience)); err != nil {
		t.Error(err)
	}
}

func TestInterceptorsOfClientsSeeAndChangeTheOnlyRequestOfAStream(t *testing.T) {
	_, client := setPolite(t, func(_ *rpc.Server, client *rpc.Client) {
		client.Interceptors = []rpc.Interceptor{func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
			call.Request = &greeter.ListRequest{Count: call.Request.(*greeter.ListRequest).Count + 1}
			return next(ctx)
		}}
	})
	items, err := client.List(background, new(greeter.ListRequest))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := items.Recv(); err != nil {
		t.Error(err)
	}
	if _, err := items.Recv(); err != io.EOF {
		t.Error(err)
	}
}

func TestGeneratedServicesFailAsTheyAreTold(t *testing.T) {
	_, client := setPolite(t)
	if _, err := client.ForgetAll(background, new(emptypb.Empty)); rpc.CodeOf(err) != rpc.Unimplemented ||
		!strings.Contains(err.Error(), "method forget_all is not implemented") {
		t.Error(err)
	}
	if answer, err := client.Hello(background, new(greeter.HelloRequest)); answer != nil || rpc.CodeOf(err) != rpc.Internal ||
		!strings.Contains(err.Error(), "the handler of Hello has returned neither a response nor an error") {
		t.Error(err)
	}
	var reply rpc.Reply
	_, err := client.Hello(rpc.WithReply(background, &reply), &greeter.HelloRequest{Name: "nobody"})
	var told *rpc.Error
	if !errors.As(err, &told) || told.Code != rpc.NotFound || reply.Trailer.Get("why") != "gone" {
		t.Fatal(err, reply)
	}
	details := told.DetailMessages()
	if len(details) != 2 || details[0].(*wrapperspb.StringValue).Value != "at all" || details[1].(*durationpb.Duration).Seconds != 1 {
		t.Error(details)
	}
}

func TestARequestThatCannotBeWrittenEndsItsStream(t *testing.T) {
	s, client := setPolite(t)
	for range 3 {
		upload, err := client.Upload(background)
		if err != nil {
			t.Fatal(err)
		}
		open, err := s.client.Open(background, greeter.Greeter_Upload_FullMethodName)
		if err != nil {
			t.Fatal(err)
		}
		if err := open.Send(&wrapperspb.StringValue{Value: "\xff"}); err == nil || !strings.Contains(err.Error(), "UTF-8") {
			t.Error(err)
		}
		if _, err := upload.CloseAndRecv(); err != nil {
			t.Error("another stream of the connection:", err)
		}
	}
	// Shutdown returns only if no handler still waits for requests.
	if err := s.server.Shutdown(within(t, testPatience)); err != nil {
		t.Error(err)
	}
}

func TestMethodsThatTheDefinitionCallsIdempotentAreRepeated(t *testing.T) {
	for _, c := range []struct {
		override func(service, method string) bool
		want     int
	}{{nil, 3}, {func(string, string) bool { return false }, 1}} {
		p := &polite{calls: make(chan string, 100)}
		s := set(t, "unix", rpc.GRPC, func(server *rpc.Server, client *rpc.Client) {
			greeter.RegisterGreeter(server, p)
			client.Policies.IsIdempotent = c.override
			client.Policies.Retry = retry.Policy{Base: time.Millisecond}
		})
		_, err := greeter.NewGreeterClient(s.client).Look(background, new(greeter.HelloRequest))
		if rpc.CodeOf(err) != rpc.Unavailable || len(p.calls) != c.want {
			t.Error(len(p.calls), err)
		}
	}
}

func TestRawMessagesPassOn(t *testing.T) {
	s, _ := setPolite(t)
	// A service that does not know the types of messages passes them on to one that does.
	front := set(t, "unix", rpc.GRPC, func(server *rpc.Server, _ *rpc.Client) {
		server.Register(rpc.Service{Name: "hone.greeter.v1.Greeter", Methods: []rpc.Method{{
			Name: "Hello", NewRequest: func() any { return new(rpc.Raw) },
			Serve: func(ctx context.Context, request any) (any, error) {
				var response rpc.Raw
				err := s.client.Invoke(ctx, greeter.Greeter_Hello_FullMethodName, request, &response)
				return response, err
			},
		}}})
	})
	if answer, err := greeter.NewGreeterClient(front.client).Hello(background, &greeter.HelloRequest{Name: "Ada"}); err != nil || answer.Text != "Hello, Ada" {
		t.Fatal(answer, err)
	}
}

func TestInterceptorsOfStreamsMayStandBetween(t *testing.T) {
	shout := func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
		if call.Stream == nil {
			return next(ctx)
		}
		if call.Side == rpc.ServerSide {
			call.Stream = &shouting{call.Stream}
			return next(ctx)
		}
		err := next(ctx)
		call.Stream = &shouting{call.Stream}
		return err
	}
	_, client := setPolite(t, func(server *rpc.Server, client *rpc.Client) {
		server.Interceptors, client.Interceptors = []rpc.Interceptor{shout}, []rpc.Interceptor{shout}
	})
	chat, err := client.Chat(background)
	if err != nil {
		t.Fatal(err)
	}
	chat.Send(&greeter.Note{Text: "a"})
	if note, err := chat.Recv(); err != nil || note.Text != "a?!?" {
		t.Fatal(note, err)
	}
}

// shouting is a stream that changes the messages that are sent.
type shouting struct{ rpc.Stream }

func (s *shouting) Send(message any) error {
	if note, ok := message.(*greeter.Note); ok {
		note.Text += "?"
	}
	return s.Stream.Send(message)
}

func TestAServerTakesPingsAsOftenAsItSays(t *testing.T) {
	asks := func(pings rpc.Pings) rpc.BidiStreamingClient[greeter.Note, greeter.Note] {
		_, client := setPolite(t, func(server *rpc.Server, client *rpc.Client) {
			server.Pings, client.KeepAlive = pings, rpc.KeepAlive{Every: time.Millisecond}
		})
		chat, err := client.Chat(background)
		if err != nil {
			t.Fatal(err)
		}
		return chat
	}
	often := asks(rpc.Pings{Every: time.Nanosecond})
	// This client pings as often, and loses its connection.
	if _, err := asks(rpc.Pings{}).Recv(); rpc.CodeOf(err) != rpc.Unavailable {
		t.Error(err)
	}
	often.Send(&greeter.Note{Text: "a"})
	if note, err := often.Recv(); err != nil || note.Text != "a!" {
		t.Error(note, err)
	}
}

func TestAnInterceptorThatDropsAStreamIsToldSo(t *testing.T) {
	_, client := setPolite(t, func(_ *rpc.Server, client *rpc.Client) {
		client.Interceptors = []rpc.Interceptor{func(context.Context, *rpc.Call, func(context.Context) error) error { return nil }}
	})
	if _, err := client.Chat(background); err == nil || !strings.Contains(err.Error(), "neither let the stream be opened nor returned an error") {
		t.Fatal(err)
	}
}

func TestHeadersAreSetForCallsOfGRPCAlone(t *testing.T) {
	if err := rpc.SetHeader(background, nil); err == nil || !strings.Contains(err.Error(), "over gRPC alone") {
		t.Fatal(err)
	}
	if err := rpc.SetTrailer(background, nil); err == nil {
		t.Fatal("a trailer of nothing")
	}
}
