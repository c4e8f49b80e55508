package thriftwire

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"hone/go/rpc/internal/link"
	"hone/go/thrift"
)

// one is a struct with one number and nothing else.
type one struct{ Number int32 }

func (o *one) WriteThrift(b []byte, off int) int {
	return thrift.PutEnd(b, thrift.PutI32(b, off, thrift.Head(8<<16|1), o.Number))
}

func (o *one) ReadThrift(d *thrift.Decoder, off int) int {
	key := d.Key(off)
	if key == 8<<16|1 {
		o.Number, off, key = d.I32(off)
	}
	return d.Rest(o, off, key, 0, 0)
}

var forms = []Form{{}, {IsCompact: true}, {Carrier: Framed}, {Framed, true}, {Carrier: TTHeader}, {TTHeader, true}, {Carrier: TTHeaderFramed}, {TTHeaderFramed, true}}

func outgoing(form Form) *Outgoing {
	out := &Outgoing{Form: form, Protocols: protocols, MessageBytes: 1 << 20, Body: &one{42},
		Header: thrift.Header{Method: "find", Type: thrift.Call, Sequence: 7}}
	if form.Carrier.HasHeader() {
		out.Flags = OutOfOrder
		out.Numbered = []Numbered{{RPCTimeout, "250"}, {FromService, "front"}}
		out.Named = []Named{{ServiceName, "Shop"}, {Persistent + "trace", strings.Repeat("x", 300)}}
	}
	return out
}

func frameOf(t testing.TB, form Form) []byte {
	t.Helper()
	frame, err := outgoing(form).AppendFrame(nil)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// read reads the first message of a peer that sends these bytes and closes the connection.
func read(form Form, sent []byte, message *Message) error {
	ours, theirs := net.Pipe()
	go func() {
		theirs.Write(sent)
		theirs.Close()
	}()
	l := link.New(ours, link.Options{})
	defer l.Close(link.ErrClosed)
	reader := Reader{Link: l, Form: form, MessageBytes: 1 << 20, Protocols: protocols}
	return reader.Next(message)
}

func TestMessagesComeAsTheyWereSentInEveryForm(t *testing.T) {
	for _, form := range forms {
		frame := frameOf(t, form)
		sniffed, isThrift := Sniff(frame)
		if !isThrift || sniffed.Carrier.HasHeader() != form.Carrier.HasHeader() || !form.Carrier.HasHeader() && sniffed != form {
			t.Fatal(form, sniffed, isThrift)
		}
		var message Message
		if err := read(sniffed, frame, &message); err != nil || message.Form != form {
			t.Fatal(form, message.Form, err)
		}
		header, off, err := protocols.ReadHeader(message.Form, message.Bytes)
		if err != nil || header.Method != "find" || header.Type != thrift.Call || header.Sequence != 7 {
			t.Fatal(form, header, err)
		}
		var body one
		if err := protocols.Of(form).ReadBody(message.Bytes[off:], &body); err != nil || body.Number != 42 {
			t.Fatal(form, body, err)
		}
		if form.Carrier.HasHeader() {
			wantFacts(t, &message.Header)
		}
	}
}

func wantFacts(t *testing.T, header *Header) {
	t.Helper()
	var told []string
	err := header.Each(func(key uint16, value []byte) {
		told = append(told, string(rune('0'+key))+string(value))
	}, func(name, value []byte) {
		told = append(told, string(name)+"="+string(value[:min(4, len(value))]))
	})
	if got := strings.Join(told, " "); err != nil || got != "isn=Shop RPC_PERSIST_trace=xxxx <250 3front" {
		t.Fatal(got, err)
	}
	if header.Flags != OutOfOrder || header.Sequence != 7 {
		t.Fatal(header)
	}
}

func TestEveryCutOfAMessageIsToldAsOne(t *testing.T) {
	for _, form := range forms {
		frame := frameOf(t, form)
		for end := 1; end < len(frame); end++ {
			var message Message
			if err := read(form, frame[:end], &message); err != io.ErrUnexpectedEOF {
				t.Fatal(form, end, err)
			}
		}
	}
}

func TestAHeaderThatLiesIsRefused(t *testing.T) {
	change := func(off int, bytes ...byte) []byte {
		frame := frameOf(t, Form{Carrier: TTHeader})
		copy(frame[off:], bytes)
		return frame
	}
	for what, frame := range map[string][]byte{
		"more words than there are bytes":  change(12, 0xff, 0xff),
		"no words":                         change(12, 0, 0),
		"transforms":                       change(15, 1),
		"a kind of facts that is unknown":  change(16, 0x77),
		"more facts than there are":        change(17, 0xff, 0xff),
		"a name that is longer than facts": change(19, 0xff, 0xff),
	} {
		var message Message
		var refused *HeaderError
		if err := read(Form{Carrier: TTHeader}, frame, &message); !errors.As(err, &refused) {
			t.Error(what, err)
		}
	}
	var message Message
	var tooLong *thrift.TooLongError
	huge := binary.BigEndian.AppendUint32(nil, 1<<31)
	if err := read(Form{Carrier: Framed}, append(huge, 1, 2, 3, 4), &message); !errors.As(err, &tooLong) {
		t.Error(err)
	}
}

func TestMetadataThatIsTooLongIsRefusedBeforeItIsSent(t *testing.T) {
	out := outgoing(Form{Carrier: TTHeader})
	out.Named = []Named{{"name", strings.Repeat("x", 1<<16)}}
	if frame, err := out.AppendFrame([]byte("before")); err != ErrLongFact || string(frame) != "before" {
		t.Fatal(err, len(frame))
	}
	out.Named = nil
	for range 5 {
		out.Named = append(out.Named, Named{"name", strings.Repeat("x", 60000)})
	}
	if _, err := out.AppendFrame(nil); err != ErrLongFact {
		t.Fatal(err)
	}
}
