// Package proto is the library that the code of protoc-gen-hone calls: it reads and writes the wire format of Protocol Buffers, for
// the structs that protoc-gen-go makes, without reflection.
//
// # Writing
//
// A message is written backwards, from its last byte to its first: so the length of a submessage is known when it must be written,
// and nothing is measured before. [Marshal] writes into a buffer that is used again, and copies the message out of it; a message
// that is longer than that buffer is written twice. This takes 0.6 to 0.8 of the time of SizePB and then MarshalToPB for messages
// of 0.6 to 18 KB, and as long for one text of 1 KB (bench/rpc/proto has both: "hone" and "sized"). A caller that has a buffer with
// room for the header of a frame before the message should call MarshalToPB: that saves the copy.
//
// The functions Put write a field so that it ends at an offset, and return the offset where it begins. That offset is below 0 where
// the buffer has no room, and nothing is written then: so with no buffer at all the same code returns the size.
//
// # Reading
//
// The [Decoder] remembers a fault of a message instead of returning it, so that generated code has no branch for errors: every read
// returns the value and the offset behind it. After a fault that offset is beyond the end of any message, so that all loops end.
//
// # Memory
//
// Three habits save most of the allocations. Each keeps memory for as long as one value in that memory is kept:
//   - Strings are slices of copies of stretches of the message, of 4 KiB at most ([Together]). [Apart] gives each string its own
//     memory, for strings that are kept long after the rest of their message.
//   - Messages of one type, members of oneofs, and lists of pointers and of strings share blocks of 4 KiB with others of the same message.
//   - Bytes of up to 512 bytes, numbers behind pointers (fields with presence) and short copies of strings come from batches of
//     2 KiB, which several messages may share.
//
// Nothing is allocated for a length or a count that a message only claims: lengths are compared with the bytes that remain, and
// elements are counted before they get memory.
//
// # What is left to google.golang.org/protobuf
//
// Messages of other Go packages that have no code of protoc-gen-hone, and contents of extensions. Enums are open, as in
// google.golang.org/protobuf: a number that an enum does not have stays in the field, in proto2 too.
package proto
