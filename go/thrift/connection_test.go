package thrift_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"hone/go/internal/sample/shop/api"
	"hone/go/thrift"
)

// message gives the bytes of a message on the wire.
func message(wire thrift.Wire, header thrift.Header, body thrift.Writer) []byte {
	written := thrift.Binary{}.AppendMessage(nil, header, body)
	if wire.Framed {
		return append(binary.BigEndian.AppendUint32(nil, uint32(len(written))), written...)
	}
	return written
}

// answerOf reads an answer by itself, without a client.
func answerOf(t *testing.T, stream *bufio.Reader, isFramed bool, into thrift.Reader) thrift.Header {
	t.Helper()
	if isFramed {
		if _, err := io.ReadFull(stream, make([]byte, 4)); err != nil {
			t.Fatal(err)
		}
	}
	var read []byte
	for {
		b, err := stream.ReadByte()
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, b)
		if header, off, err := (thrift.Binary{}).ReadHeader(read); err == nil {
			if _, err := thrift.UnmarshalPrefix(read[off:], into); err == nil {
				return header
			}
		}
	}
}

func TestMessagesInSingleBytesAndManyAtOnce(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		stream := s.dial(t)
		incoming := bufio.NewReader(stream)
		var many []byte
		for i := range int32(50) {
			args := &api.ShopOrderArgs{Order: &api.Order{Items: make([]int64, i), History: map[api.State]int32{1: 2}}, Limit: 100}
			many = append(many, message(s.wire, thrift.Header{Method: "order", Type: thrift.Call, Sequence: i}, args)...)
		}
		check := func() {
			t.Helper()
			for i := range int32(50) {
				var result api.ShopOrderResult
				header := answerOf(t, incoming, s.wire.Framed, &result)
				if header.Sequence != i || header.Type != thrift.Reply || result.Success == nil || *result.Success != int64(i) {
					t.Fatal(i, header, result.Success)
				}
			}
		}
		if _, err := stream.Write(many); err != nil {
			t.Fatal(err)
		}
		check()
		for i := range many {
			if _, err := stream.Write(many[i : i+1]); err != nil {
				t.Fatal(err)
			}
		}
		check()
	})
}

// An old client begins its messages with the length of the function's name.
func TestAMessageWithoutAVersionIsAnswered(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		stream := s.dial(t)
		old := []byte("\x00\x00\x00\x05alive\x01\x00\x00\x00\x07\x00")
		if s.wire.Framed {
			old = append([]byte{0, 0, 0, byte(len(old))}, old...)
		}
		for i := range old {
			if _, err := stream.Write(old[i : i+1]); err != nil {
				t.Fatal(err)
			}
		}
		var result thrift.ApplicationException
		if header := answerOf(t, bufio.NewReader(stream), s.wire.Framed, &result); header.Sequence != 7 || header.Type != thrift.Reply {
			t.Fatal(header, result)
		}
	})
}

func TestAMessageThatIsNoCallIsRefused(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		stream := s.dial(t)
		stream.Write(message(s.wire, thrift.Header{Method: "alive", Type: thrift.Reply, Sequence: 3}, &api.Empty{}))
		var exception thrift.ApplicationException
		header := answerOf(t, bufio.NewReader(stream), s.wire.Framed, &exception)
		if header.Type != thrift.Exception || header.Sequence != 3 || exception.Type != thrift.InvalidMessageType {
			t.Fatal(header, exception)
		}
	})
}

