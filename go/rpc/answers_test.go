package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/wrapperspb"

	"hone/go/internal/sample/talk"
	"hone/go/rpc"
	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/h2"
	"hone/go/rpc/internal/link"
)

// telling is the answer that a handler is to give.
type telling struct {
	header, trailer rpc.Metadata
	err             error
	messages        int
}

// answering is a server whose service answers by the next telling; clients may limit the lists of fields that they take.
type answering struct {
	address string
	server  *rpc.Server
	next    atomic.Pointer[telling]
	lost    chan error
}

// The methods of the service: one with one answer, and one with a stream of them.
const (
	oneAnswer   = "/test.Answers/One"
	manyAnswers = "/test.Answers/Many"
)

func newAnswering(t testing.TB) *answering {
	t.Helper()
	a := &answering{server: rpc.NewServer(), lost: make(chan error, 10000), address: filepath.Join(t.TempDir(), "s")}
	a.server.Lost = func(err error) {
		select {
		case a.lost <- err:
		default:
		}
	}
	newText := func() any { return new(wrapperspb.StringValue) }
	a.server.Register(rpc.Service{Name: "test.Answers", Methods: []rpc.Method{
		{Name: "One", NewRequest: newText, Serve: func(ctx context.Context, request any) (any, error) {
			is := a.next.Load()
			rpc.SetHeader(ctx, is.header)
			rpc.SetTrailer(ctx, is.trailer)
			return request, is.err
		}},
		{Name: "Many", ServerStreams: true, Stream: func(s *rpc.ServerStream) error {
			is := a.next.Load()
			s.SetHeader(is.header)
			s.SetTrailer(is.trailer)
			for range is.messages {
				if err := s.Send(wrapperspb.String("one of many")); err != nil {
					return err
				}
			}
			return is.err
		}},
	}})
	listener, err := net.Listen("unix", a.address)
	if err != nil {
		t.Fatal(err)
	}
	go a.server.Serve(listener)
	t.Cleanup(a.server.Close)
	return a
}

// dial makes a client whose limit for lists of fields is this number of bytes; 0 is the default of this package's clients.
func (a *answering) dial(t testing.TB, bytes int) *h2.Client {
	t.Helper()
	conn, err := net.Dial("unix", a.address)
	if err != nil {
		t.Fatal(err)
	}
	l := link.New(conn, link.Options{})
	client := h2.NewClient(l, h2.Options{HeaderBytes: bytes})
	t.Cleanup(func() {
		l.Close(errors.New("the test is over"))
		<-client.Ended()
	})
	return client
}

// wasLost returns the errors that the server has reported since the last call.
func (a *answering) wasLost() (all []string) {
	for {
		select {
		case err := <-a.lost:
			all = append(all, err.Error())
		default:
			return all
		}
	}
}

// answer is the end of a call.
type answer struct {
	code            rpc.Code
	status          grpcwire.Status
	header, trailer []h2.Field
}

type anyReply struct{}

func (anyReply) ReadMessage(*h2.Stream, []byte, bool) error { return nil }

// call makes a call, and returns its answer or fails the test.
func (a *answering) call(t testing.TB, client *h2.Client, path string, is telling) answer {
	t.Helper()
	a.next.Store(&is)
	ctx, cancel := context.WithTimeout(background, testPatience)
	defer cancel()
	header := h2.NewRequestTemplate("http", "test", path, grpcwire.ContentType, "test")
	var stream *h2.Stream
	var err error
	if path == oneAnswer {
		stream, err = client.Call(ctx, h2.Call{Header: header}, h2.Bytes(nil), false, anyReply{})
	} else if stream, err = client.Send(ctx, h2.Call{Header: header}, h2.Bytes(nil), false); err == nil {
		for err == nil {
			_, _, err = stream.Receive(ctx)
		}
		if stream.Err() == nil {
			err = nil
		}
	}
	if ctx.Err() != nil {
		t.Fatalf("%s is not answered: %v", path, err)
	}
	got := answer{}
	var why *h2.Error
	switch {
	case errors.As(err, &why):
		got.code = rpc.Code(why.Code)
	case err != nil:
		t.Fatal(err)
	default:
		got.status, got.header, got.trailer = stream.Status(), stream.Header(), stream.Trailer()
		got.code = rpc.Code(got.status.Code)
	}
	return got
}

// valueOf returns the value of a field; "" if there is none.
func valueOf(fields []h2.Field, name string) string {
	for _, field := range fields {
		if field.Name == name {
			return field.Value
		}
	}
	return ""
}

