package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"hone/go/internal/sample/talk"
	"hone/go/rpc"
	"hone/go/stream"
	"hone/go/thrift"
)

// talker is an implementation of the sample's streams: its answers follow from the words that it gets.
type talker struct {
	// entered receives a value for each stream that then waits for its context, or for release; ended receives the errors that end streams.
	entered, release chan struct{}
	ended            chan error
}

func newTalker() *talker {
	return &talker{make(chan struct{}, 10000), make(chan struct{}), make(chan error, 10000)}
}

func (k *talker) Chat(s stream.BidiStreamingServer[talk.Words, talk.Words]) error {
	s.SetHeader(stream.Metadata{{Name: "hall", Value: "main"}})
	s.SetTrailer(stream.Metadata{{Name: "closing", Value: "time"}})
	for {
		said, err := s.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			k.ended <- err
			return err
		}
		if isAnswered, err := k.react(s.Context(), said.Text); isAnswered {
			return err
		}
		for range said.Times {
			if err := s.Send(&talk.Words{Text: said.Text, Times: 1}); err != nil {
				return err
			}
		}
	}
}

// react handles some words that ask for something other than an answer.
func (k *talker) react(ctx context.Context, text string) (isAnswered bool, err error) {
	switch text {
	case "refuse":
		return true, rpc.Errorf(rpc.PermissionDenied, "not you")
	case "status":
		return true, &rpc.BizStatusError{Status: 404, Message: "no such hall", Extra: map[string]string{"hall": "7"}}
	case "fall":
		panic("the roof fell in")
	case "plain":
		return true, errors.New("the hall is closed")
	case "wait":
		k.entered <- struct{}{}
		select {
		case <-ctx.Done():
			k.ended <- ctx.Err()
			return true, ctx.Err()
		case <-k.release:
			return false, nil
		}
	}
	return false, nil
}

func (k *talker) Listen(s stream.ClientStreamingServer[talk.Words, talk.Count]) error {
	count := &talk.Count{}
	for {
		said, err := s.Recv()
		if err == io.EOF {
			return s.SendAndClose(count)
		}
		if err != nil {
			k.ended <- err
			return err
		}
		if isAnswered, err := k.react(s.Context(), said.Text); isAnswered {
			return err
		}
		count.Messages++
		count.Letters += int64(len(said.Text))
	}
}

func (k *talker) Repeat(said *talk.Words, s stream.ServerStreamingServer[talk.Words]) error {
	if isAnswered, err := k.react(s.Context(), said.Text); isAnswered {
		return err
	}
	for n := range said.Times {
		if err := s.Send(&talk.Words{Text: said.Text, Times: n}); err != nil {
			k.ended <- err
			return err
		}
	}
	return nil
}

func (k *talker) Echo(ctx context.Context, said *talk.Words) (*talk.Words, error) {
	for _, pair := range rpc.Incoming(ctx) {
		said.Text += " " + pair.Name + "=" + pair.Value
	}
	return said, nil
}

func setTalk(t *testing.T, network string, changes ...change) (*setting, *talker, *talk.TalkClient) {
	t.Helper()
	talker := newTalker()
	s := set(t, network, rpc.TTHeader, append(changes, func(server *rpc.Server, _ *rpc.Client) { talk.RegisterTalk(server, talker) })...)
	return s, talker, talk.NewTalkClient(s.client)
}

// eachNetwork runs a test over each network.
func eachNetwork(t *testing.T, test func(t *testing.T, network string)) {
	t.Helper()
	for _, network := range networks {
		t.Run(network, func(t *testing.T) { test(t, network) })
	}
}

func TestStreamsOfThriftOfAllKinds(t *testing.T) {
	eachNetwork(t, func(t *testing.T, network string) {
		_, _, client := setTalk(t, network)
		if err := talkOnce(within(t, testPatience), client, "hello"); err != nil {
			t.Fatal(err)
		}
	})
}

