package h2

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"hone/go/rpc/internal/grpcwire"
)

// handleOrWait echoes, except for calls of /wait, which wait until they end.
func handleOrWait(s *Stream) {
	if s.Request.Path != "/wait" {
		handleEcho(s)
		return
	}
	go func() {
		<-s.Done()
		s.Reset(Cancel)
	}()
}

func TestAServerTakesWhatHTTP2Allows(t *testing.T) {
	for name, do := range map[string]func(r *raw){
		"frames that nobody knows":   func(r *raw) { r.frame(0xfa, 0xff, 0, "x"); r.frame(0xfb, 0xff, 77, "") },
		"settings that nobody knows": func(r *raw) { r.WriteSettings(http2.Setting{ID: 0xfafa, Val: 7}) },
		"priority":                   func(r *raw) { r.WritePriority(77, http2.PriorityParam{StreamDep: 3, Weight: 9}) },
		"a GOAWAY":                   func(r *raw) { r.WriteGoAway(0, http2.ErrCodeNo, []byte("bye")) },
		"an answer to no PING":       func(r *raw) { r.WritePing(true, [8]byte{1}) },
		"settings":                   func(r *raw) { r.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1 << 20}) },
		"no table": func(r *raw) {
			r.WriteSettings(http2.Setting{ID: http2.SettingHeaderTableSize, Val: 0})
			r.ReadMetaHeaders.SetMaxDynamicTableSize(0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, _, _ := rawClient(t, Options{}, handleOrWait)
			for id := uint32(1); id < 10; id += 2 {
				r.call(id, "/echo", "before")
				if got := r.outcome(id); got != "status 0 before" {
					t.Fatal(got)
				}
			}
			do(r)
			for id := uint32(11); id < 20; id += 2 {
				r.call(id, "/echo", "after")
				if got := r.outcome(id); got != "status 0 after" {
					t.Fatal(got)
				}
			}
		})
	}
}

func TestAServerReadsHeadersAndMessagesInAnyPieces(t *testing.T) {
	r, _, _ := rawClient(t, Options{}, handleOrWait)
	block := r.request("/echo", "a", strings.Repeat("b", 40))
	r.WriteHeaders(http2.HeadersFrameParam{
		StreamID: 1, BlockFragment: block[:7], PadLength: 9, Priority: http2.PriorityParam{StreamDep: 5, Weight: 1}})
	for i := 7; i < len(block); i += 11 {
		r.WriteContinuation(1, false, block[i:min(i+11, len(block))])
	}
	r.WriteContinuation(1, true, nil)
	for _, b := range message("in pieces") {
		r.WriteDataPadded(1, false, []byte{b}, make([]byte, b))
	}
	r.WriteData(1, true, nil)
	if got := r.outcome(1); got != "status 0 in pieces" {
		t.Fatal(got)
	}
	long := strings.Repeat("x", 60_000)
	r.headers(3, r.request("/echo"), false)
	wire := append([]byte{0, 0, 0, byte(len(long) >> 8), byte(len(long) & 0xff)}, long...)
	for len(wire) > 0 {
		n := min(16000, len(wire))
		r.WriteDataPadded(3, n == len(wire), wire[:n], make([]byte, 200))
		wire = wire[n:]
	}
	r.WriteWindowUpdate(0, 1<<20)
	if got := r.outcome(3); got != "status 0 "+long {
		t.Fatal(len(got))
	}
}

func TestAServerWaitsForTheClientsWindows(t *testing.T) {
	r, _, _ := rawClient(t, Options{}, handleOrWait)
	r.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 10})
	r.call(1, "/echo", "0123456789")
	read := func(want string) {
		t.Helper()
		for {
			if data, ok := r.read().(*http2.DataFrame); ok {
				if string(data.Data()) != want {
					t.Fatalf("%q", data.Data())
				}
				return
			}
		}
	}
	read("\x00\x00\x00\x00\x0a01234")
	// That call does not hold up another one.
	r.call(3, "/echo", "abc")
	if got := r.outcome(3); got != "status 0 abc" {
		t.Fatal(got)
	}
	r.WriteWindowUpdate(1, 2)
	read("56")
	// A window can shrink below 0.
	r.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
	r.WriteWindowUpdate(1, 10)
	r.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1})
	read("7")
	r.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1000})
	if got := r.outcome(1); got != "status 0" && !strings.HasPrefix(got, "status 0") {
		t.Fatal(got)
	}
}

