// Package pb does for protobuf what package generic does for Thrift. On one side, the request and the response of a method are JSON text or a map of
// Go. On the other side, they are a protobuf message. It needs nothing but descriptors.
//
// The JSON is that of protobuf (https://protobuf.dev/programming-guides/json), made by protojson. Errors name the path to the wrong value, and
// suggest the right name of an unknown field.
//
// A map of Go has the same form, with these types of Go:
//
//	bool, string                 bool, string
//	int32, int64 and their kin   int64. uint64 and fixed64 uint64
//	float, double                float64
//	bytes                        []byte
//	enum                         the value's name; an int64 where it has none
//	message                      map[string]any; a type with its own JSON form, such as Timestamp, has that form
//	repeated                     []any
//	map                          map[string]any, whose keys are texts
//
// Any form that JSON allows for a type is read too, and numbers of all of Go's number types. A field that is not set is absent from the map.
package pb
