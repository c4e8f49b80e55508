package h2

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"hone/go/rpc/internal/grpcwire"
)

func TestARequestHasTheFieldsOfGRPC(t *testing.T) {
	r, client := rawServer(t, Options{})
	for range 3 {
		ctx, cancel := context.WithTimeout(background, time.Hour)
		done := begin(ctx, client, Bytes("ask"))
		call := r.nextCall()
		got := map[string]string{}
		for _, field := range call.Fields {
			got[field.Name] = field.Value
		}
		want := map[string]string{":method": "POST", ":scheme": "http", ":path": "/echo", ":authority": "test", "te": "trailers",
			"content-type": "application/grpc", "user-agent": "hone", "grpc-timeout": got["grpc-timeout"]}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatal(got)
		}
		if left, err := grpcwire.ParseTimeout(got["grpc-timeout"]); err != nil || left > time.Hour || left < 50*time.Minute {
			t.Fatal(got["grpc-timeout"], err)
		}
		data := r.read().(*http2.DataFrame)
		if string(data.Data()) != string(message("ask")) || !data.StreamEnded() {
			t.Fatal(data)
		}
		r.answer(call.StreamID, "x")
		if got := (<-done).say(); got != "answer x" {
			t.Fatal(got)
		}
		cancel()
	}
}

func TestMetadataAndTablesOfAnySizeAreWrittenSoThatPeersReadThem(t *testing.T) {
	r, client := rawServer(t, Options{})
	size := uint32(4096)
	for i := range 50 {
		// Each call has another method, so that the table is soon full.
		path := fmt.Sprintf("/service/%d%s", i%30, strings.Repeat("x", 100))
		value := strings.Repeat(fmt.Sprint(i), i*400)
		call := method(path)
		call.Metadata = []Field{{"x-trace", value}, {"authorization", "secret"}}
		done := make(chan error, 1)
		go func() {
			_, err := client.Call(background, call, Bytes(nil), false, &text{})
			done <- err
		}()
		got := r.nextCall()
		if got.PseudoValue("path") != path || len(got.RegularFields()) != 5 || got.RegularFields()[3].Value != value || !got.RegularFields()[4].Sensitive {
			t.Fatal(i, got)
		}
		r.answer(got.StreamID, "")
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if i%10 == 9 {
			size = (size*7 + 1) % 5000
			r.WriteSettings(http2.Setting{ID: http2.SettingHeaderTableSize, Val: size})
			for {
				if f, ok := r.read().(*http2.SettingsFrame); ok && f.IsAck() {
					break
				}
			}
			r.ReadMetaHeaders.SetAllowedMaxDynamicTableSize(size)
		}
	}
}

// failing is a message that cannot be written.
type failing struct {
	err  error
	size int
}

func (f failing) Size() int { return f.size }
func (f failing) AppendMessage(to []byte) ([]byte, error) {
	if f.err == nil {
		panic("a message panics")
	}
	return append(to, "half"...), f.err
}

func TestAMessageThatCannotBeWrittenFailsItsCallAlone(t *testing.T) {
	p := connect(t, "tcp", Options{}, handleEcho)
	broken := errors.New("broken")
	for i := range 20 {
		call := method(fmt.Sprint("/broken", i))
		_, err := p.client.Call(background, call, failing{broken, i % 2 * sendChunk}, false, &text{})
		if err != broken {
			t.Fatal(err)
		}
		_, err = p.client.Call(background, call, failing{nil, i % 2 * sendChunk}, false, &text{})
		if err == nil || !strings.Contains(err.Error(), "a message panics") {
			t.Fatal(err)
		}
		reply := text{}
		if _, err := p.client.Call(background, call, Bytes("whole"), false, &reply); err != nil || reply.got != "whole" {
			t.Fatal(reply, err)
		}
	}
	if p.client.Streams() != 0 {
		t.Fatal(p.client.Streams())
	}
}

func TestAServerCanAnswerAfterAMessageThatCannotBeWritten(t *testing.T) {
	p := connect(t, "tcp", Options{}, func(s *Stream) {
		go func() {
			if err := s.Respond(background, &Response{Message: failing{errors.New("broken"), 0}}); err != nil {
				s.Finish(background, grpcwire.Status{Code: grpcwire.Internal, Message: err.Error()}, nil)
			}
		}()
	})
	s, err := p.client.Call(background, method("/x"), Bytes("x"), false, &text{})
	if err != nil || s.Status().Message != "broken" {
		t.Fatal(err, s)
	}
}

func TestFieldsThatHTTP2DoesNotAllowAreRefused(t *testing.T) {
	p := connect(t, "tcp", Options{}, handleEcho)
	for _, field := range []Field{{"", "x"}, {"A", "x"}, {"a b", "x"}, {":path", "x"}, {"a", "b\nc"}, {"a", "\x00"}} {
		call := method("/echo")
		call.Metadata = []Field{field}
		if _, err := p.client.Call(background, call, Bytes("x"), false, &text{}); err == nil {
			t.Errorf("%q is sent", field)
		}
	}
	if got := (<-begin(background, p.client, Bytes("x"))).say(); got != "answer x" {
		t.Fatal(got)
	}
}