// unsendable lists metadata that cannot be sent, the limit of the client to which it cannot, and a part of the error that the server reports.
var unsendable = []struct {
	name string
	pair rpc.Pair
	// limit is the longest list of fields that the client takes; 0 is the default.
	limit int
	lost  string
}{
	{"two lines", rpc.Pair{Name: "why", Value: "one\ntwo"}, 0, `"why"`},
	{"a zero", rpc.Pair{Name: "why", Value: "a\x00"}, 0, `"why"`},
	{"raw bytes", rpc.Pair{Name: "why", Value: "\xff\xfe"}, 0, `"why"`},
	{"no name", rpc.Pair{Value: "x"}, 0, "empty name"},
	{"a name with a blank", rpc.Pair{Name: "a b", Value: "x"}, 0, `"a b"`},
	{"a name with a line's end", rpc.Pair{Name: "a\r\nb", Value: "x"}, 0, `"a\r\nb"`},
	{"a pseudo-header", rpc.Pair{Name: ":status", Value: "500"}, 0, `":status"`},
	{"grpc-status", rpc.Pair{Name: "grpc-status", Value: "5"}, 0, `"grpc-status"`},
	{"grpc-message", rpc.Pair{Name: "Grpc-Message", Value: "x"}, 0, `"grpc-message"`},
	{"te", rpc.Pair{Name: "te", Value: "gzip"}, 0, `"te"`},
	{"connection", rpc.Pair{Name: "Connection", Value: "close"}, 0, `"connection"`},
	{"content-type", rpc.Pair{Name: "content-type", Value: "text/html"}, 0, `"content-type"`},
	{"66,000 bytes", rpc.Pair{Name: "why", Value: strings.Repeat("x", 66_000)}, 0, `"why"`},
	{"300,000 bytes", rpc.Pair{Name: "why-bin", Value: strings.Repeat("x", 300_000)}, 0, `"why-bin"`},
	{"9,000 bytes", rpc.Pair{Name: "why", Value: strings.Repeat("x", 9000)}, 8 << 10, `"why"`},
	{"30,000 bytes", rpc.Pair{Name: "why", Value: strings.Repeat("x", 30_000)}, 16 << 10, `"why"`},
	{"500 bytes", rpc.Pair{Name: "why", Value: strings.Repeat("x", 500)}, 300, `"why"`},
}

func TestMetadataThatCannotBeSentIsLeftOutOfAnAnswerThatComes(t *testing.T) {
	a := newAnswering(t)
	fine := rpc.Pair{Name: "fine", Value: "yes"}
	for _, is := range unsendable {
		client := a.dial(t, is.limit)
		for _, path := range []string{oneAnswer, manyAnswers} {
			for _, code := range []rpc.Code{rpc.OK, rpc.NotFound} {
				for messages := range 2 {
					for _, inHeader := range []bool{false, true} {
						told := telling{trailer: rpc.Metadata{is.pair, fine}, messages: messages}
						if inHeader {
							told.header, told.trailer = told.trailer, nil
						}
						if code != rpc.OK {
							told.err = rpc.Errorf(code, "no such thing")
						}
						got := a.call(t, client, path, told)
						where := fmt.Sprintf("%s, %s, %v, %d messages, in the header: %v", is.name, path, code, messages, inHeader)
						if got.code != code || code != rpc.OK && got.status.Message != "no such thing" {
							t.Errorf("%s: %v %.100q", where, got.code, got.status.Message)
						}
						// An answer without a message has no header of its own: all its fields come as the trailer.
						if fields := append(got.header, got.trailer...); valueOf(fields, "fine") != "yes" || valueOf(fields, strings.ToLower(is.pair.Name)) != "" {
							t.Errorf("%s: %d fields came", where, len(fields))
						}
						if lost := a.wasLost(); len(lost) != 1 || !strings.Contains(lost[0], is.lost) {
							t.Errorf("%s: the server told of %.300q", where, lost)
						}
					}
				}
			}
		}
	}
}

func TestAHandlerIsToldOfMetadataThatCannotBeSent(t *testing.T) {
	var header, trailer error
	s, _ := setEcho(t, "unix", func(server *rpc.Server, _ *rpc.Client) {
		server.Interceptors = []rpc.Interceptor{func(ctx context.Context, _ *rpc.Call, next func(context.Context) error) error {
			header = rpc.SetHeader(ctx, rpc.Metadata{{Name: "te", Value: "gzip"}})
			trailer = rpc.SetTrailer(ctx, rpc.Metadata{{Name: "long", Value: strings.Repeat("x", 70_000)}})
			return next(ctx)
		}}
	})
	if got, err := s.unary(background, "x"); got != "x" || err != nil {
		t.Fatal(got, err)
	}
	if rpc.CodeOf(header) != rpc.InvalidArgument || !strings.Contains(header.Error(), `"te"`) {
		t.Error(header)
	}
	if rpc.CodeOf(trailer) != rpc.ResourceExhausted || !strings.Contains(trailer.Error(), `"long"`) || !strings.Contains(trailer.Error(), "65536") {
		t.Error(trailer)
	}
}

