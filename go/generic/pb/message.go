package pb

import (
	"bytes"
	"encoding/json"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"hone/go/generic"
)

// Message holds a request or a response of a method. It is a proto.Message that is made from JSON or a map of Go, or turned into these.
type Message struct {
	message *dynamicpb.Message
	root    string
	types   *dynamicpb.Types
	options Options
}

// ProtoReflect implements [proto.Message].
func (m *Message) ProtoReflect() protoreflect.Message { return reflected{m.message, m.types} }

// Blank returns a new, empty message of the same kind.
func (m *Message) Blank() any {
	return &Message{dynamicpb.NewMessage(m.message.Descriptor()), m.root, m.types, m.options}
}

// UnmarshalJSON sets the message from JSON text. If it fails, the message is unchanged.
//
// # Errors
//
// A [generic.Error].
func (m *Message) UnmarshalJSON(text []byte) error {
	depth := m.options.Depth
	if depth == 0 {
		depth = DefaultDepth
	}
	made := dynamicpb.NewMessage(m.message.Descriptor())
	options := protojson.UnmarshalOptions{Resolver: m.types, RecursionLimit: depth}
	if err := options.Unmarshal(text, made); err != nil {
		return m.explain(err, text)
	}
	m.message = made
	return nil
}

// MarshalJSON returns the message as JSON text.
//
// # Errors
//
// A [generic.Error] if a text is not UTF-8, a required field is not set, or an Any has an unknown type.
func (m *Message) MarshalJSON() ([]byte, error) {
	text, err := protojson.MarshalOptions{Resolver: m.types, UseProtoNames: m.options.NamesOfIDL}.Marshal(m.message)
	if err != nil {
		return nil, &generic.Error{Path: m.root, Problem: withoutPrefix(err), Offset: -1, Cause: err}
	}
	// protojson puts blanks into its JSON at random, so that nobody relies on its exact bytes.
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return nil, err
	}
	return compact.Bytes(), nil
}

// SetMap sets the message from a map of Go. If it fails, the message is unchanged.
//
// # Errors
//
// A [generic.Error].
func (m *Message) SetMap(from map[string]any) error {
	if from == nil {
		from = map[string]any{}
	}
	text, err := json.Marshal(forJSON(from))
	if err != nil {
		return &generic.Error{Path: m.root, Problem: err.Error(), Offset: -1, Cause: err}
	}
	if err := m.UnmarshalJSON(text); err != nil {
		// The caller does not know this JSON text, so the error must not name a place in it.
		if told, ok := err.(*generic.Error); ok {
			told.Position, told.Offset = generic.Error{}.Position, -1
		}
		return err
	}
	return nil
}

// Map returns the message as a map of Go.
//
// # Errors
//
// A [generic.Error] if a message of a type with its own JSON form holds a value that has no such form.
func (m *Message) Map() (map[string]any, error) {
	g := goValues{types: m.types, options: m.options}
	made := g.fields(m.message)
	if g.err != nil {
		return nil, &generic.Error{Path: m.root, Problem: withoutPrefix(g.err), Offset: -1, Cause: g.err}
	}
	return made, nil
}

var _ proto.Message = (*Message)(nil)
