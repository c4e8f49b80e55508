package thriftwire

import (
	"bytes"
	"encoding/binary"
	"net"
	"runtime"
	"testing"

	"hone/go/rpc/internal/link"
	"hone/go/thrift"
)

var protocols = NewProtocols(thrift.Options{})

// empty is a struct without fields. It reads any struct.
type empty struct{}

func (empty) WriteThrift(b []byte, off int) int          { return thrift.PutEnd(b, off) }
func (*empty) ReadThrift(d *thrift.Decoder, off int) int { return d.Rest(nil, off, d.Key(off), 0, 0) }

// seeds returns messages of every form: whole, cut short, and with wrong lengths.
func seeds() [][]byte {
	var all [][]byte
	for _, carrier := range []Carrier{Buffered, Framed, TTHeader, TTHeaderFramed} {
		for _, isCompact := range []bool{false, true} {
			out := Outgoing{Form: Form{carrier, isCompact}, Protocols: protocols, MessageBytes: 1 << 20,
				Header: thrift.Header{Method: "find", Type: thrift.Call, Sequence: 7}, Body: empty{},
				Flags: OutOfOrder, Numbered: []Numbered{{RPCTimeout, "50"}}, Named: []Named{{ServiceName, "Shop"}, {Transient + "a", "b"}}}
			whole, err := out.AppendFrame(nil)
			if err != nil {
				panic(err)
			}
			all = append(all, whole, append(bytes.Clone(whole), whole...), whole[:len(whole)-1], whole[:len(whole)/2])
			for at := range min(len(whole), 24) {
				for _, wrong := range []byte{0, 0x7f, 0xff} {
					changed := bytes.Clone(whole)
					changed[at] = wrong
					all = append(all, changed)
				}
			}
		}
	}
	// These are messages without a version, framed and not, the first bytes of other protocols, and a length of 4 GiB.
	old := append([]byte{0, 0, 0, 4}, "find\x01\x00\x00\x00\x07\x00"...)
	return append(all, old, append([]byte{0, 0, 0, byte(len(old))}, old...), []byte("GET / HTTP/1.1\r\n\r\n"),
		[]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), []byte{0x16, 3, 1, 2, 0, 1, 0, 1}, bytes.Repeat([]byte{0xff}, 32), make([]byte, 32))
}

func FuzzSniff(f *testing.F) {
	for _, seed := range seeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, first []byte) {
		few, isTold := Sniff(first[:min(len(first), FewestBytes)])
		all, isToldToo := Sniff(first)
		if isTold && (!isToldToo || few != all) {
			t.Fatal("more bytes say something else")
		}
	})
}

func FuzzHeader(f *testing.F) {
	for _, seed := range seeds() {
		f.Add(seed[min(len(seed), lengthBytes):])
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		header, off, err := parseHeader(frame)
		if err != nil {
			return
		}
		if off > len(frame) {
			t.Fatalf("the payload is said to begin at %d of %d", off, len(frame))
		}
		told := 0
		header.Keep()
		header.Each(func(_ uint16, value []byte) { told += len(value) }, func(name, value []byte) { told += len(value) })
		if told > len(frame)+len(token) {
			t.Fatalf("%d bytes of facts in %d", told, len(frame))
		}
	})
}

// mostUnasked is the memory that may be allocated for a connection besides the bytes that come over it: its buffers, which are
// pooled.
const mostUnasked = 512 << 10

func FuzzNext(f *testing.F) {
	for _, seed := range seeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		before := allocated()
		form, isThrift := Sniff(sent)
		if !isThrift {
			return
		}
		here, there := net.Pipe()
		go func() {
			there.Write(sent)
			there.Close()
		}()
		reader := Reader{Link: link.New(here, link.Options{}), Form: form, MessageBytes: 16 << 20, Protocols: protocols}
		defer reader.Link.Close(link.ErrClosed)
		for messages := 0; ; messages++ {
			var message Message
			if reader.Next(&message) != nil {
				break
			}
			if messages > len(sent) {
				t.Fatal("more messages than bytes")
			}
			if _, off, err := protocols.ReadHeader(message.Form, message.Bytes); err == nil {
				protocols.Of(message.Form).ReadBody(message.Bytes[off:], &empty{})
			}
		}
		if more := allocated() - before; more > mostUnasked+16*uint64(len(sent)) {
			t.Fatalf("%d bytes are allocated for %d that were sent", more, len(sent))
		}
	})
}

func allocated() uint64 {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return memory.TotalAlloc
}

func TestAShortMessageOfTheCompactProtocolIsTold(t *testing.T) {
	message := protocols.Of(Form{IsCompact: true}).AppendMessage(nil, thrift.Header{Method: "f", Type: thrift.Call, Sequence: 1}, empty{})
	if form, ok := Sniff(message[:FewestBytes]); !ok || form != (Form{IsCompact: true}) || len(message) >= SniffBytes {
		t.Fatal(form, ok, len(message))
	}
	frame := binary.BigEndian.AppendUint32(nil, uint32(14+len(message)))
	frame = append(append(frame, 0x10, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 0, 0, 0), message...)
	m := Message{Bytes: frame[lengthBytes:], Form: Form{Carrier: TTHeader}}
	if err := m.behindHeader(); err != nil || m.Form != (Form{TTHeader, true}) || !bytes.Equal(m.Bytes, message) {
		t.Fatal(m, err)
	}
}
