// Package gen writes Go from Thrift's IDL: plain structs with their methods, and code that reads and writes them by package
// thrift.
//
//	idl.Program -> packages, by namespace -> files: types, codec, services -> gofmt
//
// The code that reads a struct asks for each of its fields once, in the order of their ids, and leaves everything else to
// thrift.Decoder.Rest; it has no branch for errors (docs/decisions/0021-thrift-without-error-branches.md). The code for a type of
// container is written once in a file.
package gen
