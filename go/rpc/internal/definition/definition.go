// Package definition makes services from definitions that are not in protobuf's registry. The registry may hold other code for the
// same definitions: a program that registered both would not start.
package definition

import (
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

// File is a definition.
type File struct{ protoreflect.FileDescriptor }

// Parse reads a google.protobuf.FileDescriptorProto as text, without imports. A wrong text is a mistake of the program: Parse
// panics.
func Parse(text string) File {
	var parsed descriptorpb.FileDescriptorProto
	if err := prototext.Unmarshal([]byte(text), &parsed); err != nil {
		panic(err)
	}
	file, err := protodesc.NewFile(&parsed, nil)
	if err != nil {
		panic(err)
	}
	return File{file}
}

// Message is a message of a definition that Parse has read.
type Message struct{ protoreflect.Message }

// New makes an empty message by its name.
func (f File) New(name protoreflect.Name) Message {
	return Message{dynamicpb.NewMessage(f.Messages().ByName(name))}
}

// Maker returns a function that makes empty messages by a name.
func (f File) Maker(name protoreflect.Name) func() any {
	return func() any { return f.New(name).Interface() }
}

// Of wraps a message that package rpc gives.
func Of(message any) Message { return Message{message.(protoreflect.ProtoMessage).ProtoReflect()} }

func (m Message) field(name protoreflect.Name) protoreflect.FieldDescriptor {
	return m.Descriptor().Fields().ByName(name)
}

// Text returns a field that is a text.
func (m Message) Text(name protoreflect.Name) string { return m.Get(m.field(name)).String() }

// Int returns a field that is an int32.
func (m Message) Int(name protoreflect.Name) int32 { return int32(m.Get(m.field(name)).Int()) }

// Enum returns the number of a field that is an enum.
func (m Message) Enum(name protoreflect.Name) int32 { return int32(m.Get(m.field(name)).Enum()) }

// Member returns the name of a oneof's member that is set; "" if none is.
func (m Message) Member(oneof protoreflect.Name) protoreflect.Name {
	if field := m.WhichOneof(m.Descriptor().Oneofs().ByName(oneof)); field != nil {
		return field.Name()
	}
	return ""
}

// Inner returns a field that is a message. A change of that message changes the field.
func (m Message) Inner(name protoreflect.Name) Message {
	return Message{m.Mutable(m.field(name)).Message()}
}

// SetText sets a text.
func (m Message) SetText(name protoreflect.Name, value string) {
	m.Set(m.field(name), protoreflect.ValueOfString(value))
}

// SetInt sets an int32.
func (m Message) SetInt(name protoreflect.Name, value int32) {
	m.Set(m.field(name), protoreflect.ValueOfInt32(value))
}

// SetEnum sets an enum.
func (m Message) SetEnum(name protoreflect.Name, value int32) {
	m.Set(m.field(name), protoreflect.ValueOfEnum(protoreflect.EnumNumber(value)))
}

// SetInner sets a field that is a message.
func (m Message) SetInner(name protoreflect.Name, value Message) {
	m.Set(m.field(name), protoreflect.ValueOfMessage(value.Message))
}

// Append adds an element to a list of texts, bytes, int32 or messages.
func (m Message) Append(name protoreflect.Name, value any) {
	if inner, isMessage := value.(Message); isMessage {
		value = inner.Message
	}
	m.Mutable(m.field(name)).List().Append(protoreflect.ValueOf(value))
}

// Put adds an element to a map of messages by texts.
func (m Message) Put(name protoreflect.Name, key string, value Message) {
	m.Mutable(m.field(name)).Map().Set(protoreflect.ValueOfString(key).MapKey(), protoreflect.ValueOfMessage(value.Message))
}
