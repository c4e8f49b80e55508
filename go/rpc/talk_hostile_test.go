package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"hone/go/internal/sample/talk"
	"hone/go/rpc"
	"hone/go/rpc/internal/link"
	"hone/go/rpc/internal/thriftwire"
	"hone/go/thrift"
)

// frameOf returns a frame of stream 1 of Talk.chat.
func frameOf(kind thriftwire.FrameKind, body thrift.Writer) *thriftwire.StreamFrame {
	frame := &thriftwire.StreamFrame{Kind: kind, Sequence: 1, Method: "chat", Body: body, MessageBytes: 32 << 20}
	if kind == thriftwire.HeaderFrame {
		frame.Named = []thriftwire.Named{{Name: thriftwire.ServiceName, Value: "Talk"}, {Name: thriftwire.Transient + "a", Value: "b"}}
		frame.Numbered = []thriftwire.Numbered{{Key: thriftwire.RPCTimeout, Value: "60000"}}
	}
	return frame
}

// bytesOf returns the bytes of frames.
func bytesOf(frames ...*thriftwire.StreamFrame) []byte {
	sent, err := thriftwire.StreamFrames(frames).AppendFrame(nil)
	if err != nil {
		panic(err)
	}
	return sent
}

// wrong is a struct that cannot be decoded as Words: its text is cut short.
type wrong struct{}

func (wrong) WriteThrift(b []byte, off int) int { return thrift.PutI32Element(b, off, 0x0b0001ff) }

// rawStreams reads and writes frames of streams.
type rawStreams struct {
	*link.Link
	reader thriftwire.Reader
}

func newRawStreams(conn net.Conn) *rawStreams {
	l := link.New(conn, link.Options{})
	form := thriftwire.Form{Carrier: thriftwire.TTHeader}
	return &rawStreams{l, thriftwire.Reader{Link: l, Form: form, MessageBytes: 32 << 20, Protocols: thriftwire.NewProtocols(thrift.Options{})}}
}

func (r *rawStreams) send(t *testing.T, frames ...*thriftwire.StreamFrame) {
	t.Helper()
	if err := r.Send(background, thriftwire.StreamFrames(frames)); err != nil {
		t.Fatal(err)
	}
}

// next returns the kind and the bytes of the next frame; 0 if the connection has ended.
func (r *rawStreams) next(t *testing.T) (thriftwire.FrameKind, string) {
	t.Helper()
	var message thriftwire.Message
	if err := r.reader.Next(&message); err != nil {
		return 0, ""
	}
	kind, _, err := message.Frame()
	if err != nil {
		t.Fatal(err)
	}
	return kind, string(message.Bytes)
}

