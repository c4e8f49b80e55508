// Package protosample has messages for the tests of packages proto and protogen. The output of protoc-gen-hone for them is committed, as an example
// of its code.
package protosample

//go:generate go -C ../../compat/proto run ./generate -root ../../internal/protosample -prefix hone/go/internal/protosample -o ../../internal/protosample sample.proto
