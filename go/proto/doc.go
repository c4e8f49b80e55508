// Package proto is what the code of protoc-gen-hone stands on: it reads and writes the wire format of Protocol Buffers, of the structs
// that protoc-gen-go makes, without reflection.
//
// # Writing
//
// A message is written backwards, from its last byte to its first: the length of a submessage is known when it is due, so that nothing is
// measured before. [Marshal] writes into a buffer that is used again, and copies the message out of it; a message that is longer than that
// buffer is written twice. This takes 0.6 to 0.8 of the time of SizePB and then MarshalToPB for messages of 0.6 to 18 KB, and as long for one text of 1 KB
// (bench/rpc/proto has both: "hone" and "sized"). Whoever has a buffer with room for the header of a frame before the message calls
// MarshalToPB and saves the copy.
//
// The functions Put write a field so that it ends at an offset, and give the offset where it begins. It is below 0 where the buffer has no room, and
// nothing is written then: so what the same code gives for no buffer at all is the size.
//
// # Reading
//
// What is wrong with a message is remembered by the [Decoder], not returned, so that generated code has no branch for errors: every read gives the value and
// the offset behind it, which after a fault is beyond all messages, so that all loops end.
//
// # Memory
//
// Three habits save most of the allocations, and each keeps memory for as long as one value in it is kept:
//   - Strings are parts of copies of stretches of the message, of 4 KiB at most ([Together]). [Apart] gives each its own memory, for what is kept long after the rest
//     of its message.
//   - Messages of one type, members of oneofs, and lists of pointers and of strings share blocks of 4 KiB with others of the same message.
//   - Bytes of up to 512 bytes, numbers behind pointers (fields with presence) and short copies of strings come from batches of 2 KiB, also of several messages.
//
// Nothing is allocated for a length or a count that a message only claims: lengths are compared with what remains, and elements are counted before there is memory for them.
//
// # What is left to google.golang.org/protobuf
//
// Messages of other Go packages that have no code of protoc-gen-hone, and contents of extensions. Enums are open, as they are there: a number that an enum does not have stays in
// the field, in proto2 too.
package proto
