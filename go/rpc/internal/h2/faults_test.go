package h2

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/http2"
)

// frame writes a frame with these bytes as its payload.
func (r *raw) frame(kind http2.FrameType, flags http2.Flags, id uint32, payload string) {
	r.WriteRawFrame(kind, flags, id, []byte(payload))
}

// faults are faults of clients, and what a server does about them. The test looks at stream 1.
var faults = []struct {
	name string
	do   func(r *raw)
	want string
}{
	{"a frame that is too long ends the connection",
		func(r *raw) { r.frame(http2.FrameData, 0, 1, strings.Repeat("x", 16385)) }, "GOAWAY FRAME_SIZE_ERROR"},
	{"a long frame that nobody knows ends the connection",
		func(r *raw) { r.frame(99, 0, 1, strings.Repeat("x", 16385)) }, "GOAWAY FRAME_SIZE_ERROR"},
	{"DATA for no stream", func(r *raw) { r.frame(http2.FrameData, 0, 0, "x") }, "GOAWAY PROTOCOL_ERROR"},
	{"HEADERS for no stream", func(r *raw) { r.headers(0, r.request("/echo"), true) }, "GOAWAY PROTOCOL_ERROR"},
	{"PRIORITY for no stream", func(r *raw) { r.frame(http2.FramePriority, 0, 0, "12345") }, "GOAWAY PROTOCOL_ERROR"},
	{"RST_STREAM for no stream", func(r *raw) { r.frame(http2.FrameRSTStream, 0, 0, "\x00\x00\x00\x08") }, "GOAWAY PROTOCOL_ERROR"},
	{"SETTINGS for a stream", func(r *raw) { r.frame(http2.FrameSettings, 0, 1, "") }, "GOAWAY PROTOCOL_ERROR"},
	{"PING for a stream", func(r *raw) { r.frame(http2.FramePing, 0, 1, "12345678") }, "GOAWAY PROTOCOL_ERROR"},
	{"GOAWAY for a stream", func(r *raw) { r.frame(http2.FrameGoAway, 0, 1, "12345678") }, "GOAWAY PROTOCOL_ERROR"},
	{"a short PING", func(r *raw) { r.frame(http2.FramePing, 0, 0, "1234567") }, "GOAWAY FRAME_SIZE_ERROR"},
	{"a short GOAWAY", func(r *raw) { r.frame(http2.FrameGoAway, 0, 0, "1234567") }, "GOAWAY FRAME_SIZE_ERROR"},
	{"a short setting", func(r *raw) { r.frame(http2.FrameSettings, 0, 0, "12345") }, "GOAWAY FRAME_SIZE_ERROR"},
	{"SETTINGS acknowledged with a payload", func(r *raw) { r.frame(http2.FrameSettings, http2.FlagSettingsAck, 0, "123456") }, "GOAWAY FRAME_SIZE_ERROR"},
	{"a short WINDOW_UPDATE", func(r *raw) { r.frame(http2.FrameWindowUpdate, 0, 0, "123") }, "GOAWAY FRAME_SIZE_ERROR"},
	{"a short RST_STREAM", func(r *raw) {
		r.headers(1, r.request("/wait"), false)
		r.frame(http2.FrameRSTStream, 0, 1, "123")
	}, "GOAWAY FRAME_SIZE_ERROR"},
	{"PRIORITY of another length resets its stream", func(r *raw) {
		r.headers(1, r.request("/wait"), false)
		r.frame(http2.FramePriority, 0, 1, "1234")
	}, "RST_STREAM FRAME_SIZE_ERROR"},
	{"a window that grows by nothing", func(r *raw) { r.WriteWindowUpdate(0, 0) }, "GOAWAY PROTOCOL_ERROR"},
	{"a stream's window that grows by nothing", func(r *raw) {
		r.headers(1, r.request("/wait"), false)
		r.WriteWindowUpdate(1, 0)
	}, "RST_STREAM PROTOCOL_ERROR"},
	{"a window that is too large", func(r *raw) { r.WriteWindowUpdate(0, largestWindow) }, "GOAWAY FLOW_CONTROL_ERROR"},
	{"a stream's window that is too large", func(r *raw) {
		r.headers(1, r.request("/wait"), false)
		r.WriteWindowUpdate(1, largestWindow)
	}, "RST_STREAM FLOW_CONTROL_ERROR"},
	{"settings that make a window too large", func(r *raw) {
		r.headers(1, r.request("/wait"), false)
		r.WriteWindowUpdate(1, largestWindow-initialWindow)
		r.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: initialWindow + 1})
	}, "GOAWAY FLOW_CONTROL_ERROR"},
	{"a first window beyond 2^31-1", func(r *raw) {
		r.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 31})
	}, "GOAWAY FLOW_CONTROL_ERROR"},
	{"frames below the least", func(r *raw) { r.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 16383}) }, "GOAWAY PROTOCOL_ERROR"},
	{"push that is neither on nor off", func(r *raw) { r.WriteSettings(http2.Setting{ID: http2.SettingEnablePush, Val: 2}) }, "GOAWAY PROTOCOL_ERROR"},
	{"DATA for a stream that has not begun", func(r *raw) { r.WriteData(1, true, []byte("x")) }, "GOAWAY PROTOCOL_ERROR"},
	{"RST_STREAM for a stream that has not begun", func(r *raw) { r.WriteRSTStream(1, http2.ErrCodeCancel) }, "GOAWAY PROTOCOL_ERROR"},
	{"WINDOW_UPDATE for a stream that has not begun", func(r *raw) { r.WriteWindowUpdate(1, 1) }, "GOAWAY PROTOCOL_ERROR"},
	{"a stream with an even id", func(r *raw) { r.headers(2, r.request("/echo"), true) }, "GOAWAY PROTOCOL_ERROR"},
	{"a stream with a lower id than one before", func(r *raw) {
		r.headers(3, r.request("/wait"), false)
		r.headers(1, r.request("/wait"), false)
	}, "GOAWAY PROTOCOL_ERROR"},
	{"a request on a stream that has ended", func(r *raw) {
		r.headers(1, r.request("/wait"), false)
		r.WriteRSTStream(1, http2.ErrCodeCancel)
		r.headers(1, r.request("/wait"), false)
	}, "GOAWAY STREAM_CLOSED"},
	{"a client that pushes", func(r *raw) { r.frame(http2.FramePushPromise, 4, 1, "\x00\x00\x00\x02") }, "GOAWAY PROTOCOL_ERROR"},
	{"CONTINUATION without HEADERS", func(r *raw) { r.WriteContinuation(1, true, nil) }, "GOAWAY PROTOCOL_ERROR"},
	{"another frame within a header", func(r *raw) {
		r.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: r.request("/echo")})
		r.WritePing(false, [8]byte{})
	}, "GOAWAY PROTOCOL_ERROR"},
	{"CONTINUATION of another stream", func(r *raw) {
		r.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: r.request("/echo")})
		r.WriteContinuation(3, true, nil)
	}, "GOAWAY PROTOCOL_ERROR"},
	{"a flood of CONTINUATION", func(r *raw) {
		r.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: r.request("/echo")})
		for range 100 {
			r.WriteContinuation(1, false, nil)
		}
	}, "GOAWAY ENHANCE_YOUR_CALM"},
	{"a header without end", func(r *raw) {
		r.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: r.request("/echo")})
		for range 20 {
			r.WriteContinuation(1, false, r.fields("x", strings.Repeat("y", 10_000), "z", strings.Repeat("y", 5_000)))
		}
	}, "GOAWAY ENHANCE_YOUR_CALM"},
	{"a block that is no HPACK", func(r *raw) { r.headers(1, []byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff"), true) }, "GOAWAY COMPRESSION_ERROR"},
	{"an index that nothing has", func(r *raw) { r.headers(1, []byte{0xff, 0x00}, true) }, "GOAWAY COMPRESSION_ERROR"},
	{"a block that ends in a field", func(r *raw) { r.headers(1, []byte{0x40, 5, 'a'}, true) }, "GOAWAY COMPRESSION_ERROR"},
	{"a table that is larger than allowed", func(r *raw) { r.headers(1, []byte{0x3f, 0xff, 0xff, 0x01}, true) }, "GOAWAY COMPRESSION_ERROR"},
	{"padding that is longer than DATA", func(r *raw) {
		r.headers(1, r.request("/wait"), false)
		r.frame(http2.FrameData, http2.FlagDataPadded, 1, "\x05x")
	}, "GOAWAY PROTOCOL_ERROR"},
	{"padding that is longer than long DATA", func(r *raw) {
		r.headers(1, r.request("/wait"), false)
		r.WriteRawFrame(http2.FrameData, http2.FlagDataPadded, 1, bytes.Repeat([]byte{0xff}, 16384))
		r.frame(http2.FrameData, http2.FlagDataPadded, 1, "\x01")
	}, "GOAWAY PROTOCOL_ERROR"},
	{"padding that is longer than HEADERS", func(r *raw) { r.frame(http2.FrameHeaders, http2.FlagHeadersPadded, 1, "\x05x") }, "GOAWAY PROTOCOL_ERROR"},
	{"HEADERS that are shorter than their priority", func(r *raw) { r.frame(http2.FrameHeaders, http2.FlagHeadersPriority, 1, "1234") }, "GOAWAY FRAME_SIZE_ERROR"},
	{"DATA after the end of its stream", func(r *raw) {
		r.headers(1, r.request("/wait"), true)
		r.WriteData(1, false, []byte("x"))
	}, "RST_STREAM STREAM_CLOSED"},
	{"HEADERS after the end of their stream", func(r *raw) {
		r.headers(1, r.request("/wait"), true)
		r.headers(1, r.request("/wait"), true)
	}, "RST_STREAM STREAM_CLOSED"},
	{"a second header that does not end its stream", func(r *raw) {
		r.headers(1, r.request("/wait"), false)
		r.headers(1, r.fields("a", "b"), false)
	}, "RST_STREAM PROTOCOL_ERROR"},
	{"a name with an upper-case letter", func(r *raw) { r.headers(1, r.request("/echo", "X-a", "b"), true) }, "RST_STREAM PROTOCOL_ERROR"},
	{"a value with a line's end", func(r *raw) { r.headers(1, r.request("/echo", "a", "b\r\nc: d"), true) }, "RST_STREAM PROTOCOL_ERROR"},
	{"a field of HTTP/2's own after others", func(r *raw) { r.headers(1, r.request("/echo", ":path", "/b"), true) }, "RST_STREAM PROTOCOL_ERROR"},
	{"a field of HTTP/2's own that is not known", func(r *raw) { r.headers(1, r.fields(":method", "POST", ":what", "x"), true) }, "RST_STREAM PROTOCOL_ERROR"},
	{"a field of answers in a request", func(r *raw) { r.headers(1, r.fields(":status", "200"), true) }, "RST_STREAM PROTOCOL_ERROR"},
	{"a path that comes twice", func(r *raw) {
		r.headers(1, r.fields(":method", "POST", ":scheme", "http", ":path", "/a", ":path", "/b"), true)
	}, "RST_STREAM PROTOCOL_ERROR"},
	{"a request without a path", func(r *raw) { r.headers(1, r.fields(":method", "POST", ":scheme", "http"), true) }, "RST_STREAM PROTOCOL_ERROR"},
	{"a field of HTTP/1", func(r *raw) { r.headers(1, r.request("/echo", "connection", "close"), true) }, "RST_STREAM PROTOCOL_ERROR"},
	{"te other than trailers", func(r *raw) { r.headers(1, r.request("/echo", "te", "gzip"), true) }, "RST_STREAM PROTOCOL_ERROR"},
	{"a method other than POST", func(r *raw) {
		r.headers(1, r.fields(":method", "GET", ":scheme", "http", ":path", "/echo", "content-type", "application/grpc"), true)
	}, "status HTTP 405 13"},
	{"a content type that is not gRPC's", func(r *raw) {
		r.headers(1, r.fields(":method", "POST", ":scheme", "http", ":path", "/echo", "content-type", "text/html"), false)
	}, "status HTTP 415 13"},
	{"a timeout that is none", func(r *raw) { r.headers(1, r.request("/echo", "grpc-timeout", "soon"), false) }, "status HTTP 400 13"},
	{"a header that is too long", func(r *raw) { r.headers(1, r.request("/echo", "a", strings.Repeat("b", 9000)), true) }, "status HTTP 431 8"},
	{"a small header that means a large one", func(r *raw) {
		r.headers(1, append(r.request("/echo", "a", strings.Repeat("b", 3000)), bytes.Repeat([]byte{0x80 | firstDynamic}, 5000)...), true)
	}, "status HTTP 431 8"},
	{"a message that is too long", func(r *raw) {
		r.headers(1, r.request("/echo"), false)
		r.WriteData(1, false, []byte{0, 0xff, 0xff, 0xff, 0xff, 1, 2, 3})
	}, "status 8"},
	{"a prefix that is none", func(r *raw) {
		r.headers(1, r.request("/echo"), false)
		r.WriteData(1, false, []byte("hello, world"))
	}, "status 13"},
	{"a message that is cut", func(r *raw) {
		r.headers(1, r.request("/echo"), false)
		r.WriteData(1, true, message("whole")[:7])
	}, "status 13"},
	{"more DATA than the window", func(r *raw) {
		r.headers(1, r.request("/wait"), false)
		for range 5 {
			r.WriteData(1, false, make([]byte, 16384))
		}
	}, "RST_STREAM FLOW_CONTROL_ERROR"},
}

func TestAServerDoesWhatHTTP2SaysAboutFaultsOfClients(t *testing.T) {
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			r, _, _ := rawClient(t, Options{HeaderBytes: 8192, StreamWindow: 65535}, handleOrWait)
			fault.do(r)
			if got := r.outcome(1); got != fault.want {
				t.Fatalf("%s, and not %s", got, fault.want)
			}
			if strings.HasPrefix(fault.want, "GOAWAY") {
				if got := r.outcome(0); got != "closed" {
					t.Fatal(got)
				}
				return
			}
			// The connection goes on.
			r.call(9, "/echo", "again")
			if got := r.outcome(9); got != "status 0 again" {
				t.Fatal(got)
			}
		})
	}
}
