package h2

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"hone/go/rpc/internal/link"
)

// manual is a clock that goes on only when the test says so.
type manual struct {
	mu     sync.Mutex
	now    time.Time
	timers []*manualTimer
}

type manualTimer struct {
	clock *manual
	at    time.Time
	call  func()
	isSet bool
}

func newManual() *manual { return &manual{now: time.Unix(1e9, 0)} }

func (c *manual) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *manual) AfterFunc(after time.Duration, call func()) Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &manualTimer{c, c.now.Add(after), call, true}
	c.timers = append(c.timers, t)
	return t
}

func (t *manualTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	was := t.isSet
	t.isSet = false
	return was
}

func (t *manualTimer) Reset(after time.Duration) bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	was := t.isSet
	t.at, t.isSet = t.clock.now.Add(after), true
	return was
}

// advance lets time go by, and makes the calls that are due by then.
func (c *manual) advance(by time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(by)
	var due []func()
	for _, t := range c.timers {
		if t.isSet && !t.at.After(c.now) {
			t.isSet = false
			due = append(due, t.call)
		}
	}
	c.mu.Unlock()
	for _, call := range due {
		call()
	}
}

// raw is a peer that sends and reads frames with golang.org/x/net.
type raw struct {
	t    testing.TB
	conn net.Conn
	*http2.Framer
	block   bytes.Buffer
	encoder *hpack.Encoder
	// initial are the first settings of the other side.
	initial map[http2.SettingID]uint32
	// given are the streams whose window has grown, as outcome has seen.
	given map[uint32]bool
}

func newRaw(t testing.TB, conn net.Conn) *raw {
	r := &raw{t: t, conn: conn, Framer: http2.NewFramer(conn, conn), initial: map[http2.SettingID]uint32{}, given: map[uint32]bool{}}
	r.AllowIllegalWrites = true
	r.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	r.encoder = hpack.NewEncoder(&r.block)
	conn.SetReadDeadline(time.Now().Add(4 * time.Minute))
	return r
}

// rawClient is a raw client of a server of this package, with the settings exchanged.
func rawClient(t testing.TB, options Options, handle func(*Stream)) (*raw, *Server, chan error) {
	t.Helper()
	r, server, served := rawClientUnopened(t, options, handle)
	io.WriteString(r.conn, preface)
	r.WriteSettings()
	r.open()
	return r, server, served
}

func rawClientUnopened(t testing.TB, options Options, handle func(*Stream)) (*raw, *Server, chan error) {
	t.Helper()
	a, b := sockets(t, "tcp")
	l := link.New(b, link.Options{})
	server, served := NewServer(l, options, handle), make(chan error, 1)
	go func() { served <- server.Serve() }()
	t.Cleanup(func() {
		a.Close()
		l.Close(errors.New("the test is over"))
	})
	return newRaw(t, a), server, served
}

// rawServer is a raw server of a client of this package, with the settings exchanged.
func rawServer(t testing.TB, options Options, settings ...http2.Setting) (*raw, *Client) {
	t.Helper()
	r, client := rawServerUnopened(t, options)
	if err := readPreface(r.conn); err != nil {
		t.Fatal(err)
	}
	r.WriteSettings(settings...)
	r.open()
	return r, client
}

func rawServerUnopened(t testing.TB, options Options) (*raw, *Client) {
	t.Helper()
	a, b := sockets(t, "tcp")
	l := link.New(a, link.Options{})
	client := NewClient(l, options)
	t.Cleanup(func() {
		b.Close()
		l.Close(errors.New("the test is over"))
		<-client.Ended()
	})
	return newRaw(t, b), client
}

func readPreface(conn net.Conn) error {
	first := make([]byte, len(preface))
	_, err := io.ReadFull(conn, first)
	if err == nil && string(first) != preface {
		err = fmt.Errorf("the preface is %q", first)
	}
	return err
}

// open reads the settings of the other side and acknowledges them.
func (r *raw) open() {
	r.t.Helper()
	settings, ok := r.read().(*http2.SettingsFrame)
	if !ok {
		r.t.Fatal("the first frame is not SETTINGS")
	}
	settings.ForeachSetting(func(s http2.Setting) error {
		r.initial[s.ID] = s.Val
		return nil
	})
	r.WriteSettingsAck()
	for {
		if ack, ok := r.read().(*http2.SettingsFrame); ok && ack.IsAck() {
			return
		}
	}
}

// read reads a frame, which must come.
func (r *raw) read() http2.Frame {
	r.t.Helper()
	f, err := r.ReadFrame()
	if err != nil {
		r.t.Fatal(err)
	}
	return f
}

// fields encodes fields. They are given as names and values in turn.
func (r *raw) fields(pairs ...string) []byte {
	r.block.Reset()
	for i := 0; i < len(pairs); i += 2 {
		r.encoder.WriteField(hpack.HeaderField{Name: pairs[i], Value: pairs[i+1]})
	}
	return bytes.Clone(r.block.Bytes())
}

// request encodes the fields of a request, and more fields.
func (r *raw) request(path string, more ...string) []byte {
	return r.fields(append([]string{
		":method", "POST", ":scheme", "http", ":path", path, ":authority", "test", "content-type", "application/grpc", "te", "trailers",
	}, more...)...)
}

// headers sends HEADERS in one frame.
func (r *raw) headers(id uint32, block []byte, isEnd bool) {
	r.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: block, EndStream: isEnd, EndHeaders: true})
}

// message returns a message with its prefix.
func message(text string) []byte {
	return append([]byte{0, 0, 0, byte(len(text) >> 8), byte(len(text))}, text...)
}

// call sends a whole call.
func (r *raw) call(id uint32, path, text string) {
	r.headers(id, r.request(path), false)
	r.WriteData(id, true, message(text))
}

// outcome reads until a stream or the connection ends, and says how.
func (r *raw) outcome(id uint32) string {
	r.t.Helper()
	data, status := "", ""
	for {
		f, err := r.ReadFrame()
		if err == io.EOF || errors.Is(err, net.ErrClosed) {
			return "closed"
		}
		if err != nil {
			r.t.Fatal(err)
		}
		switch f := f.(type) {
		case *http2.GoAwayFrame:
			return "GOAWAY " + f.ErrCode.String()
		case *http2.WindowUpdateFrame:
			r.given[f.StreamID] = true
		case *http2.RSTStreamFrame:
			if f.StreamID == id {
				return "RST_STREAM " + f.ErrCode.String()
			}
		case *http2.DataFrame:
			if f.StreamID == id {
				data += string(f.Data())
			}
		case *http2.MetaHeadersFrame:
			if f.StreamID != id {
				continue
			}
			for _, field := range f.Fields {
				if field.Name == ":status" && field.Value != "200" {
					status += "HTTP " + field.Value + " "
				}
				if field.Name == "grpc-status" {
					status += field.Value
				}
			}
			if f.StreamEnded() {
				if len(data) >= 5 {
					data = " " + data[5:]
				}
				return "status " + status + data
			}
		}
	}
}

// answer answers a stream of this package's client with a message.
func (r *raw) answer(id uint32, text string) {
	r.headers(id, r.fields(":status", "200", "content-type", "application/grpc"), false)
	r.WriteData(id, false, message(text))
	r.headers(id, r.fields("grpc-status", "0"), true)
}

// nextCall reads until the header of a call has come, and returns it.
func (r *raw) nextCall() *http2.MetaHeadersFrame {
	r.t.Helper()
	for {
		if f, ok := r.read().(*http2.MetaHeadersFrame); ok {
			return f
		}
	}
}
