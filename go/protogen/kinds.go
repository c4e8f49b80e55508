package protogen

import (
	"fmt"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// kind says how the code reads and writes values of one type that is not a message.
type kind struct {
	// goType is the type in Go; "" for enums.
	goType string
	// read is the name of a method of proto.Decoder.
	read string
	// put is the function that writes a field. convert is the type that the value is converted to before that; "" for none.
	put, convert string
	// putElement is the function that writes an element of a list.
	putElement string
	// packed is the part of a function's name that says how packed fields of this type are read and written; "" for types that are never packed.
	packed string
	wire   protowire.Type
}

var kinds = map[protoreflect.Kind]kind{
	protoreflect.BoolKind:     {"bool", "Bool", "PutBool", "", "PutBool", "Bools", protowire.VarintType},
	protoreflect.EnumKind:     {"", "", "PutVarint", "uint64", "PutInt", "Varints", protowire.VarintType},
	protoreflect.Int32Kind:    {"int32", "Int32", "PutVarint", "uint64", "PutInt", "Varints", protowire.VarintType},
	protoreflect.Int64Kind:    {"int64", "Int64", "PutVarint", "uint64", "PutInt", "Varints", protowire.VarintType},
	protoreflect.Uint32Kind:   {"uint32", "Uint32", "PutVarint", "uint64", "PutInt", "Varints", protowire.VarintType},
	protoreflect.Uint64Kind:   {"uint64", "Uint64", "PutVarint", "", "PutInt", "Varints", protowire.VarintType},
	protoreflect.Sint32Kind:   {"int32", "Sint32", "PutSint", "int64", "PutSintOf", "Sints", protowire.VarintType},
	protoreflect.Sint64Kind:   {"int64", "Sint64", "PutSint", "", "PutSintOf", "Sints", protowire.VarintType},
	protoreflect.Fixed32Kind:  {"uint32", "Fixed32", "PutFixed32", "", "PutFixed32", "Fixed", protowire.Fixed32Type},
	protoreflect.Fixed64Kind:  {"uint64", "Fixed64", "PutFixed64", "", "PutFixed64", "Fixed", protowire.Fixed64Type},
	protoreflect.Sfixed32Kind: {"int32", "Sfixed32", "PutFixed32", "uint32", "PutSfixed32", "Fixed", protowire.Fixed32Type},
	protoreflect.Sfixed64Kind: {"int64", "Sfixed64", "PutFixed64", "uint64", "PutSfixed64", "Fixed", protowire.Fixed64Type},
	protoreflect.FloatKind:    {"float32", "Float", "PutFloat", "", "PutFloat", "Fixed", protowire.Fixed32Type},
	protoreflect.DoubleKind:   {"float64", "Double", "PutDouble", "", "PutDouble", "Fixed", protowire.Fixed64Type},
	protoreflect.StringKind:   {"string", "Text", "PutText", "", "PutText", "", protowire.BytesType},
	protoreflect.BytesKind:    {"[]byte", "Bytes", "PutBytes", "", "PutBytes", "", protowire.BytesType},
}

// kindOf returns the kind of a field that is not a message. A string may have any bytes if the field's file does not demand UTF-8.
func kindOf(field *protogen.Field) kind {
	k := kinds[field.Desc.Kind()]
	if field.Desc.Kind() == protoreflect.StringKind && !mustBeUTF8(field.Desc) {
		k.read, k.put, k.putElement = "AnyText", "PutAnyText", "PutAnyText"
	}
	return k
}

// mustBeUTF8 reports whether google.golang.org/protobuf checks that a string of this field is UTF-8.
func mustBeUTF8(field protoreflect.FieldDescriptor) bool {
	if enforcer, ok := field.(interface{ EnforceUTF8() bool }); ok {
		return enforcer.EnforceUTF8()
	}
	return field.ParentFile().Syntax() != protoreflect.Proto2
}

// goType returns the Go type of a field's value, or of its elements.
func (g *generator) goType(field *protogen.Field) string {
	switch {
	case field.Message != nil:
		return "*" + g.typeName(field.Message.GoIdent)
	case field.Enum != nil:
		return g.typeName(field.Enum.GoIdent)
	}
	return kindOf(field).goType
}

// isMessage reports whether a field is a message or a group, or a list of messages or groups.
func isMessage(field *protogen.Field) bool { return field.Message != nil && !field.Desc.IsMap() }

func isGroup(field *protogen.Field) bool { return field.Desc.Kind() == protoreflect.GroupKind }

// isPointer reports whether a field is a pointer in Go. The field must be neither a message nor in a oneof.
func isPointer(field *protogen.Field) bool {
	return field.Desc.HasPresence() && field.Desc.Kind() != protoreflect.BytesKind
}

// inOneof reports whether a field is a member of a oneof that the struct in Go has as a field.
func inOneof(field *protogen.Field) bool {
	return field.Oneof != nil && !field.Oneof.Desc.IsSynthetic()
}

// tagOf returns the tag that a field is written with, as a Go literal.
func tagOf(field *protogen.Field) string {
	switch {
	case isGroup(field):
		return tag(field, protowire.StartGroupType)
	case field.Message != nil, field.Desc.IsPacked():
		return tag(field, protowire.BytesType)
	}
	return tag(field, kindOf(field).wire)
}

// tag returns the tag of a field with a type of the wire format.
func tag(field *protogen.Field, wire protowire.Type) string {
	return fmt.Sprintf("%#x", protowire.EncodeTag(field.Desc.Number(), wire))
}
