package rpc_test

import (
	"context"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"hone/go/internal/greeter"
	"hone/go/internal/sample/talk"
	"hone/go/rpc"
	"hone/go/rpc/metrics"
)

// watched receives the errors with which the streams of a client end.
type watched struct {
	ended chan error
	calls *metrics.Calls
}

func (w *watched) watch(_ *rpc.Server, client *rpc.Client) {
	client.Interceptors = []rpc.Interceptor{w.calls.Intercept, func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
		err := next(ctx)
		if !call.OnStreamEnd(func(err error) { w.ended <- err }) {
			w.ended <- rpc.Errorf(rpc.Aborted, "it is no stream")
		}
		return err
	}}
}

// metric returns a line of the metrics, without its name.
func (w *watched) metric(name string) string {
	answer := httptest.NewRecorder()
	w.calls.ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(answer.Body.String()) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			return strings.TrimSpace(rest)
		}
	}
	return "none"
}

// words is a stream of either wire that is answered word by word.
type words struct {
	send func(text string) error
	done func() error
	next func() error
}

// openers open streams of gRPC and of Thrift.
var openers = map[string]func(t *testing.T, w *watched) func(ctx context.Context) words{
	"gRPC": func(t *testing.T, w *watched) func(context.Context) words {
		_, client := setPolite(t, w.watch)
		return func(ctx context.Context) words {
			chat, err := client.Chat(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return words{func(text string) error { return chat.Send(&greeter.Note{Text: text}) }, chat.CloseSend, func() error {
				_, err := chat.Recv()
				return err
			}}
		}
	},
	"Thrift": func(t *testing.T, w *watched) func(context.Context) words {
		_, _, client := setTalk(t, "unix", w.watch)
		return func(ctx context.Context) words {
			chat, err := client.Chat(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return words{func(text string) error { return chat.Send(&talk.Words{Text: text, Times: 1}) }, chat.CloseSend, func() error {
				_, err := chat.Recv()
				return err
			}}
		}
	},
}

func TestAClientsInterceptorsAreToldHowItsStreamEnds(t *testing.T) {
	for wire, open := range openers {
		w := &watched{make(chan error, 10), metrics.New()}
		opened := open(t, w)
		stream := opened(within(t, testPatience))
		for range 3 {
			if err := stream.send("hello"); err != nil {
				t.Fatal(err)
			}
			if err := stream.next(); err != nil {
				t.Fatal(err)
			}
		}
		if under := w.metric("rpc_client_calls_under_way "); under != "1" || len(w.ended) > 0 {
			t.Errorf("%s: %s streams are under way, and %d have ended", wire, under, len(w.ended))
		}
		stream.done()
		if err := stream.next(); err != io.EOF {
			t.Fatal(err)
		}
		if err := <-w.ended; err != nil {
			t.Error(wire, err)
		}
		if under := w.metric("rpc_client_calls_under_way "); under != "0" {
			t.Errorf("%s: %s streams are under way", wire, under)
		}
	}
}

func TestAStreamThatNobodyReceivesFromEndsWithItsContext(t *testing.T) {
	for wire, open := range openers {
		w := &watched{make(chan error, 10), metrics.New()}
		ctx, cancel := context.WithCancel(background)
		open(t, w)(ctx)
		cancel()
		if err := <-w.ended; rpc.CodeOf(err) != rpc.Canceled {
			t.Error(wire, err)
		}
	}
	w := &watched{make(chan error, 10), metrics.New()}
	_, _, client := setTalk(t, "unix", w.watch)
	refused, err := client.Chat(within(t, testPatience))
	if err != nil {
		t.Fatal(err)
	}
	refused.Send(&talk.Words{Text: "refuse"})
	if _, err := refused.Recv(); rpc.CodeOf(err) != rpc.PermissionDenied {
		t.Fatal(err)
	}
	if err := <-w.ended; rpc.CodeOf(err) != rpc.PermissionDenied {
		t.Error(err)
	}
	if count := w.metric(`rpc_client_call_duration_seconds_count{service="Talk",method="chat",code="PermissionDenied"} `); count != "1" {
		t.Errorf("%s streams are counted", count)
	}
}
