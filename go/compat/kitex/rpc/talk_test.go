package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bytedance/gopkg/cloud/metainfo"
	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/kerrors"
	"github.com/cloudwego/kitex/pkg/streaming"
	"github.com/cloudwego/kitex/server"

	ours "hone/go/compat/kitex/ours/talk"
	"hone/go/compat/kitex/talk"
	"hone/go/rpc"
	"hone/go/stream"
)

// testPatience is the time limit for an event that must happen, on a slow machine too.
const testPatience = 4 * time.Minute

// talker answers streams by our server.
type talker struct {
	entered chan struct{}
	ended   chan error
	// seen receives the metadata of the last chat.
	seen chan rpc.Metadata
}

func (k *talker) Chat(s stream.BidiStreamingServer[ours.Words, ours.Words]) error {
	k.seen <- append(rpc.Incoming(s.Context()), rpc.Propagated(s.Context())...)
	s.SetHeader(stream.Metadata{{Name: "hall", Value: "main"}})
	s.SetTrailer(stream.Metadata{{Name: "closing", Value: "time"}})
	for {
		said, err := s.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch said.Text {
		case "status":
			return kerrors.NewBizStatusErrorWithExtra(404, "no such hall", map[string]string{"hall": "7"})
		case "plain":
			return errors.New("the hall is closed")
		case "wait":
			k.entered <- struct{}{}
			<-s.Context().Done()
			k.ended <- s.Context().Err()
			return s.Context().Err()
		}
		for range said.Times {
			if err := s.Send(said); err != nil {
				return err
			}
		}
	}
}

func (k *talker) Listen(s stream.ClientStreamingServer[ours.Words, ours.Count]) error {
	count := &ours.Count{}
	for {
		said, err := s.Recv()
		if err == io.EOF {
			return s.SendAndClose(count)
		}
		if err != nil {
			return err
		}
		count.Messages++
		count.Letters += int64(len(said.Text))
	}
}

func (k *talker) Repeat(said *ours.Words, s stream.ServerStreamingServer[ours.Words]) error {
	for n := range said.Times {
		if err := s.Send(&ours.Words{Text: said.Text, Times: n}); err != nil {
			return err
		}
	}
	return nil
}

func (k *talker) Echo(_ context.Context, said *ours.Words) (*ours.Words, error) { return said, nil }

// serveTalk answers streams by our server, and returns a Kitex client for them.
func serveTalk(t *testing.T, options ...client.Option) (*talker, talk.Client) {
	t.Helper()
	talker := &talker{make(chan struct{}, 10), make(chan error, 10), make(chan rpc.Metadata, 1000)}
	serving := rpc.NewServer()
	ours.RegisterTalk(serving, talker)
	listener := listen(t)
	go serving.Serve(listener)
	t.Cleanup(func() { serving.Close() })
	caller, err := talk.Dial(listener.Addr().String(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(caller.Close)
	return talker, caller
}

// serveKitexTalk answers streams by Kitex's server, and returns a client of ours for them.
func serveKitexTalk(t *testing.T) (*talk.Handler, *ours.TalkClient) {
	t.Helper()
	handler, listener := talk.NewHandler(), listen(t)
	serving := server.NewServer(server.WithListener(listener))
	if err := serving.RegisterService(talk.Describe(handler), handler); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- serving.Run() }()
	caller := dial(t, listener.Addr().String(), rpc.TTHeader)
	talker := ours.NewTalkClient(caller)
	// Only a server that has begun may be stopped.
	if err := repeatByOurs(within(t), talker, "hello", 1); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		caller.Close()
		serving.Stop()
		<-ended
	})
	return handler, talker
}

// within returns a context that ends before the test does.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(background, testPatience)
	t.Cleanup(cancel)
	return ctx
}

func repeatByOurs(ctx context.Context, talker *ours.TalkClient, text string, times int32) error {
	repeat, err := talker.Repeat(ctx, &ours.Words{Text: text, Times: times})
	if err != nil {
		return err
	}
	for n := range times {
		if got, err := repeat.Recv(); err != nil || got.Text != text || got.Times != n {
			return fmt.Errorf("repeat: %v %w", got, err)
		}
	}
	if _, err := repeat.Recv(); err != io.EOF {
		return fmt.Errorf("behind what is repeated: %w", err)
	}
	return nil
}

