package h2

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/link"
)

// A window says what a client takes, but not that the client reads. A client that gives windows and reads nothing keeps a handler
// no longer than its connection lasts.
func TestHandlersEndWhenTheirClientStopsReading(t *testing.T) {
	answer := Bytes(strings.Repeat("x", 300_000))
	for name, respond := range map[string]func(s *Stream, handlers *sync.WaitGroup){
		"from the reader": func(s *Stream, _ *sync.WaitGroup) { s.RespondNow(background, &Response{Message: answer}) },
		"from goroutines": func(s *Stream, handlers *sync.WaitGroup) {
			handlers.Add(1)
			go func() {
				defer handlers.Done()
				s.Respond(background, &Response{Message: answer})
			}()
		},
		"message by message": func(s *Stream, handlers *sync.WaitGroup) {
			handlers.Add(1)
			go func() {
				defer handlers.Done()
				for s.SendMessage(background, answer, false) == nil {
				}
				s.Finish(background, grpcwire.Status{}, nil)
			}()
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := sockets(t, "unix")
			defer a.Close()
			var handlers sync.WaitGroup
			l := link.New(b, link.Options{WriteTimeout: 20 * time.Millisecond})
			server := NewServer(l, Options{}, func(s *Stream) { respond(s, &handlers) })
			served := make(chan error)
			go func() { served <- server.Serve() }()
			r := newRaw(t, a)
			r.conn.Write([]byte(preface))
			r.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: largestWindow})
			r.WriteWindowUpdate(0, largestWindow-initialWindow)
			for id := uint32(1); id < 200; id += 2 {
				r.headers(id, r.request("/x"), true)
			}
			if err := <-served; err == nil {
				t.Fatal("the connection ends in peace")
			}
			handlers.Wait()
			if server.Streams() != 0 {
				t.Fatal("streams are left")
			}
		})
	}
}

func TestASlowClientGetsAllThatADrainedServerHasAnswered(t *testing.T) {
	answer := strings.Repeat("x", 2<<20)
	r, server, served := rawClient(t, Options{LingerTimeout: time.Nanosecond}, func(s *Stream) {
		s.RespondNow(background, &Response{Message: Bytes(answer)})
	})
	r.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: largestWindow})
	r.WriteWindowUpdate(0, largestWindow-initialWindow)
	r.headers(1, r.request("/x"), true)
	// The header says that the call has been taken.
	for {
		if _, ok := r.read().(*http2.MetaHeadersFrame); ok {
			break
		}
	}
	server.Drain()
	got := 0
	for {
		f := r.read()
		if data, ok := f.(*http2.DataFrame); ok {
			got += len(data.Data())
		}
		if trailer, ok := f.(*http2.MetaHeadersFrame); ok && trailer.StreamEnded() {
			break
		}
	}
	if got != len(answer)+grpcwire.PrefixBytes {
		t.Fatal(got)
	}
	r.conn.Close()
	<-served
}

// A client whose callers all give up at once, again and again, has a slow service, and is no attacker.
func TestManyCallsThatAreGivenUpAtOnceDoNotEndTheConnection(t *testing.T) {
	p := connect(t, "unix", Options{}, handleOrWait)
	var all sync.WaitGroup
	for range 1000 {
		all.Add(1)
		go func() {
			defer all.Done()
			s, err := p.client.Open(background, method("/wait"))
			if err != nil {
				t.Error(err)
				return
			}
			s.Reset(Cancel)
			var why *Error
			if _, _, err := s.Receive(background); !errors.As(err, &why) || why.Code != grpcwire.Canceled {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	if got := (<-begin(background, p.client, Bytes("x"))).say(); got != "answer x" {
		t.Fatal(got)
	}
	if p.client.Streams() != 0 {
		t.Fatal("streams are left")
	}
}
