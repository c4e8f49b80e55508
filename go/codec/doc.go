// Package codec reads and writes structs with Thrift tags without generated code. It reads and writes the Binary protocol, and by
// [Compact] the Compact protocol, for generated structs too.
//
// A tag makes a field part of the message, in one of two ways:
//
//	Labels []string `thrift:"labels,4,optional,list<string>"`
//	Labels []string `frugal:"4,optional,list<string>"`
//
// The first tag, which generated structs have, gives name, id, requiredness and type; the parts after the id may be left out. The
// requiredness is required, optional or default. The type is needed where Go's type leaves a choice: i32 for an int64 that is an
// enum, set where a slice is not a list. Structs made for Frugal have the second tag.
//
// Go types are those of generated structs: bool, int8, int16, int32, int64, float64, string, []byte and [16]byte, types defined by
// them, slices, maps, structs and pointers to structs; slices of [thrift.Pair] for maps with keys that Go cannot compare; and
// pointers to scalars where a field is optional. An optional scalar that is no pointer is written where it differs from its
// default. Defaults come from a method InitDefault() and are set in every struct that the package makes while it reads, but not in
// the struct that the caller gives. Fields without a tag are not part of the message.
//
// Fields of a message that a struct does not have are skipped. A struct with the method KeepUnknown of [thrift.UnknownKeeper] is
// given these fields, and the bytes in its field "unknown []byte" are written again, as generated structs do.
//
// A type is looked at once; the result serves all messages. The bytes that are written, the messages that are accepted, limits and
// errors are those of generated code, since both use package thrift.
package codec
