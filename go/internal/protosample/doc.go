// Package protosample has messages for the tests of packages proto and protogen. What protoc-gen-hone makes of them is committed, and shows what its code looks like.
package protosample

//go:generate go -C ../../compat/proto run ./generate -root ../../internal/protosample -prefix hone/go/internal/protosample -o ../../internal/protosample sample.proto
