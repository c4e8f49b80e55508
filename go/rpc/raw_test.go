package rpc_test

import (
	"encoding/binary"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"hone/go/rpc"
	"hone/go/rpc/internal/link"
	"hone/go/rpc/internal/thriftwire"
	"hone/go/thrift"
)

// rawCaller writes calls and reads answers of one connection by hand.
type rawCaller struct {
	net.Conn
	wire   rpc.Wire
	reader thriftwire.Reader
}

func newRawCaller(t *testing.T, address string, wire rpc.Wire) *rawCaller {
	t.Helper()
	return rawCallerOver(dial(t, address), wire)
}

func rawCallerOver(conn net.Conn, wire rpc.Wire) *rawCaller {
	conn.SetReadDeadline(time.Now().Add(testPatience))
	carrier := thriftwire.TTHeader
	if wire == rpc.Framed {
		carrier = thriftwire.Framed
	}
	return &rawCaller{conn, wire, thriftwire.Reader{Link: link.New(conn, link.Options{}), Form: thriftwire.Form{Carrier: carrier}, MessageBytes: 32 << 20,
		Protocols: thriftwire.NewProtocols(thrift.Options{})}}
}

// bytesOf returns the bytes of a call.
func (r *rawCaller) bytesOf(sequence int32, method string, args thrift.Writer) []byte {
	message := thrift.Binary{}.AppendMessage(nil, thrift.Header{Method: method, Type: thrift.Call, Sequence: sequence}, args)
	if r.wire == rpc.Framed {
		return append(binary.BigEndian.AppendUint32(nil, uint32(len(message))), message...)
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(14+len(message)))
	head = binary.BigEndian.AppendUint32(append(head, 0x10, 0, 0, 1), uint32(sequence))
	return append(append(head, 0, 1, 0, 0, 0, 0), message...)
}

func (r *rawCaller) write(t *testing.T, parts ...[]byte) {
	t.Helper()
	for _, part := range parts {
		if _, err := r.Write(part); err != nil {
			t.Fatal(err)
		}
	}
}

// next returns the header of the next answer.
func (r *rawCaller) next() (thrift.Header, error) {
	var message thriftwire.Message
	if err := r.reader.Next(&message); err != nil {
		return thrift.Header{}, err
	}
	header, _, err := r.reader.Protocols.ReadHeader(message.Form, message.Bytes)
	header.Method = strings.Clone(header.Method)
	return header, err
}

// expect reads the answers of these functions, in this order.
func (r *rawCaller) expect(t *testing.T, methods ...string) {
	t.Helper()
	for _, method := range methods {
		if header, err := r.next(); err != nil || header.Method != method || header.Type != thrift.Reply {
			t.Fatalf("the answer of %s is %+v %v", method, header, err)
		}
	}
}

// readAll returns the number of bytes that come until the connection ends.
func (r *rawCaller) readAll() int64 {
	n, _ := io.Copy(io.Discard, r.Conn)
	return n
}