func TestALongErrorIsShortenedAndItsCodeStays(t *testing.T) {
	a := newAnswering(t)
	for _, limit := range []int{200, 300, 8 << 10, 16 << 10, 0, 1 << 20} {
		client := a.dial(t, limit)
		for _, text := range []string{"short", strings.Repeat("x", 7000), strings.Repeat("x", 70_000), strings.Repeat("€%", 100_000), strings.Repeat("x", 300_000)} {
			for _, details := range []int{0, 1, 5000, 200_000} {
				err := rpc.Errorf(rpc.NotFound, "%s", text)
				if details > 0 {
					err.WithDetails(wrapperspb.String("first"), wrapperspb.String(strings.Repeat("x", details)))
				}
				for _, path := range []string{oneAnswer, manyAnswers} {
					got := a.call(t, client, path, telling{err: err, messages: 1})
					where := fmt.Sprintf("limit %d, %d bytes, details of %d, %s", limit, len(text), details, path)
					if got.code != rpc.NotFound {
						t.Errorf("%s: %v %.100q", where, got.code, got.status.Message)
					}
					kept, _, isCut := strings.Cut(got.status.Message, " ... (")
					if !strings.HasPrefix(text, kept) || !utf8.ValidString(kept) || !isCut && kept != text && kept != "" {
						t.Errorf("%s: the text is %.100q, %d bytes", where, got.status.Message, len(got.status.Message))
					}
					isShort := text == "short" && (limit != 200 && limit != 300 || details == 0)
					if isShort && (isCut || kept != text) || limit >= 8<<10 && len(kept) < min(len(text), 400) {
						t.Errorf("%s: of the text came %q", where, got.status.Message)
					}
					if lost := a.wasLost(); (got.status.Message != text) != (len(lost) > 0) && details == 0 {
						t.Errorf("%s: the server told of %.300q", where, lost)
					}
				}
			}
		}
	}
}

func TestALongErrorLeavesTheOtherCallsOfItsConnectionAlone(t *testing.T) {
	for _, network := range networks {
		for _, wire := range append([]rpc.Wire{rpc.GRPC}, thriftWires...) {
			t.Run(network+"/"+wire.String(), func(t *testing.T) {
				long := strings.Repeat("é", 150_000)
				entered, release := make(chan struct{}), make(chan struct{})
				s, _ := setEcho(t, network, func(server *rpc.Server, client *rpc.Client) {
					client.Wire = wire
					server.Interceptors = []rpc.Interceptor{func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
						if call.Method == "Count" || call.Method == "alive" {
							return rpc.Errorf(rpc.NotFound, "%s", long)
						}
						entered <- struct{}{}
						<-release
						return next(ctx)
					}}
				})
				others := 1
				if wire == rpc.GRPC || wire <= rpc.TTHeaderCompact {
					others = 200
				}
				results := make(chan error, others)
				for range others {
					go func() {
						if wire == rpc.GRPC {
							_, err := s.unary(background, "other")
							results <- err
							return
						}
						_, err := s.shopper.Find(background, 1, nil)
						results <- err
					}()
					<-entered
				}
				var err error
				if wire == rpc.GRPC {
					err = s.client.Invoke(within(t, testPatience), countPath, wrapperspb.Int64(1), new(wrapperspb.Int64Value))
				} else {
					if others == 1 {
						release <- struct{}{}
						<-results
					}
					_, err = s.shopper.Alive(within(t, testPatience))
				}
				var told *rpc.Error
				if !errors.As(err, &told) || told.Stage != rpc.Answering || !strings.Contains(told.Error(), "ééé") || len(told.Error()) > 70_000 ||
					wire != rpc.Framed && wire != rpc.FramedCompact && wire != rpc.Buffered && wire != rpc.BufferedCompact && told.Code != rpc.NotFound {
					t.Errorf("%.300v", err)
				}
				if others > 1 {
					close(release)
					for range others {
						if err := <-results; err != nil {
							t.Fatal("another call of the connection:", err)
						}
					}
				}
			})
		}
	}
}