func TestAStreamThatIsNotReadGetsNoMoreWindow(t *testing.T) {
	started := make(chan *Stream, 1)
	r, _, _ := rawClient(t, Options{StreamWindow: 100_000, ConnectionWindow: 100_000}, func(s *Stream) {
		if s.Request.Path == "/slow" {
			started <- s
			return
		}
		handleEcho(s)
	})
	r.headers(1, r.request("/slow"), false)
	body := message(strings.Repeat("s", 4995))
	for range 20 {
		r.WriteData(1, false, body)
	}
	// The connection's window has been given back, so that other streams can send.
	r.WriteWindowUpdate(0, 1<<20)
	for id := uint32(3); id < 40; id += 2 {
		r.call(id, "/echo", strings.Repeat("e", 6000))
		if got := r.outcome(id); !strings.HasPrefix(got, "status 0 eee") {
			t.Fatal(got)
		}
	}
	if r.given[1] || !r.given[0] {
		t.Fatal("streams with a new window:", r.given)
	}
	s := <-started
	for range 20 {
		if got, _, err := s.Receive(background); err != nil || len(got) != 4995 {
			t.Fatal(len(got), err)
		}
	}
	for {
		if update, ok := r.read().(*http2.WindowUpdateFrame); ok && update.StreamID == 1 {
			break
		}
	}
	s.Finish(background, grpcwire.Status{}, nil)
}

func TestAServerRefusesMoreStreamsThanItAllows(t *testing.T) {
	r, server, _ := rawClient(t, Options{Streams: 2}, handleOrWait)
	if r.initial[http2.SettingMaxConcurrentStreams] != 2 {
		t.Fatal(r.initial)
	}
	for id := uint32(1); id < 7; id += 2 {
		r.headers(id, r.request("/wait"), false)
	}
	if got := r.outcome(5); got != "RST_STREAM REFUSED_STREAM" {
		t.Fatal(got)
	}
	r.WriteRSTStream(1, http2.ErrCodeCancel)
	r.call(7, "/echo", "x")
	if got := r.outcome(7); got != "status 0 x" || server.Streams() != 1 {
		t.Fatal(got, server.Streams())
	}
}

func TestHandlersOfResetStreamsCountUntilTheyReturn(t *testing.T) {
	var running []*Stream
	r, _, _ := rawClient(t, Options{Streams: 3}, func(s *Stream) {
		if s.Request.Path == "/stubborn" {
			running = append(running, s)
			return
		}
		handleEcho(s)
	})
	id := uint32(1)
	for range handlersPerStream * 3 {
		r.headers(id, r.request("/stubborn"), false)
		r.WriteRSTStream(id, http2.ErrCodeCancel)
		id += 2
	}
	r.call(id, "/echo", "x")
	if got := r.outcome(id); got != "RST_STREAM REFUSED_STREAM" {
		t.Fatal(got)
	}
	for _, s := range running {
		if s.Finish(background, grpcwire.Status{}, nil) == nil {
			t.Fatal("an answer to a stream that was reset is sent")
		}
	}
	r.call(id+2, "/echo", "x")
	if got := r.outcome(id + 2); got != "status 0 x" {
		t.Fatal(got)
	}
}