func TestAHeaderThatIsTooLongForThePeerIsRefused(t *testing.T) {
	_, client := rawServer(t, Options{}, http2.Setting{ID: http2.SettingMaxHeaderListSize, Val: 1000})
	call := method("/echo")
	call.Metadata = []Field{{"a", strings.Repeat("b", 1000)}}
	_, err := client.Call(background, call, Bytes("x"), false, &text{})
	if (result{err: err}).say() != "RESOURCE_EXHAUSTED" {
		t.Fatal(err)
	}
}

func TestCallsWaitForOthersWhenTheServerTakesOnlySoMany(t *testing.T) {
	r, client := rawServer(t, Options{}, http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 1})
	first := begin(background, client, Bytes("x"))
	if r.nextCall().StreamID != 1 {
		t.Fatal("another stream")
	}
	ctx, cancel := context.WithCancel(background)
	second := begin(ctx, client, Bytes("x"))
	cancel()
	if got := (<-second).say(); got != "CANCELLED, not processed" {
		t.Fatal(got)
	}
	third := begin(background, client, Bytes("x"))
	r.answer(1, "x")
	if got := (<-first).say(); got != "answer x" {
		t.Fatal(got)
	}
	if r.nextCall().StreamID != 3 {
		t.Fatal("another stream")
	}
	fourth := begin(background, client, Bytes("x"))
	r.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 2})
	if r.nextCall().StreamID != 5 {
		t.Fatal("another stream")
	}
	fifth := begin(background, client, Bytes("x"))
	r.WriteGoAway(3, http2.ErrCodeNo, nil)
	r.answer(3, "x")
	for want, done := range map[string]chan result{"answer x": third, "UNAVAILABLE, not processed": fourth} {
		if got := (<-done).say(); got != want {
			t.Fatal(got, want)
		}
	}
	if got := (<-fifth).say(); got != "UNAVAILABLE, not processed" {
		t.Fatal(got)
	}
	<-client.Ended()
	if client.Cause() != ErrDone {
		t.Fatal(client.Cause())
	}
}

func TestAClientWhoseIdsHaveRunOutWantsAnotherConnection(t *testing.T) {
	r, client := rawServer(t, Options{})
	client.nextID = largestID
	first := begin(background, client, Bytes("x"))
	if id := r.nextCall().StreamID; id != largestID {
		t.Fatal(id)
	}
	if got := (<-begin(background, client, Bytes("x"))).say(); got != "UNAVAILABLE, not processed" {
		t.Fatal(got)
	}
	<-client.Leaving()
	r.answer(largestID, "x")
	if got := (<-first).say(); got != "answer x" {
		t.Fatal(got)
	}
	<-client.Ended()
}

func TestADrainingClientFinishesItsCalls(t *testing.T) {
	r, client := rawServer(t, Options{})
	first := begin(background, client, Bytes("x"))
	r.nextCall()
	client.Drain()
	if got := (<-begin(background, client, Bytes("x"))).say(); got != "UNAVAILABLE, not processed" {
		t.Fatal(got)
	}
	r.answer(1, "x")
	if got := (<-first).say(); got != "answer x" {
		t.Fatal(got)
	}
	if got := r.outcome(77); got != "GOAWAY NO_ERROR" {
		t.Fatal(got)
	}
	if got := r.outcome(77); got != "closed" {
		t.Fatal(got)
	}
	r.conn.Close()
	<-client.Ended()
}

func TestAServerMayAnswerBeforeItHasReadTheRequest(t *testing.T) {
	r, client := rawServer(t, Options{})
	done := begin(background, client, Bytes(strings.Repeat("x", 1<<20)))
	id := r.nextCall().StreamID
	r.headers(id, r.fields(":status", "200", "content-type", "application/grpc", "grpc-status", "3"), true)
	if got := (<-done).say(); got != "status INVALID_ARGUMENT " {
		t.Fatal(got)
	}
	if got := r.outcome(id); got != "RST_STREAM NO_ERROR" {
		t.Fatal(got)
	}
	// The part of the connection's window that the stream had belongs to no stream now.
	r.WriteWindowUpdate(0, 1<<20)
	second := begin(background, client, Bytes("y"))
	r.answer(r.nextCall().StreamID, "z")
	if got := (<-second).say(); got != "answer z" {
		t.Fatal(got)
	}
}

func TestOtherProtocolsAreTold(t *testing.T) {
	for said, want := range map[string]error{"HTTP/1.1 400 Bad Request\r\n\r\n": ErrHTTP1, "\x15\x03\x03\x00\x02\x02\x46": ErrTLS} {
		r, client := rawServerUnopened(t, Options{})
		done := begin(background, client, Bytes("x"))
		io.WriteString(r.conn, said)
		got := <-done
		if !errors.Is(got.err, want) || got.say() != "UNAVAILABLE, not processed" {
			t.Fatal(got.err, got.say())
		}
	}
	clock := newManual()
	_, client := rawServerUnopened(t, Options{Clock: clock})
	done := begin(background, client, Bytes("x"))
	clock.advance(defaultHandshakeTimeout)
	if got := <-done; !errors.Is(got.err, ErrHandshake) || got.say() != "UNAVAILABLE, not processed" {
		t.Fatal(got.err)
	}
}

