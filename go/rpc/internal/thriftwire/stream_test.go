package thriftwire

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"hone/go/rpc/internal/link"
	"hone/go/thrift"
)

func dataFrame() *StreamFrame {
	return &StreamFrame{Kind: DataFrame, Sequence: -3, Method: "chat", Body: &one{42}, MessageBytes: 1 << 10,
		Named: []Named{{"name", "value"}}, Numbered: []Numbered{{RPCTimeout, "50"}}}
}

func TestFramesOfStreamsComeAsTheyWereSent(t *testing.T) {
	for kind := MetaFrame; kind <= ResetFrame; kind++ {
		frame := dataFrame()
		frame.Kind = kind
		sent, err := frame.AppendFrame(nil)
		if err != nil {
			t.Fatal(err)
		}
		var message Message
		if err := read(Form{Carrier: TTHeader}, sent, &message); err != nil {
			t.Fatal(err)
		}
		got, method, err := message.Frame()
		if err != nil || got != kind || method != "chat" || message.Header.Sequence != -3 || !message.IsOfStream() {
			t.Fatal(got, method, message.Header, err)
		}
		var body one
		if err := thrift.Unmarshal(message.Bytes, &body); err != nil || body.Number != 42 {
			t.Fatal(body, err)
		}
	}
}

func TestFramesOfStreamsThatAreTooLongAreNotSent(t *testing.T) {
	var tooLong *thrift.TooLongError
	frame := dataFrame()
	frame.MessageBytes = 20
	if sent, err := frame.AppendFrame([]byte("before")); !errors.As(err, &tooLong) || string(sent) != "before" {
		t.Error(len(sent), err)
	}
	frame = dataFrame()
	frame.Named = []Named{{"name", strings.Repeat("x", 1<<16)}}
	// None of several frames is sent.
	if sent, err := (StreamFrames{dataFrame(), frame}).AppendFrame([]byte("before")); err != ErrLongFact || string(sent) != "before" {
		t.Error(len(sent), err)
	}
	var _ link.Frame = StreamFrames{}
}

func TestAFrameThatDoesNotTellItsKindIsRefused(t *testing.T) {
	sent, err := dataFrame().AppendFrame(nil)
	if err != nil {
		t.Fatal(err)
	}
	kind := []byte{0, byte(frameKind), 0, 1, '3'}
	for _, other := range []byte{'0', '6', 'x'} {
		var message Message
		if err := read(Form{Carrier: TTHeader}, bytes.Replace(sent, kind, append(kind[:4:4], other), 1), &message); err != nil {
			t.Fatal(err)
		}
		var refused *HeaderError
		if _, _, err := message.Frame(); !errors.As(err, &refused) {
			t.Error(string(other), err)
		}
	}
}