func TestFloodsOfFramesEndTheConnection(t *testing.T) {
	for name, do := range map[string]func(r *raw, id uint32) error{
		"PING":            func(r *raw, _ uint32) error { return r.WritePing(true, [8]byte{}) },
		"SETTINGS":        func(r *raw, _ uint32) error { return r.WriteSettingsAck() },
		"empty DATA":      func(r *raw, _ uint32) error { return r.WriteData(1, false, nil) },
		"WINDOW_UPDATE":   func(r *raw, _ uint32) error { return r.WriteWindowUpdate(1, 1) },
		"PRIORITY":        func(r *raw, _ uint32) error { return r.WritePriority(1, http2.PriorityParam{StreamDep: 3}) },
		"unknown frames":  func(r *raw, _ uint32) error { return r.WriteRawFrame(0xfa, 0, 1, nil) },
		"a closed stream": func(r *raw, id uint32) error { return r.WriteRSTStream(3, http2.ErrCodeCancel) },
		"streams reset": func(r *raw, id uint32) error {
			r.headers(id, r.request("/wait"), false)
			return r.WriteRSTStream(id, 8)
		},
		"streams in error": func(r *raw, id uint32) error {
			r.headers(id, r.request("/wait"), false)
			return r.WriteWindowUpdate(id, 0)
		},
		"bad requests": func(r *raw, id uint32) error { r.headers(id, r.fields("a", "b"), true); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			r, _, _ := rawClient(t, Options{Clock: newManual()}, handleOrWait)
			r.headers(1, r.request("/wait"), false)
			r.headers(3, r.request("/wait"), false)
			r.WriteRSTStream(3, http2.ErrCodeCancel)
			go func() {
				for id := uint32(5); id < 5+2*3*resetsBurst; id += 2 {
					if do(r, id) != nil {
						return
					}
				}
			}()
			for {
				f, err := r.ReadFrame()
				if err != nil {
					t.Fatal(err)
				}
				if gone, ok := f.(*http2.GoAwayFrame); ok {
					if gone.ErrCode != http2.ErrCodeEnhanceYourCalm {
						t.Fatal(gone.ErrCode)
					}
					return
				}
			}
		})
	}
}

func TestAClientThatPingsWithoutReadingIsSentAway(t *testing.T) {
	clock := newManual()
	r, _, served := rawClient(t, Options{Clock: clock, Pings: Pings{Every: time.Nanosecond, WithoutStreams: true}}, handleOrWait)
	go func() {
		for {
			clock.advance(time.Second)
			for range 1000 {
				if r.WritePing(false, [8]byte{}) != nil {
					return
				}
			}
		}
	}()
	if err := <-served; err == nil {
		t.Fatal("nothing is said")
	}
}

func TestAClientThatPingsTooOftenIsSentAway(t *testing.T) {
	clock := newManual()
	r, _, _ := rawClient(t, Options{Clock: clock, Pings: Pings{Every: time.Minute}}, handleOrWait)
	ping := func() {
		t.Helper()
		r.WritePing(false, [8]byte{})
		for {
			if f, ok := r.read().(*http2.PingFrame); ok && f.IsAck() {
				return
			}
		}
	}
	r.headers(1, r.request("/wait"), false)
	for range 10 {
		clock.advance(time.Minute)
		ping()
	}
	for i := range 10 {
		// One PING after each answer measures the time, and is allowed.
		id := uint32(3 + 2*i)
		r.call(id, "/echo", "x")
		if got := r.outcome(id); got != "status 0 x" {
			t.Fatal(got)
		}
		ping()
	}
	for range 5 {
		r.WritePing(false, [8]byte{})
	}
	if got := r.outcome(1); got != "GOAWAY ENHANCE_YOUR_CALM" {
		t.Fatal(got)
	}
}

func TestADrainingServerAnswersWhatWasBegun(t *testing.T) {
	started := make(chan *Stream, 2)
	r, server, served := rawClient(t, Options{}, func(s *Stream) { started <- s })
	r.headers(1, r.request("/a"), true)
	first := <-started
	server.Drain()
	server.Drain()
	goAway := func() *http2.GoAwayFrame {
		t.Helper()
		f, ok := r.read().(*http2.GoAwayFrame)
		if !ok || f.ErrCode != http2.ErrCodeNo {
			t.Fatal(f)
		}
		return f
	}
	if last := goAway().LastStreamID; last != largestID {
		t.Fatal(last)
	}
	ping := r.read().(*http2.PingFrame)
	// A stream that was on the way is taken.
	r.headers(3, r.request("/b"), true)
	second := <-started
	r.WritePing(true, ping.Data)
	if last := goAway().LastStreamID; last != 3 {
		t.Fatal(last)
	}
	r.headers(5, r.request("/c"), true)
	for i, s := range []*Stream{first, second} {
		if err := s.Respond(background, &Response{Message: Bytes("x")}); err != nil {
			t.Fatal(err)
		}
		if got := r.outcome(uint32(1 + 2*i)); got != "status 0 x" {
			t.Fatal(got)
		}
	}
	if got := r.outcome(5); got != "closed" {
		t.Fatal(got)
	}
	r.conn.Close()
	if err := <-served; err != nil || len(started) > 0 {
		t.Fatal(err, len(started))
	}
}

