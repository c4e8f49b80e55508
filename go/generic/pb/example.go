package pb

import (
	"bytes"
	"encoding/json"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Example returns JSON of a request of the method, indented, with a value for each field as long as the example is short, and for one field of each
// oneof.
func (f *Function) Example() []byte {
	args := f.Args()
	e := &exampler{inside: map[protoreflect.FullName]bool{}}
	e.fill(args.message)
	text, err := args.MarshalJSON()
	if err != nil {
		return []byte("{}")
	}
	var indented bytes.Buffer
	// protojson always writes valid JSON.
	_ = json.Indent(&indented, text, "", "  ")
	return indented.Bytes()
}

// exampler fills messages with examples.
type exampler struct {
	// inside has the messages that the current value is in.
	inside map[protoreflect.FullName]bool
	// values is the number of values of the example so far.
	values int
}

// mostExample is the number of values after which an example gets no more messages.
const mostExample = 1000

// fill sets the fields of a message. It returns false if the message must be left out: inside itself, or once the example has enough values.
func (e *exampler) fill(m protoreflect.Message) bool {
	name := m.Descriptor().FullName()
	if name == "google.protobuf.Any" || e.inside[name] || e.values > mostExample {
		return false
	}
	e.inside[name] = true
	defer delete(e.inside, name)
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if of := field.ContainingOneof(); of == nil || m.WhichOneof(of) == nil {
			e.field(m, field)
		}
	}
	return true
}

func (e *exampler) field(m protoreflect.Message, field protoreflect.FieldDescriptor) {
	e.values++
	switch {
	case field.IsMap():
		entries := m.NewField(field).Map()
		if value, ok := e.value(field.MapValue(), entries.NewValue); ok {
			key, _ := e.value(field.MapKey(), nil)
			entries.Set(key.MapKey(), value)
			m.Set(field, protoreflect.ValueOfMap(entries))
		}
	case field.IsList():
		elements := m.NewField(field).List()
		if value, ok := e.value(field, elements.NewElement); ok {
			elements.Append(value)
			m.Set(field, protoreflect.ValueOfList(elements))
		}
	default:
		if value, ok := e.value(field, func() protoreflect.Value { return m.NewField(field) }); ok {
			m.Set(field, value)
		}
	}
}

// value returns an example of a field's type. make returns an empty message.
func (e *exampler) value(field protoreflect.FieldDescriptor, make func() protoreflect.Value) (protoreflect.Value, bool) {
	if field.HasDefault() && !field.IsList() {
		return field.Default(), true
	}
	switch field.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		value := make()
		return value, e.fill(value.Message())
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(field.Enum().Values().Get(0).Number()), true
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true), true
	case protoreflect.StringKind:
		return protoreflect.ValueOfString("text"), true
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte("bytes")), true
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(1.5), true
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(1.5), true
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(1), true
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(1), true
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(1), true
	}
	return protoreflect.ValueOfInt32(1), true
}