// hostile are bytes that no message begins with, and the error that the server gives for them.
var hostile = []struct {
	name, bytes string
	isFramed    bool
	cause       error
}{
	{"http", "GET / HTTP/1.1\r\n\r\n", false, thrift.WrongVersion},
	{"garbage", "\xff\xff\xff\xff\xff\xff\xff\xff", false, thrift.WrongVersion},
	{"negative name", "\x80\x01\x00\x01\xff\xff\xff\xff", false, thrift.Negative},
	{"unknown type", "\x80\x01\x00\x01\x00\x00\x00\x01a\x00\x00\x00\x01\x7f\x00\x01\x00", false, thrift.UnknownType},
	{"unknown type of elements", "\x80\x01\x00\x01\x00\x00\x00\x01a\x00\x00\x00\x01\x0f\x00\x01\x7f\x00\x00\x00\x01", false, thrift.UnknownType},
	{"negative count", "\x80\x01\x00\x01\x00\x00\x00\x01a\x00\x00\x00\x01\x0f\x00\x01\x0b\xff\x00\x00\x01", false, thrift.Negative},
	{"negative length", "\x80\x01\x00\x01\x00\x00\x00\x01a\x00\x00\x00\x01\x0b\x00\x01\xff\x00\x00\x01", false, thrift.Negative},
	{"deep", "\x80\x01\x00\x01\x00\x00\x00\x01a\x00\x00\x00\x01" + strings.Repeat("\x0c\x00\x01", 2000), false, thrift.TooDeep},
	{"garbage in a frame", "\x00\x00\x00\x08\xff\xff\xff\xff\xff\xff\xff\xff", true, thrift.WrongVersion},
	{"an empty frame", "\x00\x00\x00\x00", true, thrift.Truncated},
	{"a frame too large", "\x7f\xff\xff\xff", true, nil},
	{"a frame of a negative length", "\xff\xff\xff\xff", true, nil},
}

func TestBytesThatAreNoMessageEndTheConnection(t *testing.T) {
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			s := serve(t, "tcp", thrift.Wire{Framed: h.isFramed})
			stream := s.dial(t)
			stream.Write([]byte(h.bytes))
			// The server closes the connection without an answer.
			if left, err := io.ReadAll(stream); len(left) > 0 {
				t.Fatalf("%q, %v", left, err)
			}
			err := <-s.failed
			var tooLong *thrift.TooLongError
			if h.cause != nil && !errors.Is(err, h.cause) || h.cause == nil && (!errors.As(err, &tooLong) || tooLong.Bytes < 0) {
				t.Fatal(err)
			}
		})
	}
}

func TestAConnectionThatEndsInAMessage(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		whole := message(s.wire, thrift.Header{Method: "find", Type: thrift.Call, Sequence: 1}, &api.ShopFindArgs{ID: 5})
		stream := s.dial(t)
		stream.Write(whole[:len(whole)-1])
		stream.Close()
		if err := <-s.failed; !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatal(err)
		}
	})
}

func TestMessagesLongerThanAllowed(t *testing.T) {
	for _, isFramed := range []bool{true, false} {
		wire := thrift.Wire{Framed: isFramed, MessageBytes: 2000}
		s := serve(t, "tcp", wire)
		client, _ := s.client(t)
		if _, err := client.Find(background, 3000, nil); typeOf(err) != thrift.InternalError || !strings.Contains(err.Error(), "2000") {
			t.Fatal("an answer that is too long:", err)
		}
		var tooLong *thrift.TooLongError
		if _, err := client.Order(background, &api.Order{Items: make([]int64, 1000)}, 1); !errors.As(err, &tooLong) {
			t.Fatal("a call that is too long:", err)
		}
		if alive, err := client.Alive(background); !alive || err != nil {
			t.Fatal("nothing was sent, so that the connection is whole:", alive, err)
		}
		s.wire.MessageBytes = 0
		client, _ = s.client(t)
		if _, err := client.Order(background, &api.Order{Items: make([]int64, 1000)}, 1); err == nil {
			t.Fatal("a call that is too long for the other side was answered")
		}
		if err := <-s.failed; !errors.As(err, &tooLong) || tooLong.Limit != 2000 {
			t.Fatal(err)
		}
	}
}

func TestAContextThatEndsBreaksTheCall(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		client, caller := s.client(t)
		ctx, cancel := context.WithCancel(background)
		go func() {
			<-s.entered
			cancel()
		}()
		if err := client.Nothing(ctx); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if err := client.Nothing(background); !errors.Is(err, thrift.ErrBroken) || !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if err := caller.Close(); err != nil {
			t.Fatal(err)
		}
		client, _ = s.client(t)
		if err := client.Nothing(ctx); !errors.Is(err, context.Canceled) {
			t.Fatal("a context that has ended:", err)
		}
		ctx, cancel = context.WithDeadline(background, time.Now().Add(20*time.Millisecond))
		defer cancel()
		if err := client.Nothing(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
	})
}