func TestAServerClosesConnectionsThatDoNotBegin(t *testing.T) {
	for name, first := range map[string]string{
		"nothing": "", "half a preface": preface[:10], "no settings": preface, "half a frame": preface + "\x00\x00\x06\x04\x00",
	} {
		t.Run(name, func(t *testing.T) {
			clock := newManual()
			r, _, served := rawClientUnopened(t, Options{Clock: clock}, handleOrWait)
			r.conn.Write([]byte(first))
			for {
				// The server may not have set its timer yet.
				clock.advance(defaultHandshakeTimeout)
				select {
				case err := <-served:
					if err != ErrHandshake {
						t.Fatal(err)
					}
					return
				case <-time.After(time.Millisecond):
				}
			}
		})
	}
	for name, first := range map[string]string{
		"HTTP/1": "GET / HTTP/1.1\r\n\r\n", "TLS": "\x16\x03\x01\x02\x00", "almost a preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\rX",
	} {
		t.Run(name, func(t *testing.T) {
			r, _, served := rawClientUnopened(t, Options{}, handleOrWait)
			r.conn.Write([]byte(first))
			if err := <-served; err != ErrPreface {
				t.Fatal(err)
			}
		})
	}
	t.Run("another frame than SETTINGS", func(t *testing.T) {
		r, _, _ := rawClientUnopened(t, Options{}, handleOrWait)
		r.conn.Write([]byte(preface))
		r.WritePing(false, [8]byte{})
		if got := r.outcome(1); got != "GOAWAY PROTOCOL_ERROR" {
			t.Fatal(got)
		}
	})
}

func TestAServerFindsThatItsClientHasGone(t *testing.T) {
	clock := newManual()
	options := Options{Clock: clock, KeepAlive: KeepAlive{Every: time.Minute, Timeout: 10 * time.Second}}
	r, _, served := rawClient(t, options, handleOrWait)
	r.headers(1, r.request("/wait"), false)
	id := uint32(3)
	talk := func() {
		t.Helper()
		r.call(id, "/echo", "x")
		if got := r.outcome(id); got != "status 0 x" {
			t.Fatal(got)
		}
		id += 2
	}
	talk()
	clock.advance(time.Minute)
	clock.advance(time.Minute)
	r.WritePing(true, r.read().(*http2.PingFrame).Data)
	talk()
	// The answer is noticed, and nothing else comes.
	clock.advance(10 * time.Second)
	clock.advance(time.Minute)
	r.read()
	clock.advance(9 * time.Second)
	if len(served) > 0 {
		t.Fatal("the server does not wait for the answer")
	}
	clock.advance(time.Second)
	if err := <-served; err != ErrKeepAlive {
		t.Fatal(err)
	}
}

func TestBytesThatLieUnreadOnAConnectionAreBounded(t *testing.T) {
	r, _, _ := rawClient(t, Options{HeldBytes: 50_000}, handleOrWait)
	for id := uint32(1); id < 13; id += 2 {
		r.headers(id, r.request("/wait"), false)
		r.WriteData(id, false, message(strings.Repeat("x", 10_000)))
	}
	if got := r.outcome(9); got != "RST_STREAM ENHANCE_YOUR_CALM" {
		t.Fatal(got)
	}
	prefix := binary.BigEndian.AppendUint32([]byte{0}, 1<<20)
	for id := uint32(21); id < 27; id += 2 {
		r.headers(id, r.request("/echo"), false)
		r.WriteData(id, false, append(prefix, make([]byte, 10_000)...))
	}
	if got := r.outcome(21); got != "RST_STREAM ENHANCE_YOUR_CALM" {
		t.Fatal(got)
	}
}
