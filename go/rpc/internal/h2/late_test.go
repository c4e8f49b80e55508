package h2

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/net/http2"

	"hone/go/rpc/internal/grpcwire"
)

// These frames were on their way when a client reset their streams. There are more of them in all than frames without use may come.
func TestAnswersThatAreTooLongEndTheirCallsAlone(t *testing.T) {
	const calls, frames = 100, 500
	clock := newManual()
	r, client := rawServer(t, Options{MessageBytes: 1 << 10, Clock: clock})
	for range calls {
		done := begin(background, client, Bytes("ask"))
		id := r.nextCall().StreamID
		r.headers(id, r.fields(":status", "200", "content-type", "application/grpc"), false)
		r.WriteData(id, false, []byte{0, 0, 1, 0, 0})
		var why *Error
		if got := <-done; !errors.As(got.err, &why) || why.Code != grpcwire.ResourceExhausted {
			t.Fatal(got.err)
		}
		for range frames {
			r.WriteData(id, false, []byte("late"))
		}
		r.headers(id, r.fields("grpc-status", "0"), true)
	}
	done := begin(background, client, Bytes("ask"))
	r.answer(r.nextCall().StreamID, "x")
	if got := (<-done).say(); got != "answer x" {
		t.Fatal(got)
	}
}

func TestAFloodOnStreamsThatAreGoneEndsTheConnection(t *testing.T) {
	for name, flood := range map[string]func(r *raw, id uint32){
		"empty DATA": func(r *raw, id uint32) { r.WriteData(id, false, nil) },
		"trailers":   func(r *raw, id uint32) { r.headers(id, r.fields("grpc-status", "0"), true) },
		"resets":     func(r *raw, id uint32) { r.WriteRSTStream(id, 8) },
	} {
		t.Run(name, func(t *testing.T) {
			r, client := rawServer(t, Options{Clock: newManual()})
			done := begin(background, client, Bytes("ask"))
			id := r.nextCall().StreamID
			r.answer(id, "x")
			<-done
			for range idleFramesBurst + 100 {
				flood(r, id)
			}
			if got := r.outcome(0); got != "GOAWAY ENHANCE_YOUR_CALM" {
				t.Fatal(got)
			}
		})
	}
}

func TestATrailerOfAServerThatKeepsToNoLimitFailsItsCallAlone(t *testing.T) {
	r, client := rawServer(t, Options{})
	for _, bytes := range []int{100 << 10, 300 << 10, 3 << 20} {
		done := begin(background, client, Bytes("ask"))
		id := r.nextCall().StreamID
		r.headers(id, r.fields(":status", "200", "content-type", "application/grpc"), false)
		r.longHeaders(id, r.fields("grpc-status", "5", "long", strings.Repeat("x", bytes)))
		var why *Error
		if got := <-done; !errors.As(got.err, &why) || why.Code != grpcwire.ResourceExhausted {
			t.Fatal(bytes, got.err)
		}
	}
	done := begin(background, client, Bytes("ask"))
	r.answer(r.nextCall().StreamID, "x")
	if got := (<-done).say(); got != "answer x" {
		t.Fatal(got)
	}
}

// longHeaders sends a block of fields that needs several frames, and ends the stream.
func (r *raw) longHeaders(id uint32, block []byte) {
	first := min(len(block), frameBytes)
	r.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: block[:first], EndStream: true, EndHeaders: first == len(block)})
	for block = block[first:]; len(block) > 0; {
		part := min(len(block), frameBytes)
		r.WriteContinuation(id, part == len(block), block[:part])
		block = block[part:]
	}
}
