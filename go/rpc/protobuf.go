package rpc

import (
	"fmt"

	google "google.golang.org/protobuf/proto"

	"hone/go/proto"
	"hone/go/rpc/internal/h2"
)

// Raw is an encoded message of gRPC, for programs that pass messages on or have a codec of their own: requests are Raw or *Raw, responses are
// read into *Raw.
type Raw []byte

// newProtoMessage makes a message ready to be sent: by its own code if protoc-gen-hone has written that, and by reflection otherwise.
func newProtoMessage(message any) h2.Message {
	switch m := message.(type) {
	case Raw:
		return h2.Bytes(m)
	case *Raw:
		return h2.Bytes(*m)
	case proto.Codec:
		return codecMessage{m}
	case google.Message:
		return reflectedMessage{m}
	}
	return noMessage{message}
}

type codecMessage struct{ proto.Codec }

// AppendMessage implements [h2.Message].
func (m codecMessage) AppendMessage(to []byte) ([]byte, error) { return proto.Append(to, m.Codec) }

// Size implements [h2.Message].
func (m codecMessage) Size() int { return proto.Size(m.Codec) }

type reflectedMessage struct{ google.Message }

// AppendMessage implements [h2.Message].
func (m reflectedMessage) AppendMessage(to []byte) ([]byte, error) {
	return google.MarshalOptions{}.MarshalAppend(to, m.Message)
}

// Size implements [h2.Message].
func (m reflectedMessage) Size() int { return google.Size(m.Message) }

// noMessage is a value that is no message. It cannot be sent.
type noMessage struct{ value any }

// AppendMessage implements [h2.Message].
func (m noMessage) AppendMessage([]byte) ([]byte, error) {
	return nil, fmt.Errorf("%T is no protobuf message, and cannot be sent", m.value)
}

// Size implements [h2.Message].
func (noMessage) Size() int { return 0 }

// readProto reads a message.
func readProto(message []byte, into any) error {
	switch m := into.(type) {
	case *Raw:
		*m = append((*m)[:0], message...)
		return nil
	case proto.Codec:
		return proto.Unmarshal(message, m)
	case google.Message:
		return google.Unmarshal(message, m)
	}
	return fmt.Errorf("%T is no protobuf message, and cannot be read into", into)
}