func TestStreamsOfThriftEndWhateverAHandlerSets(t *testing.T) {
	eachNetwork(t, func(t *testing.T, network string) {
		long := strings.Repeat("é", 150_000)
		for _, is := range []struct {
			pairs rpc.Metadata
			err   error
			code  rpc.Code
		}{
			{pairs: rpc.Metadata{{Name: "why", Value: strings.Repeat("x", 66_000)}}},
			{pairs: rpc.Metadata{{Name: strings.Repeat("x", 66_000), Value: "why"}}, err: rpc.Errorf(rpc.NotFound, "no"), code: rpc.NotFound},
			{pairs: rpc.Metadata{{Name: "biz-status", Value: "7"}}},
			{pairs: rpc.Metadata{{Name: "a", Value: strings.Repeat("x", 65_000)}, {Name: "b", Value: strings.Repeat("x", 65_000)}, {Name: "c", Value: strings.Repeat("x", 65_000)}}},
			{err: rpc.Errorf(rpc.NotFound, "%s", long), code: rpc.NotFound},
			{err: &rpc.BizStatusError{Status: 404, Message: long, Extra: map[string]string{"x": long}}, code: rpc.Unknown},
		} {
			outcomes := make(chan []error, 1)
			s, _, client := setTalk(t, network, func(server *rpc.Server, _ *rpc.Client) {
				server.Interceptors = []rpc.Interceptor{func(ctx context.Context, _ *rpc.Call, next func(context.Context) error) error {
					fine := rpc.Pair{Name: "fine", Value: "yes"}
					outcomes <- []error{rpc.SetHeader(ctx, append(is.pairs, fine)), rpc.SetTrailer(ctx, append(is.pairs, fine))}
					return errors.Join(next(ctx), is.err)
				}}
			})
			words, err := client.Repeat(within(t, testPatience), &talk.Words{Text: "x", Times: 2})
			if err != nil {
				t.Fatal(err)
			}
			for err == nil {
				_, err = words.Recv()
			}
			if err == io.EOF {
				err = nil
			}
			header, _ := words.Header()
			if trailer := words.Trailer(); rpc.CodeOf(err) != is.code || header.Get("fine") != "yes" || trailer.Get("fine") != "yes" {
				t.Errorf("%.200v: fine=%q, %q", err, header.Get("fine"), trailer.Get("fine"))
			}
			if status := (*rpc.BizStatusError)(nil); is.code == rpc.Unknown && (!errors.As(err, &status) || status.Status != 404 || !strings.HasPrefix(status.Message, "éé")) {
				t.Errorf("%.200v", err)
			}
			if set := <-outcomes; (set[0] != nil) != (is.pairs != nil) || (set[1] != nil) != (is.pairs != nil) {
				t.Errorf("%.200q", set)
			}
			if lost := s.awaitLost(t); !strings.Contains(lost.Error(), "left out") && !strings.Contains(lost.Error(), "shorter") {
				t.Error(lost)
			}
		}
	})
}

func FuzzEveryReturnOfAHandlerIsAnswered(f *testing.F) {
	for i, is := range unsendable {
		f.Add(is.pair.Name, is.pair.Value, uint16(i%3), "text", uint16(1), uint32(is.limit), uint8(i), uint8(i))
	}
	f.Add("why", "x", uint16(66_00), "é%", uint16(60_000), uint32(0), uint8(5), uint8(0))
	f.Add("why", "x", uint16(1), "\xff", uint16(9000), uint32(8192), uint8(5), uint8(3))
	f.Add("why", "x", uint16(1), "x", uint16(9), uint32(1), uint8(5), uint8(7))
	a := newAnswering(f)
	f.Fuzz(func(t *testing.T, name, value string, values uint16, text string, texts uint16, limit uint32, code, form uint8) {
		is := telling{messages: int(form & 1)}
		pairs := rpc.Metadata{{Name: name, Value: strings.Repeat(value, int(min(int(values), 1+300_000/(len(value)+1))))}, {Name: "fine", Value: "yes"}}
		if form&2 != 0 {
			is.header = pairs
		} else {
			is.trailer = pairs
		}
		path := oneAnswer
		if form&4 != 0 {
			path = manyAnswers
		}
		want := rpc.Code(code % 17)
		if want != rpc.OK {
			failure := rpc.Errorf(want, "%s", strings.Repeat(text, int(min(int(texts), 1+400_000/(len(text)+1)))))
			if form&8 != 0 {
				failure.WithDetails(wrapperspb.String("a"), wrapperspb.String(strings.Repeat("x", int(texts))))
			}
			is.err = failure
		}
		client := a.dial(t, int(limit%(1<<20)))
		// A client whose limit is below the length of the shortest answer gets ResourceExhausted.
		tooShort := limit%(1<<20) != 0 && limit%(1<<20) < 200
		for range 2 {
			if got := a.call(t, client, path, is); got.code != want && !(tooShort && got.code == rpc.ResourceExhausted) {
				t.Fatalf("%v in place of %v: %.200q", got.code, want, got.status.Message)
			}
		}
		a.wasLost()
	})
}