// talkByOurs uses a stream of each kind by our client.
func talkByOurs(ctx context.Context, talker *ours.TalkClient, text string) error {
	chat, err := talker.Chat(ctx)
	if err != nil {
		return err
	}
	for range 3 {
		if err := chat.Send(&ours.Words{Text: text, Times: 2}); err != nil {
			return err
		}
		for range 2 {
			if got, err := chat.Recv(); err != nil || got.Text != text {
				return fmt.Errorf("chat: %v %w", got, err)
			}
		}
	}
	if header, err := chat.Header(); err != nil || header.Get("hall") != "main" {
		return fmt.Errorf("header: %v %w", header, err)
	}
	chat.CloseSend()
	if _, err := chat.Recv(); err != io.EOF || chat.Trailer().Get("closing") != "time" {
		return fmt.Errorf("behind the chat: %v %w", chat.Trailer(), err)
	}
	listen, err := talker.Listen(ctx)
	if err != nil {
		return err
	}
	for range 10 {
		if err := listen.Send(&ours.Words{Text: text}); err != nil {
			return err
		}
	}
	if count, err := listen.CloseAndRecv(); err != nil || count.Messages != 10 || count.Letters != int64(10*len(text)) {
		return fmt.Errorf("listen: %v %w", count, err)
	}
	return repeatByOurs(ctx, talker, text, 100)
}

// talkByKitex uses a stream of each kind by Kitex's client.
func talkByKitex(ctx context.Context, caller talk.Client, text string) error {
	opened, err := caller.Open(ctx, "chat")
	if err != nil {
		return err
	}
	chat := streaming.NewBidiStreamingClient[ours.Words, ours.Words](opened)
	for range 3 {
		if err := chat.Send(ctx, &ours.Words{Text: text, Times: 2}); err != nil {
			return err
		}
		for range 2 {
			if got, err := chat.Recv(ctx); err != nil || got.Text != text {
				return fmt.Errorf("chat: %v %w", got, err)
			}
		}
	}
	if header, err := chat.Header(); err != nil || header["hall"] != "main" {
		return fmt.Errorf("header: %v %w", header, err)
	}
	chat.CloseSend(ctx)
	if _, err := chat.Recv(ctx); err != io.EOF {
		return fmt.Errorf("behind the chat: %w", err)
	}
	if trailer, err := chat.Trailer(); err != nil || trailer["closing"] != "time" {
		return fmt.Errorf("trailer: %v %w", trailer, err)
	}
	if opened, err = caller.Open(ctx, "listen"); err != nil {
		return err
	}
	listen := streaming.NewClientStreamingClient[ours.Words, ours.Count](opened)
	for range 10 {
		if err := listen.Send(ctx, &ours.Words{Text: text}); err != nil {
			return err
		}
	}
	if count, err := listen.CloseAndRecv(ctx); err != nil || count.Messages != 10 || count.Letters != int64(10*len(text)) {
		return fmt.Errorf("listen: %v %w", count, err)
	}
	if opened, err = caller.Open(ctx, "repeat"); err != nil {
		return err
	}
	if err := errors.Join(opened.SendMsg(ctx, &ours.Words{Text: text, Times: 100}), opened.CloseSend(ctx)); err != nil {
		return err
	}
	repeat := streaming.NewServerStreamingClient[ours.Words](opened)
	for n := range int32(100) {
		if got, err := repeat.Recv(ctx); err != nil || got.Text != text || got.Times != n {
			return fmt.Errorf("repeat: %v %w", got, err)
		}
	}
	if _, err := repeat.Recv(ctx); err != io.EOF {
		return fmt.Errorf("behind what is repeated: %w", err)
	}
	return nil
}

