package pb

import (
	"encoding/json"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// goValues makes values of Go from messages. It remembers the first error.
type goValues struct {
	types   *dynamicpb.Types
	options Options
	err     error
}

func (g *goValues) fields(m protoreflect.Message) map[string]any {
	fields := map[string]any{}
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		fields[g.nameOf(field)] = g.field(field, value)
		return g.err == nil
	})
	return fields
}

// nameOf returns the name of a field. The name of an extension is its full name in brackets.
func (g *goValues) nameOf(field protoreflect.FieldDescriptor) string {
	if g.options.NamesOfIDL || field.IsExtension() {
		return field.TextName()
	}
	return field.JSONName()
}

func (g *goValues) field(field protoreflect.FieldDescriptor, value protoreflect.Value) any {
	switch {
	case field.IsList():
		elements := make([]any, value.List().Len())
		for i := range elements {
			elements[i] = g.value(field, value.List().Get(i))
		}
		return elements
	case field.IsMap():
		entries := map[string]any{}
		value.Map().Range(func(key protoreflect.MapKey, one protoreflect.Value) bool {
			entries[key.String()] = g.value(field.MapValue(), one)
			return g.err == nil
		})
		return entries
	}
	return g.value(field, value)
}

func (g *goValues) value(field protoreflect.FieldDescriptor, value protoreflect.Value) any {
	switch field.Kind() {
	case protoreflect.EnumKind:
		if named := field.Enum().Values().ByNumber(value.Enum()); named != nil && !isNull(field.Enum()) {
			return string(named.Name())
		} else if named != nil {
			return nil
		}
		return int64(value.Enum())
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return g.message(value.Message())
	case protoreflect.BytesKind:
		return append([]byte{}, value.Bytes()...)
	}
	switch number := value.Interface().(type) {
	case int32:
		return int64(number)
	case uint32:
		return int64(number)
	case float32:
		return float64(number)
	default:
		return number
	}
}

// isNull reports whether an enum is the one that means null in JSON.
func isNull(e protoreflect.EnumDescriptor) bool { return e.FullName() == "google.protobuf.NullValue" }

// message returns a message as a map, or as the JSON form of its type if the type has its own.
func (g *goValues) message(m protoreflect.Message) any {
	if !hasOwnJSON(m.Descriptor().FullName()) {
		return g.fields(m)
	}
	text, err := protojson.MarshalOptions{Resolver: g.types}.Marshal(m.Interface())
	var made any
	if err == nil {
		err = json.Unmarshal(text, &made)
	}
	if err != nil {
		g.err = err
	}
	return made
}

// ownJSON has the types of messages that have their own form in JSON.
var ownJSON = map[protoreflect.FullName]bool{
	"google.protobuf.Any": true, "google.protobuf.Timestamp": true, "google.protobuf.Duration": true, "google.protobuf.FieldMask": true,
	"google.protobuf.Struct": true, "google.protobuf.Value": true, "google.protobuf.ListValue": true, "google.protobuf.BoolValue": true,
	"google.protobuf.Int32Value": true, "google.protobuf.Int64Value": true, "google.protobuf.UInt32Value": true,
	"google.protobuf.UInt64Value": true, "google.protobuf.FloatValue": true, "google.protobuf.DoubleValue": true,
	"google.protobuf.StringValue": true, "google.protobuf.BytesValue": true,
}

func hasOwnJSON(name protoreflect.FullName) bool { return ownJSON[name] }

// forJSON returns a value that package encoding/json can write: NaN and infinities become texts. Package encoding/json itself turns bytes into
// base64.
func forJSON(value any) any {
	switch value := value.(type) {
	case map[string]any:
		fields := make(map[string]any, len(value))
		for name, one := range value {
			fields[name] = forJSON(one)
		}
		return fields
	case []any:
		elements := make([]any, len(value))
		for i, one := range value {
			elements[i] = forJSON(one)
		}
		return elements
	case float32:
		return forJSON(float64(value))
	case float64:
		switch {
		case math.IsNaN(value):
			return "NaN"
		case math.IsInf(value, 0):
			return map[bool]string{true: "Infinity", false: "-Infinity"}[value > 0]
		}
		// A whole number is written without a fraction, because some fields take no other form.
		return json.Number(strconv.FormatFloat(value, 'g', -1, 64))
	}
	return value
}
