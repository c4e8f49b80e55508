// Package codec reads and writes structs with Thrift tags without generated code: the Binary protocol, and by
// [Compact] the Compact protocol for generated structs too.
//
// A field is announced by its tag, in one of two ways:
//
//	Labels []string `thrift:"labels,4,optional,list<string>"`
//	Labels []string `frugal:"4,optional,list<string>"`
//
// The first one, which generated structs have, gives name, id, requiredness and type; what follows the id may be left out. The
// requiredness is required, optional or default. The type is needed where Go's type leaves a choice: i32 for an int64 that is
// an enum, set where a slice is not a list. The second one is that of structs made for Frugal.
//
// Go types are those of generated structs: bool, int8, int16, int32, int64, float64, string, []byte and [16]byte, types
// defined by them, slices, maps, structs and pointers to structs; slices of [thrift.Pair] for maps whose keys Go cannot compare;
// and pointers to scalars where a field is optional. An optional scalar that is no pointer is written where it differs from
// its default. Defaults come from a method InitDefault() and are set in every struct that is made while reading, but not
// in the one that the caller gives. Fields without a tag are not of the message.
//
// Fields of a message that a struct does not have are skipped. A struct with the method KeepUnknown of [thrift.UnknownKeeper] is
// given them, and what its field "unknown []byte" holds is written again, as generated structs have it.
//
// A type is looked at once; what was found serves all messages. What is written, what is accepted, limits and errors are those of
// generated code, with package thrift below both.
package codec
