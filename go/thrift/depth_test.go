package thrift_test

import (
	"errors"
	"strings"
	"testing"

	"hone/go/codec"
	"hone/go/internal/sample/recursive"
	"hone/go/thrift"
)

// nested is a list of one node, which holds a list of one node, and so on.
func nested(nodes int) *recursive.Node {
	node := &recursive.Node{Value: 1, Other: new(recursive.Other)}
	for range nodes - 1 {
		node = &recursive.Node{Value: 1, Other: new(recursive.Other), Children: recursive.Nodes{node}}
	}
	return node
}

func TestTheEndIsFoundOfWhateverCanBeRead(t *testing.T) {
	body := nested(63)
	for _, protocol := range []interface {
		thrift.Protocol
		Length([]byte) (int, error)
	}{thrift.Binary{}, codec.Compact{}} {
		message := protocol.AppendMessage(nil, thrift.Header{Method: "a", Type: thrift.Call}, body)
		_, off, err := protocol.ReadHeader(message)
		if err == nil {
			err = protocol.ReadBody(message[off:], new(recursive.Node))
		}
		if err != nil {
			t.Fatalf("%T: %.200v", protocol, err)
		}
		if n, err := protocol.Length(message); err != nil || n != len(message) {
			t.Fatalf("%T: %d of %d, %v", protocol, n, len(message), err)
		}
	}
}

func TestErrorsLeadAsDeepAsMessagesGo(t *testing.T) {
	const nodes = 50
	message := thrift.Marshal(nested(nodes))
	// The number of the innermost node has another type now, so that the node lacks it.
	message[7*nodes+8*(nodes-1)-7] = byte(thrift.Double)
	at := strings.Count(string(message), "\x0f\x00\x03\x0c\x00\x00\x00\x01")
	if at != nodes-1 {
		t.Fatal(at)
	}
	err := thrift.Unmarshal(message, new(recursive.Node))
	var fault *thrift.ProtocolError
	if !errors.As(err, &fault) || len(fault.Path) < 2*(nodes-1) {
		t.Fatalf("%d steps: %.300v", len(fault.Path), err)
	}
}

// A message of 16 MiB must not need a stack as deep as the message.
func TestErrorsLeadNoFurtherThanTheFault(t *testing.T) {
	for _, field := range []string{"\x0c\x00\x02", "\x0c\x00\x77"} {
		err := thrift.Unmarshal([]byte(strings.Repeat(field, 5<<20)), new(recursive.Node))
		var fault *thrift.ProtocolError
		if !errors.As(err, &fault) || len(fault.Path) > 66 {
			t.Fatalf("%d steps", len(fault.Path))
		}
	}
}
