package thrift

import "strconv"

// Type says how a value is written. Its numbers are those of the Binary protocol
// (https://github.com/apache/thrift/blob/master/doc/specs/thrift-binary-protocol.md).
type Type byte

// The types that the Binary protocol knows. Stop ends a struct.
const (
	Stop   Type = 0
	Bool   Type = 2
	I8     Type = 3
	Double Type = 4
	I16    Type = 6
	I32    Type = 8
	I64    Type = 10
	String Type = 11
	Struct Type = 12
	Map    Type = 13
	Set    Type = 14
	List   Type = 15
	UUID   Type = 16
)

// least is the fewest bytes that a value of a type takes. It limits the number of values in the bytes that remain. It is 0 for a
// number that is no type.
var least = [256]int8{
	Bool: 1, I8: 1, Double: 8, I16: 2, I32: 4, I64: 8, String: 4, Struct: 1, Map: 6, Set: 5, List: 5, UUID: 16,
}

// fixed is the number of bytes that a value of a type takes, where all values take the same; 0 elsewhere.
var fixed = [256]int8{Bool: 1, I8: 1, Double: 8, I16: 2, I32: 4, I64: 8, UUID: 16}

var names = [...]string{
	Stop: "stop", Bool: "bool", I8: "i8", Double: "double", I16: "i16", I32: "i32", I64: "i64", String: "string",
	Struct: "struct", Map: "map", Set: "set", List: "list", UUID: "uuid",
}

// String is the name of the type in IDL, or its number.
func (t Type) String() string {
	if int(t) < len(names) && names[t] != "" {
		return names[t]
	}
	return "type " + strconv.Itoa(int(t))
}