func TestACallThatTheServerDoesNotLetSendEndsWithItsContext(t *testing.T) {
	r, client := rawServer(t, Options{}, http2.Setting{ID: http2.SettingInitialWindowSize, Val: 100})
	ctx, cancel := context.WithCancel(background)
	s, err := client.Open(ctx, method("/stream"))
	if err != nil {
		t.Fatal(err)
	}
	sent := make(chan error)
	go func() { sent <- s.SendMessage(ctx, Bytes(strings.Repeat("x", 1000)), false) }()
	for {
		if data, ok := r.read().(*http2.DataFrame); ok {
			if len(data.Data()) != 100 {
				t.Fatal(len(data.Data()))
			}
			break
		}
	}
	cancel()
	if err := <-sent; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if got := r.outcome(1); got != "RST_STREAM CANCEL" {
		t.Fatal(got)
	}
	if _, _, err := s.Receive(background); (result{err: err}).say() != "CANCELLED" {
		t.Fatal(err)
	}
}

// slow is a reply that takes a long time.
type slow struct{ entered, leave chan struct{} }

func (r *slow) ReadMessage(*Stream, []byte, bool) error {
	close(r.entered)
	<-r.leave
	return nil
}

func TestACallThatIsGivenUpWaitsForItsReply(t *testing.T) {
	p := connect(t, "tcp", Options{}, handleEcho)
	reply := slow{make(chan struct{}), make(chan struct{})}
	ctx, cancel := context.WithCancel(background)
	done := make(chan error, 1)
	go func() {
		_, err := p.client.Call(ctx, method("/echo"), Bytes("x"), false, &reply)
		done <- err
	}()
	<-reply.entered
	cancel()
	select {
	case <-done:
		t.Fatal("the reply is still read")
	case <-time.After(10 * time.Millisecond):
	}
	close(reply.leave)
	<-done
}

func TestCallsEndWhenTheirConnectionDoes(t *testing.T) {
	eachNetwork(t, func(t *testing.T, network string) {
		p := connect(t, network, Options{}, func(s *Stream) {
			go func() {
				<-s.Done()
				s.Reset(Cancel)
			}()
		})
		var all sync.WaitGroup
		for range 100 {
			all.Add(1)
			go func() {
				defer all.Done()
				if got := (<-begin(background, p.client, Bytes("x"))).say(); !strings.HasPrefix(got, "UNAVAILABLE") {
					t.Error(got)
				}
			}()
		}
		p.server.Close(errors.New("no more"))
		all.Wait()
		<-p.served
		if p.server.Streams() != 0 || p.client.Streams() != 0 {
			t.Fatal("streams are left")
		}
	})
}

func TestHPACKOfManyTemplatesIsReadAsItWasWritten(t *testing.T) {
	e := newEncoder()
	var got []hpack.HeaderField
	decoder := hpack.NewDecoder(4096, func(f hpack.HeaderField) { got = append(got, f) })
	for i := range 1000 {
		template := NewTemplate(Field{":path", fmt.Sprint("/", i%77)}, Field{"te", "trailers"}, Field{"x", strings.Repeat("y", i%300)})
		e.begin()
		if i%5 == 0 {
			// A block that is not sent is not known to the peer.
			e.appendTemplate(nil, NewTemplate(Field{"lost", fmt.Sprint(i)}))
			e.begin()
		}
		if i%100 == 99 {
			e.resize(uint32(i * 5))
			e.begin()
		}
		block := e.appendTemplate(e.appendSize(nil), template)
		block = e.appendTemplate(block, template)
		e.commit()
		got = nil
		if _, err := decoder.Write(block); err != nil {
			t.Fatal(i, err)
		}
		decoder.Close()
		if len(got) != 6 || got[0].Value != template.fields[0].Value || got[5].Value != template.fields[2].Value {
			t.Fatal(i, got)
		}
	}
}

// due is a context that has a deadline but does not end by it.
type due struct {
	context.Context
	at time.Time
}

func (d due) Deadline() (time.Time, bool) { return d.at, true }

// Servers of grpc-go cancel a call whose time is over, and may notice that before the client does.
func TestACallThatItsServerCancelsAfterItsDeadlineHasExceededIt(t *testing.T) {
	r, client := rawServer(t, Options{})
	for left, want := range map[time.Duration]grpcwire.Code{0: grpcwire.DeadlineExceeded, time.Hour: grpcwire.Canceled} {
		s, err := client.Open(due{background, time.Now().Add(left)}, method("/wait"))
		if err != nil {
			t.Fatal(err)
		}
		r.WriteRSTStream(r.nextCall().StreamID, http2.ErrCodeCancel)
		var why *Error
		if _, _, err := s.Receive(background); !errors.As(err, &why) || why.Code != want {
			t.Errorf("%v before its deadline: %v", left, err)
		}
	}
}