func TestAServerBearsFramesOfStreamsThatAreOutOfPlace(t *testing.T) {
	const header, data, trailer, reset = thriftwire.HeaderFrame, thriftwire.DataFrame, thriftwire.TrailerFrame, thriftwire.ResetFrame
	words := &talk.Words{Text: "hello", Times: 1}
	answer := bytesOf(frameOf(data, words))
	for name, one := range map[string]struct {
		sent []byte
		// want has the kinds of the frames that come back, and text is a part of the last of them. If ends is true, the connection ends after them.
		want []thriftwire.FrameKind
		text string
		ends bool
	}{
		"frames of a stream that is not there": {bytesOf(frameOf(data, words), frameOf(trailer, nil), frameOf(reset, nil)), nil, "", false},
		"a frame of the connection's":          {bytesOf(frameOf(thriftwire.MetaFrame, nil)), nil, "", false},
		"a stream that is opened twice":        {bytesOf(frameOf(header, nil), frameOf(header, nil)), nil, "", true},
		"a frame of no kind":                   {bytes.Replace(answer, []byte{0, 27, 0, 1, '3'}, []byte{0, 27, 0, 1, '9'}, 1), nil, "", true},
		"a message that is none": {bytesOf(frameOf(header, nil), frameOf(data, wrong{})),
			[]thriftwire.FrameKind{header, trailer}, "cannot be read", false},
		"no message": {bytesOf(frameOf(header, nil), frameOf(data, nil)), []thriftwire.FrameKind{header, trailer}, "cannot be read", false},
		"messages behind the last": {bytesOf(frameOf(header, nil), frameOf(trailer, nil), frameOf(data, words)),
			[]thriftwire.FrameKind{header, trailer}, "", false},
		"a trailer with what is no exception": {bytesOf(frameOf(header, nil), frameOf(trailer, words)), []thriftwire.FrameKind{header, trailer}, "", false},
		"a reset with what is no exception":   {bytesOf(frameOf(header, nil), frameOf(reset, words)), nil, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, _ := setTalk(t, "tcp")
			raw := newRawStreams(dial(t, s.address))
			if _, err := raw.Conn.Write(one.sent); err != nil {
				t.Fatal(err)
			}
			var text string
			for _, want := range one.want {
				var got thriftwire.FrameKind
				if got, text = raw.next(t); got != want {
					t.Fatalf("a frame of kind %d, not %d", got, want)
				}
			}
			if !strings.Contains(text, one.text) {
				t.Errorf("%q", text)
			}
			if one.ends {
				for kind := header; kind != 0; {
					kind, _ = raw.next(t)
				}
				return
			}
			// The connection still works as before.
			again := []*thriftwire.StreamFrame{frameOf(header, nil), frameOf(data, words), frameOf(trailer, nil)}
			for _, frame := range again {
				frame.Sequence = 2
			}
			raw.send(t, again...)
			for _, want := range []thriftwire.FrameKind{header, data, trailer} {
				if got, _ := raw.next(t); got != want {
					t.Fatalf("a frame of kind %d, not %d", got, want)
				}
			}
		})
	}
}

func TestAThousandResetsOfStreamsOfThriftLeaveNothingBehind(t *testing.T) {
	before := takeStock()
	s, talker, _ := setTalk(t, "tcp")
	raw := newRawStreams(dial(t, s.address))
	for n := range int32(1000) {
		frames := []*thriftwire.StreamFrame{frameOf(thriftwire.HeaderFrame, nil), frameOf(thriftwire.DataFrame, &talk.Words{Text: "wait"}),
			frameOf(thriftwire.ResetFrame, nil)}
		for _, frame := range frames {
			frame.Sequence = n
		}
		raw.send(t, frames...)
	}
	// An answer to this last stream shows that the server has read all frames.
	raw.send(t, frameOf(thriftwire.HeaderFrame, nil), frameOf(thriftwire.TrailerFrame, nil))
	for kind := thriftwire.HeaderFrame; kind != thriftwire.TrailerFrame; {
		if kind, _ = raw.next(t); kind == 0 {
			t.Fatal("the connection has ended")
		}
	}
	raw.Close(link.ErrClosed)
	s.end()
	for len(talker.ended) > 0 {
		if err := <-talker.ended; rpc.CodeOf(err) != rpc.Canceled {
			t.Error(err)
		}
	}
	before.expectReturned(t)
}

