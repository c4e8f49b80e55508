package h2

import (
	"context"
	"errors"
	"strings"
	"testing"

	"golang.org/x/net/http2"

	"hone/go/rpc/internal/grpcwire"
)

// result says how a call ended.
type result struct {
	text   string
	stream *Stream
	err    error
}

// begin makes a call, and returns a channel that receives the call's result.
func begin(ctx context.Context, client *Client, message Message) chan result {
	done := make(chan result, 1)
	go func() {
		var reply text
		s, err := client.Call(ctx, method("/echo"), message, false, &reply)
		done <- result{reply.got, s, err}
	}()
	return done
}

// say describes a result in a few words.
func (r result) say() string {
	var why *Error
	switch {
	case errors.As(r.err, &why) && why.IsUnprocessed:
		return why.Code.String() + ", not processed"
	case errors.As(r.err, &why):
		return why.Code.String()
	case r.err != nil:
		return "error: " + r.err.Error()
	case r.stream.Status().Code != grpcwire.OK:
		return "status " + r.stream.Status().Code.String() + " " + r.stream.Status().Message
	}
	return "answer " + r.text
}

// answers are the frames with which a server answers a call of stream 1, and the result that the caller gets.
var answers = []struct {
	name string
	do   func(r *raw)
	want string
}{
	{"an answer", func(r *raw) { r.answer(1, "x") }, "answer x"},
	{"interim headers", func(r *raw) {
		r.headers(1, r.fields(":status", "100"), false)
		r.headers(1, r.fields(":status", "103", "link", "x"), false)
		r.answer(1, "x")
	}, "answer x"},
	{"frames that nobody knows", func(r *raw) { r.frame(0xfa, 0xff, 1, "x"); r.answer(1, "x") }, "answer x"},
	{"a status in the header", func(r *raw) {
		r.headers(1, r.fields(":status", "200", "content-type", "application/grpc", "grpc-status", "5", "grpc-message", "n%C3%B6"), true)
	}, "status NOT_FOUND nö"},
	{"a status of a server that is not gRPC's in all", func(r *raw) { r.headers(1, r.fields(":status", "503", "grpc-status", "14"), true) }, "status UNAVAILABLE "},
	{"a status after a message", func(r *raw) {
		r.headers(1, r.fields(":status", "200", "content-type", "application/grpc+proto"), false)
		r.WriteData(1, false, message("x"))
		r.headers(1, r.fields("grpc-status", "9"), true)
	}, "status FAILED_PRECONDITION "},
	{"a status that is no number", func(r *raw) {
		r.headers(1, r.fields(":status", "200", "content-type", "application/grpc", "grpc-status", "x"), true)
	}, "status UNKNOWN the server sent a grpc-status that is no number"},
	{"OK without a message", func(r *raw) {
		r.headers(1, r.fields(":status", "200", "content-type", "application/grpc", "grpc-status", "0"), true)
	}, "INTERNAL"},
	{"two messages", func(r *raw) {
		r.headers(1, r.fields(":status", "200", "content-type", "application/grpc"), false)
		r.WriteData(1, false, append(message("x"), message("y")...))
		r.headers(1, r.fields("grpc-status", "0"), true)
	}, "INTERNAL"},
	{"a message that is cut", func(r *raw) {
		r.headers(1, r.fields(":status", "200", "content-type", "application/grpc"), false)
		r.WriteData(1, false, message("long")[:8])
		r.headers(1, r.fields("grpc-status", "0"), true)
	}, "INTERNAL"},
	{"a message that is too long", func(r *raw) {
		r.headers(1, r.fields(":status", "200", "content-type", "application/grpc"), false)
		r.WriteData(1, false, []byte{0, 0xff, 0, 0, 0})
	}, "RESOURCE_EXHAUSTED"},
	{"a trailer without a status", func(r *raw) {
		r.headers(1, r.fields(":status", "200", "content-type", "application/grpc"), false)
		r.headers(1, r.fields("a", "b"), true)
	}, "UNKNOWN"},
	{"an end without a trailer", func(r *raw) {
		r.headers(1, r.fields(":status", "200", "content-type", "application/grpc"), false)
		r.WriteData(1, true, message("x"))
	}, "INTERNAL"},
	{"a web page", func(r *raw) { r.headers(1, r.fields(":status", "404", "content-type", "text/html"), false) }, "UNIMPLEMENTED"},
	{"a proxy that cannot reach its server", func(r *raw) { r.headers(1, r.fields(":status", "502"), true) }, "UNAVAILABLE"},
	{"another content type", func(r *raw) { r.headers(1, r.fields(":status", "200", "content-type", "text/html"), false) }, "UNKNOWN"},
	{"no status of HTTP", func(r *raw) { r.headers(1, r.fields("content-type", "application/grpc"), false) }, "INTERNAL"},
	{"DATA before a header", func(r *raw) { r.WriteData(1, false, message("x")) }, "INTERNAL"},
	{"a header that is too long", func(r *raw) {
		r.headers(1, r.fields(":status", "200", "content-type", "application/grpc", "a", strings.Repeat("b", 9000)), false)
	}, "RESOURCE_EXHAUSTED"},
	{"a stream that is refused", func(r *raw) { r.WriteRSTStream(1, http2.ErrCodeRefusedStream) }, "UNAVAILABLE, not processed"},
	{"a stream that is cancelled", func(r *raw) { r.WriteRSTStream(1, http2.ErrCodeCancel) }, "CANCELLED"},
	{"a server that wants less", func(r *raw) { r.WriteRSTStream(1, http2.ErrCodeEnhanceYourCalm) }, "RESOURCE_EXHAUSTED"},
	{"a server that wants more security", func(r *raw) { r.WriteRSTStream(1, http2.ErrCodeInadequateSecurity) }, "PERMISSION_DENIED"},
	{"a server with a fault", func(r *raw) { r.WriteRSTStream(1, http2.ErrCodeInternal) }, "INTERNAL"},
	{"a server that goes before the call", func(r *raw) { r.WriteGoAway(0, http2.ErrCodeNo, []byte("bye")) }, "UNAVAILABLE, not processed"},
	{"a server that goes after the call", func(r *raw) { r.WriteGoAway(1, http2.ErrCodeNo, nil); r.answer(1, "x") }, "answer x"},
	{"a server that goes in two steps", func(r *raw) {
		r.WriteGoAway(largestID, http2.ErrCodeNo, nil)
		r.WriteGoAway(1, http2.ErrCodeNo, nil)
		r.answer(1, "x")
	}, "answer x"},
	{"a GOAWAY that takes more than the one before", func(r *raw) {
		r.WriteGoAway(1, http2.ErrCodeNo, nil)
		r.WriteGoAway(3, http2.ErrCodeNo, nil)
	}, "UNAVAILABLE"},
	{"a server that closes the connection", func(r *raw) { r.conn.Close() }, "UNAVAILABLE"},
	{"a push", func(r *raw) { r.frame(http2.FramePushPromise, 4, 1, "\x00\x00\x00\x02") }, "UNAVAILABLE"},
	{"HEADERS of a stream that was not begun", func(r *raw) { r.headers(3, r.fields(":status", "200"), false) }, "UNAVAILABLE"},
	{"DATA of a stream of the server's", func(r *raw) { r.WriteData(2, false, nil) }, "UNAVAILABLE"},
	{"a field of requests", func(r *raw) { r.headers(1, r.fields(":status", "200", ":path", "/"), false) }, "INTERNAL"},
	{"a trailer with a status of HTTP", func(r *raw) {
		r.headers(1, r.fields(":status", "200", "content-type", "application/grpc"), false)
		r.headers(1, r.fields(":status", "200", "grpc-status", "0"), true)
	}, "INTERNAL"},
}

func TestAClientTellsWhatServersAnswer(t *testing.T) {
	for _, answer := range answers {
		t.Run(answer.name, func(t *testing.T) {
			r, client := rawServer(t, Options{HeaderBytes: 8192})
			done := begin(background, client, Bytes("ask"))
			if call := r.nextCall(); call.StreamID != 1 {
				t.Fatal(call)
			}
			answer.do(r)
			if got := (<-done).say(); got != answer.want {
				t.Fatalf("%s, and not %s", got, answer.want)
			}
		})
	}
}
