// Package proto holds the code of protoc-gen-hone against others' code for the same messages: google.golang.org/protobuf, whose structs it is
// for, and vtprotobuf. It is a module of its own, so that hone/go needs none of theirs.
package proto
