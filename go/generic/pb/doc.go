// Package pb is package generic for protobuf: what a method takes and gives is JSON text, or a map of Go, on one side, and a message of
// protobuf on the other, by descriptors alone.
//
// JSON is that of protobuf (https://protobuf.dev/programming-guides/json), by protojson. Errors of it are told with the path to the value and
// the name that was meant.
//
// A map of Go has the same form, with the types of Go that hold values as they are:
//
//	bool, string                 bool, string
//	int32, int64 and their kin   int64. uint64 and fixed64 uint64
//	float, double                float64
//	bytes                        []byte
//	enum                         the value's name; an int64 where it has none
//	message                      map[string]any; those with a JSON of their own, such as Timestamp, as that is
//	repeated                     []any
//	map                          map[string]any, whose keys are texts
//
// All that JSON takes for a type is read too, and numbers of all types of Go. Fields that are not set are absent.
package pb
