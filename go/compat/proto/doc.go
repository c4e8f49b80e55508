// Package proto tests the code of protoc-gen-hone against other code for the same messages: google.golang.org/protobuf, whose structs it is for, and
// vtprotobuf. It is a module of its own, so that hone/go depends on neither.
package proto