func TestStreamsOfBadServersOfThriftEnd(t *testing.T) {
	const header, data, trailer, reset = thriftwire.HeaderFrame, thriftwire.DataFrame, thriftwire.TrailerFrame, thriftwire.ResetFrame
	words := &talk.Words{Text: "hello"}
	for name, one := range map[string]struct {
		sent []byte
		// want is the code that the stream ends with.
		want rpc.Code
	}{
		"a trailer at once":                   {bytesOf(frameOf(trailer, nil)), rpc.OK},
		"two headers":                         {bytesOf(frameOf(header, nil), frameOf(header, nil), frameOf(trailer, nil)), rpc.OK},
		"a trailer with what is no exception": {bytesOf(frameOf(header, nil), frameOf(trailer, words)), rpc.Unavailable},
		"a reset without a reason":            {bytesOf(frameOf(header, nil), frameOf(reset, nil)), rpc.Canceled},
		"a reset with what is no exception":   {bytesOf(frameOf(reset, words)), rpc.Canceled},
		"a message that is none":              {bytesOf(frameOf(header, nil), frameOf(data, wrong{})), rpc.Internal},
		"no message":                          {bytesOf(frameOf(header, nil), frameOf(data, nil)), rpc.Internal},
		"another stream's frames":             {bytes.Repeat(bytes.Replace(bytesOf(frameOf(trailer, nil)), []byte{0, 0, 0, 1}, []byte{0, 0, 0, 9}, 1), 3), rpc.Unavailable},
		"what is no frame":                    {[]byte("HTTP/1.1 200 OK\r\n\r\n"), rpc.Unavailable},
		"nothing":                             {nil, rpc.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			before := takeStock()
			address, end := serveBadly(t, "tcp", func(conn net.Conn, _ <-chan struct{}) {
				raw := newRawStreams(conn)
				// Both frames of the request are read before the answer is sent.
				raw.next(t)
				raw.next(t)
				conn.Write(one.sent)
				conn.(*net.TCPConn).CloseWrite()
				io.Copy(io.Discard, conn)
			})
			client := rpc.Dial(address)
			chat, err := talk.NewTalkClient(client).Chat(within(t, testPatience))
			if err != nil {
				t.Fatal(err)
			}
			if err := chat.Send(words); err != nil {
				t.Fatal(err)
			}
			for err == nil {
				_, err = chat.Recv()
			}
			if err == io.EOF {
				err = nil
			}
			if rpc.CodeOf(err) != one.want {
				t.Error(err)
			}
			// Later calls on the stream must not wait for ever.
			chat.Header()
			chat.Trailer()
			chat.CloseSend()
			client.Close()
			end()
			before.expectReturned(t)
		})
	}
}

// addStreams adds the bytes that clients and servers send over streams, whole and changed.
func addStreams(f *testing.F) {
	words := &talk.Words{Text: "hello", Times: 2}
	broken := frameOf(thriftwire.TrailerFrame, nil)
	broken.Exception = &thrift.ApplicationException{Type: thrift.InternalError, Message: "broken"}
	status := frameOf(thriftwire.TrailerFrame, nil)
	status.Named = []thriftwire.Named{{Name: thriftwire.StatusCode, Value: "7"}, {Name: thriftwire.StatusExtra, Value: `{"a": "b"}`}}
	for _, last := range []*thriftwire.StreamFrame{frameOf(thriftwire.TrailerFrame, nil), broken, status, frameOf(thriftwire.ResetFrame, nil), frameOf(thriftwire.MetaFrame, words)} {
		sent := bytesOf(frameOf(thriftwire.HeaderFrame, nil), frameOf(thriftwire.DataFrame, words), last)
		f.Add(sent)
		f.Add(append(bytes.Clone(sent), sent...))
		for at := 0; at < len(sent); at += 2 {
			changed := bytes.Clone(sent)
			changed[at] ^= 0xff
			f.Add(changed)
			f.Add(sent[:at])
		}
	}
}

// Whatever comes over a connection with streams, the server neither panics nor hangs: it ends once the connection has ended.
func FuzzStreamsOfServer(f *testing.F) {
	addStreams(f)
	f.Fuzz(func(t *testing.T, sent []byte) {
		server := rpc.NewServer()
		server.Lost = func(error) {}
		talk.RegisterTalk(server, newTalker())
		listener := newPipes()
		go server.Serve(listener)
		here, there := net.Pipe()
		listener.waiting <- there
		go io.Copy(io.Discard, here)
		here.Write(sent)
		here.Close()
		ctx, cancel := context.WithTimeout(background, testPatience)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			t.Fatal("the server does not end:", err)
		}
	})
}

// Whatever a server answers, a stream ends once the connection has ended.
func FuzzStreamsOfClient(f *testing.F) {
	addStreams(f)
	f.Fuzz(func(t *testing.T, answered []byte) {
		client := rpc.Dial("unix://here")
		client.DialContext = func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			go io.Copy(io.Discard, there)
			go func() {
				there.Write(answered)
				there.Close()
			}()
			return here, nil
		}
		defer client.Close()
		ctx, cancel := context.WithTimeout(background, testPatience)
		defer cancel()
		chat, err := talk.NewTalkClient(client).Chat(ctx)
		for err == nil {
			_, err = chat.Recv()
		}
		if errors.Is(err, context.DeadlineExceeded) {
			t.Fatal("the stream does not end with its connection:", err)
		}
	})
}