func TestACallThatWaitsForAnotherHeedsItsContext(t *testing.T) {
	s := serve(t, "tcp", thrift.Wire{})
	client, _ := s.client(t)
	first := make(chan error)
	go func() { first <- client.Nothing(background) }()
	<-s.entered
	ctx, cancel := context.WithCancel(background)
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := client.Alive(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	close(s.release)
	if err := <-first; err != nil {
		t.Fatal("the call that was there first:", err)
	}
	if alive, err := client.Alive(background); !alive || err != nil {
		t.Fatal(alive, err)
	}
}

// Which comes first, the answer or the end of the context, differs from turn to turn; the client must report the right one.
func TestAContextThatEndsWithTheAnswerBreaksNothing(t *testing.T) {
	s := serve(t, "tcp", thrift.Wire{})
	client, _ := s.client(t)
	for range 200 {
		ctx, cancel := context.WithCancel(background)
		go cancel()
		_, err := client.Alive(ctx)
		switch {
		case errors.Is(err, context.Canceled) && !errors.Is(err, thrift.ErrBroken):
			client, _ = s.client(t)
		case err != nil:
			t.Fatal(err)
		default:
			if alive, err := client.Alive(background); !alive || err != nil {
				t.Fatal("a deadline of the call before was left:", alive, err)
			}
		}
	}
}

func TestAServerThatClosesInMidCall(t *testing.T) {
	eachPeer(t, func(stream net.Conn, _ thrift.Wire, _ thrift.Header) { stream.Close() }, func(err error) {
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Error(err)
		}
	})
	eachPeer(t, func(stream net.Conn, wire thrift.Wire, header thrift.Header) {
		header.Type = thrift.Reply
		whole := message(wire, header, &api.ShopFindResult{Success: &api.Item{}})
		stream.Write(whole[:len(whole)/2])
		stream.Close()
	}, func(err error) {
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Error(err)
		}
	})
}

func TestAnswersThatAreNone(t *testing.T) {
	for _, wrong := range []struct {
		change func(*thrift.Header)
		want   thrift.ExceptionType
	}{
		{func(h *thrift.Header) { h.Sequence++ }, thrift.BadSequenceID},
		{func(h *thrift.Header) { h.Method = "lose" }, thrift.WrongMethodName},
		{func(h *thrift.Header) { h.Type = thrift.Call }, thrift.InvalidMessageType},
		{func(h *thrift.Header) { h.Type = 77 }, thrift.InvalidMessageType},
	} {
		eachPeer(t, func(stream net.Conn, wire thrift.Wire, header thrift.Header) {
			header.Type = thrift.Reply
			wrong.change(&header)
			stream.Write(message(wire, header, &api.ShopFindResult{Success: &api.Item{}}))
		}, func(err error) {
			if typeOf(err) != wrong.want {
				t.Error(err)
			}
		})
	}
	eachPeer(t, func(stream net.Conn, wire thrift.Wire, header thrift.Header) {
		header.Type = thrift.Reply
		stream.Write(message(wire, header, &api.ShopFindArgs{}))
		stream.Close()
	}, func(err error) {
		if typeOf(err) != thrift.MissingResultOfCall {
			t.Error(err)
		}
	})
	eachPeer(t, func(stream net.Conn, wire thrift.Wire, header thrift.Header) {
		header.Type = thrift.Reply
		answer := message(wire, header, &api.ShopFindResult{Success: &api.Item{}})
		answer[len(answer)-len(thrift.Marshal(&api.Item{}))] = 8 // the id is an i32 now, so that the item lacks its id
		stream.Write(answer)
		stream.Close()
	}, func(err error) {
		if err == nil {
			t.Error("a result that cannot be read was given")
		}
	})
}

// eachPeer calls a function of a server that answers by the given function.
func eachPeer(t *testing.T, answer func(net.Conn, thrift.Wire, thrift.Header), check func(error)) {
	t.Helper()
	for _, isFramed := range []bool{true, false} {
		wire := thrift.Wire{Framed: isFramed}
		here, there := net.Pipe()
		go func() {
			first := make([]byte, 1<<10)
			n, _ := there.Read(first)
			if isFramed {
				first, n = first[4:], n-4
			}
			header, _, err := thrift.Binary{}.ReadHeader(first[:n])
			if err != nil {
				t.Error(err)
			}
			answer(there, wire, header)
		}()
		_, err := api.NewShopClient(thrift.NewClient(here, wire)).Find(background, 1, nil)
		check(err)
		here.Close()
		there.Close()
	}
}