// talkOnce opens a stream of each kind and goes through it.
func talkOnce(ctx context.Context, client *talk.TalkClient, text string) error {
	chat, err := client.Chat(ctx)
	if err != nil {
		return err
	}
	for n := range int32(5) {
		if err := chat.Send(&talk.Words{Text: text, Times: n}); err != nil {
			return err
		}
		for range n {
			if got, err := chat.Recv(); err != nil || got.Text != text {
				return fmt.Errorf("chat: %v %w", got, err)
			}
		}
	}
	if err := chat.CloseSend(); err != nil {
		return err
	}
	if got, err := chat.Recv(); err != io.EOF {
		return fmt.Errorf("behind the chat: %v %w", got, err)
	}
	listen, err := client.Listen(ctx)
	if err != nil {
		return err
	}
	for range 10 {
		if err := listen.Send(&talk.Words{Text: text}); err != nil {
			return err
		}
	}
	if count, err := listen.CloseAndRecv(); err != nil || count.Messages != 10 || count.Letters != int64(10*len(text)) {
		return fmt.Errorf("listen: %v %w", count, err)
	}
	repeat, err := client.Repeat(ctx, &talk.Words{Text: text, Times: 100})
	if err != nil {
		return err
	}
	for n := range int32(100) {
		if got, err := repeat.Recv(); err != nil || got.Text != text || got.Times != n {
			return fmt.Errorf("repeat: %v %w", got, err)
		}
	}
	if got, err := repeat.Recv(); err != io.EOF {
		return fmt.Errorf("behind what is repeated: %v %w", got, err)
	}
	return nil
}