// atOnce calls run several times at once.
func atOnce(t *testing.T, times int, run func(text string) error) {
	t.Helper()
	var all sync.WaitGroup
	for n := range times {
		all.Go(func() {
			if err := run(strings.Repeat("x", 1+n*n*20)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestStreamsOfOurClientAreAnsweredByKitexsServer(t *testing.T) {
	_, talker := serveKitexTalk(t)
	ctx := within(t)
	atOnce(t, 30, func(text string) error { return talkByOurs(ctx, talker, text) })
}

func TestStreamsOfKitexsClientAreAnsweredByOurServer(t *testing.T) {
	_, caller := serveTalk(t)
	ctx := within(t)
	atOnce(t, 30, func(text string) error { return talkByKitex(ctx, caller, text) })
}

func TestErrorsOfStreamsOfKitexsServerComeToOurClient(t *testing.T) {
	_, talker := serveKitexTalk(t)
	for text, want := range map[string]string{"status": "no such hall", "plain": io.ErrClosedPipe.Error()} {
		chat, err := talker.Chat(within(t))
		if err != nil {
			t.Fatal(err)
		}
		chat.Send(&ours.Words{Text: text})
		_, err = chat.Recv()
		var failure *rpc.Error
		if !errors.As(err, &failure) || failure.Stage != rpc.Answering || !strings.Contains(err.Error(), want) {
			t.Error(text, err)
		}
		var status *rpc.BizStatusError
		if errors.As(err, &status) != (text == "status") || text == "status" && (status.Status != 404 || status.Extra["hall"] != "7") {
			t.Error(text, err)
		}
	}
}

func TestErrorsOfOurStreamsComeToKitexsClient(t *testing.T) {
	_, caller := serveTalk(t)
	ctx := within(t)
	for method, texts := range map[string]map[string]string{
		"chat": {"status": "no such hall", "plain": "the hall is closed"},
		"echo": {"": "echo is no stream"},
		"sing": {"": "unknown function sing"},
	} {
		for text, want := range texts {
			opened, err := caller.Open(ctx, method)
			if err != nil {
				t.Fatal(err)
			}
			opened.SendMsg(ctx, &ours.Words{Text: text})
			err = opened.RecvMsg(ctx, new(ours.Words))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Error(method, text, err)
			}
			status, isStatus := kerrors.FromBizStatusError(err)
			if isStatus != (text == "status") || isStatus && (status.BizStatusCode() != 404 || status.BizExtra()["hall"] != "7") {
				t.Error(method, text, err)
			}
			// Kitex reports an exception in a trailer in this form.
			if strings.Contains(fmt.Sprint(err), "code=12001") == isStatus {
				t.Error(method, text, err)
			}
		}
	}
}

func TestMetadataOfKitexsStreamsComesToOurHandlers(t *testing.T) {
	talker, caller := serveTalk(t)
	ctx := metainfo.WithPersistentValue(metainfo.WithValue(within(t), "once", "1"), "always", "2")
	if _, err := caller.Open(ctx, "chat"); err != nil {
		t.Fatal(err)
	}
	if seen := <-talker.seen; len(seen) != 2 || !strings.EqualFold(seen[0].Name, "once") || seen[0].Value != "1" || seen[1].Value != "2" {
		t.Error(seen)
	}
}

func TestTheEndOfOurContextEndsStreamsOfKitexsServer(t *testing.T) {
	handler, talker := serveKitexTalk(t)
	ctx, cancel := context.WithCancel(within(t))
	chat, err := talker.Chat(ctx)
	if err != nil {
		t.Fatal(err)
	}
	chat.Send(&ours.Words{Text: "wait"})
	<-handler.Entered
	cancel()
	if err := <-handler.Ended; !errors.Is(err, kerrors.ErrStreamingCanceled) || !strings.Contains(err.Error(), "given the stream up") {
		t.Error(err)
	}
	if _, err := chat.Recv(); rpc.CodeOf(err) != rpc.Canceled {
		t.Error(err)
	}
}

func TestTheEndOfKitexsContextEndsOurStreams(t *testing.T) {
	talker, caller := serveTalk(t)
	ctx, cancel := context.WithCancel(within(t))
	opened, err := caller.Open(ctx, "chat")
	if err != nil {
		t.Fatal(err)
	}
	opened.SendMsg(ctx, &ours.Words{Text: "wait"})
	<-talker.entered
	cancel()
	// Kitex's client checks its context when it receives.
	if err := opened.RecvMsg(ctx, new(ours.Words)); !errors.Is(err, kerrors.ErrStreamingCanceled) {
		t.Error(err)
	}
	if err := <-talker.ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestAStreamOfKitexsClientThatOurHandlerDoesNotReadIsResetAndOthersGoOn(t *testing.T) {
	talker, caller := serveTalk(t)
	ctx := within(t)
	opened, err := caller.Open(ctx, "chat")
	if err != nil {
		t.Fatal(err)
	}
	opened.SendMsg(ctx, &ours.Words{Text: "wait"})
	<-talker.entered
	words := &ours.Words{Text: strings.Repeat("x", 1<<20)}
	for err == nil {
		err = opened.SendMsg(ctx, words)
	}
	if !errors.Is(err, kerrors.ErrStreamingCanceled) || !strings.Contains(err.Error(), "than were received") {
		t.Error(err)
	}
	if err := <-talker.ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := talkByKitex(ctx, caller, "after"); err != nil {
		t.Error(err)
	}
}