func TestManyStreamsOfThriftGoAtOnceBesideCalls(t *testing.T) {
	s, _, client := setTalk(t, "tcp")
	ctx := within(t, testPatience)
	var all sync.WaitGroup
	for n := range 50 {
		all.Go(func() {
			if err := talkOnce(ctx, client, strings.Repeat("x", 1+n*n)); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			if alive, err := s.shopper.Alive(ctx); err != nil || !alive {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestManyStreamsOfThriftGoThroughTinyBuffers(t *testing.T) {
	eachNetwork(t, func(t *testing.T, network string) {
		talker := newTalker()
		s := setWith(t, network, rpc.TTHeader, withTinyBuffers, func(s *setting) { talk.RegisterTalk(s.server, talker) })
		client, ctx := talk.NewTalkClient(s.client), within(t, testPatience)
		var all sync.WaitGroup
		for n := range 100 {
			all.Go(func() {
				if err := talkOnce(ctx, client, strings.Repeat("x", n)); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
}

func TestErrorsOfStreamsOfThriftComeToTheCaller(t *testing.T) {
	_, _, client := setTalk(t, "tcp")
	for text, want := range map[string]struct {
		code rpc.Code
		text string
	}{
		"refuse": {rpc.PermissionDenied, "not you"},
		"status": {rpc.Unknown, "no such hall"},
		"fall":   {rpc.Internal, "the handler panicked"},
		"plain":  {rpc.Internal, "the hall is closed"},
	} {
		ctx := within(t, testPatience)
		chat, err := client.Chat(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := chat.Send(&talk.Words{Text: text, Times: 1}); err != nil {
			t.Fatal(err)
		}
		_, err = chat.Recv()
		var failure *rpc.Error
		if !errors.As(err, &failure) || failure.Code != want.code || failure.Stage != rpc.Answering || !strings.Contains(err.Error(), want.text) ||
			!strings.HasPrefix(err.Error(), "Talk.chat at tcp://127.0.0.1:") {
			t.Error(text, err)
		}
		var status *rpc.BizStatusError
		if isStatus := errors.As(err, &status); isStatus != (text == "status") || isStatus && (status.Status != 404 || status.Extra["hall"] != "7") {
			t.Error(text, err)
		}
		// A message after the end is not sent, and Send returns io.EOF.
		if err := chat.Send(&talk.Words{}); err != io.EOF {
			t.Error(text, err)
		}
		if chat.Trailer().Get("closing") != "time" {
			t.Error(text, chat.Trailer())
		}
	}
}

func TestFunctionsThatAreNoStreamsSaySo(t *testing.T) {
	s, _, _ := setTalk(t, "tcp")
	ctx := within(t, testPatience)
	caller := s.client.ForService("Talk")
	for _, method := range []string{"echo", "sing"} {
		opened, err := thrift.OpenBidiStreaming[talk.Words, talk.Words](ctx, caller, method)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := opened.Recv(); rpc.CodeOf(err) != rpc.Unimplemented || !strings.Contains(err.Error(), method) {
			t.Error(err)
		}
	}
	if err := caller.Call(ctx, "chat", &talk.TalkEchoArgs{}, &talk.TalkEchoResult{}); rpc.CodeOf(err) != rpc.Unimplemented || !strings.Contains(err.Error(), "stream") {
		t.Error(err)
	}
}

func TestStreamsOfThriftWantATTHeader(t *testing.T) {
	for _, wire := range []rpc.Wire{rpc.Framed, rpc.BufferedCompact, rpc.TTHeaderCompact, rpc.GRPC} {
		client := rpc.Dial("tcp://127.0.0.1:1")
		client.Wire = wire
		if _, err := talk.NewTalkClient(client).Chat(background); rpc.CodeOf(err) != rpc.InvalidArgument {
			t.Error(wire, err)
		}
		client.Close()
	}
}

func TestMetadataGoesWithStreamsOfThrift(t *testing.T) {
	seen := make(chan rpc.Metadata, 1)
	_, _, client := setTalk(t, "tcp", func(server *rpc.Server, _ *rpc.Client) {
		server.Interceptors = append(server.Interceptors, func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
			seen <- append(rpc.Incoming(ctx), rpc.Propagated(ctx)...)
			return next(ctx)
		})
	})
	ctx := rpc.WithPropagated(rpc.WithMetadata(within(t, testPatience), "once", "1"), "always", "2")
	chat, err := client.Chat(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got := <-seen; got.Get("once") != "1" || got.Get("always") != "2" {
		t.Error(got)
	}
	if err := chat.Send(&talk.Words{Text: "hello", Times: 1}); err != nil {
		t.Fatal(err)
	}
	if header, err := chat.Header(); err != nil || header.Get("hall") != "main" {
		t.Error(header, err)
	}
	chat.CloseSend()
	if _, err := chat.Recv(); err != nil {
		t.Fatal(err)
	}
	if _, err := chat.Recv(); err != io.EOF || chat.Trailer().Get("closing") != "time" {
		t.Error(chat.Trailer(), err)
	}
}

func TestTheEndOfAContextEndsStreamsOfThriftOnBothSides(t *testing.T) {
	_, talker, client := setTalk(t, "tcp")
	ctx, cancel := context.WithCancel(background)
	chat, err := client.Chat(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := chat.Send(&talk.Words{Text: "wait"}); err != nil {
		t.Fatal(err)
	}
	<-talker.entered
	cancel()
	if err := <-talker.ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := chat.Recv(); !errors.Is(err, context.Canceled) || rpc.CodeOf(err) != rpc.Canceled {
		t.Error(err)
	}
}

func TestDeadlinesGoWithStreamsOfThrift(t *testing.T) {
	deadlines := make(chan bool, 10)
	_, _, client := setTalk(t, "tcp", func(server *rpc.Server, _ *rpc.Client) {
		server.Interceptors = append(server.Interceptors, func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
			_, has := ctx.Deadline()
			deadlines <- has
			return next(ctx)
		})
	})
	for _, ctx := range []context.Context{background, within(t, testPatience)} {
		ctx, cancel := context.WithCancel(ctx)
		if _, err := client.Chat(ctx); err != nil {
			t.Fatal(err)
		}
		if _, want := ctx.Deadline(); <-deadlines != want {
			t.Errorf("a handler's context has no deadline, or one that nobody set: wanted %v", want)
		}
		cancel()
	}
	// A busy machine may take all of a deadline before the stream is there.
	for timeout := 50 * time.Millisecond; ; timeout *= 2 {
		chat, err := client.Chat(within(t, timeout))
		if err == nil {
			_, err = chat.Recv()
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if chat != nil {
			break
		}
	}
}

// bigWords is a text so long that a few of them fill the room for a stream's waiting messages.
var bigWords = strings.Repeat("x", 1<<20)

func TestAStreamOfThriftThatAHandlerDoesNotReadIsResetAndOthersGoOn(t *testing.T) {
	_, talker, client := setTalk(t, "tcp")
	ctx := within(t, testPatience)
	stuck, err := client.Listen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := stuck.Send(&talk.Words{Text: "wait"}); err != nil {
		t.Fatal(err)
	}
	<-talker.entered
	for err == nil {
		err = stuck.Send(&talk.Words{Text: bigWords})
	}
	if err != io.EOF {
		t.Error(err)
	}
	if _, err := stuck.CloseAndRecv(); rpc.CodeOf(err) != rpc.ResourceExhausted || !strings.Contains(err.Error(), "than were received") {
		t.Error(err)
	}
	if err := <-talker.ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := talkOnce(ctx, client, "after"); err != nil {
		t.Error(err)
	}
}

func TestAStreamOfThriftThatACallerDoesNotReadIsResetAndOthersGoOn(t *testing.T) {
	_, talker, client := setTalk(t, "tcp")
	ctx := within(t, testPatience)
	stuck, err := client.Repeat(ctx, &talk.Words{Text: bigWords, Times: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-talker.ended; rpc.CodeOf(err) != rpc.Canceled {
		t.Error(err)
	}
	for err == nil {
		_, err = stuck.Recv()
	}
	if rpc.CodeOf(err) != rpc.ResourceExhausted {
		t.Error(err)
	}
	if err := talkOnce(ctx, client, "after"); err != nil {
		t.Error(err)
	}
}

func TestAServerThatShutsDownLetsStreamsOfThriftEnd(t *testing.T) {
	s, talker, client := setTalk(t, "tcp")
	ctx := within(t, testPatience)
	chat, err := client.Chat(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := chat.Send(&talk.Words{Text: "wait", Times: 3}); err != nil {
		t.Fatal(err)
	}
	<-talker.entered
	ended := make(chan error, 1)
	go func() { ended <- s.server.Shutdown(ctx) }()
	close(talker.release)
	for range 3 {
		if _, err := chat.Recv(); err != nil {
			t.Fatal(err)
		}
	}
	if err := chat.Send(&talk.Words{Text: "more", Times: 1}); err != nil {
		t.Fatal(err)
	}
	if got, err := chat.Recv(); err != nil || got.Text != "more" {
		t.Fatal(got, err)
	}
	chat.CloseSend()
	if _, err := chat.Recv(); err != io.EOF {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

func TestStreamsOfThriftEndWithTheirConnection(t *testing.T) {
	before := takeStock()
	s, talker, client := setTalk(t, "tcp")
	ctx := within(t, testPatience)
	chat, err := client.Chat(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := chat.Send(&talk.Words{Text: "wait"}); err != nil {
		t.Fatal(err)
	}
	<-talker.entered
	s.server.Close()
	if err := <-talker.ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := chat.Recv(); rpc.CodeOf(err) != rpc.Unavailable {
		t.Error(err)
	}
	s.end()
	before.expectReturned(t)
}

func TestMoreStreamsOfThriftThanMayGoOnAreRefused(t *testing.T) {
	_, talker, client := setTalk(t, "tcp", func(server *rpc.Server, client *rpc.Client) {
		server.MaxCallsPerConnection, client.Connections = 2, 1
	})
	ctx := within(t, testPatience)
	for range 2 {
		chat, err := client.Chat(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := chat.Send(&talk.Words{Text: "wait"}); err != nil {
			t.Fatal(err)
		}
		<-talker.entered
	}
	chat, err := client.Chat(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var refused *rpc.Error
	if _, err := chat.Recv(); !errors.As(err, &refused) || refused.Code != rpc.ResourceExhausted || !refused.IsRefused {
		t.Error(err)
	}
}
