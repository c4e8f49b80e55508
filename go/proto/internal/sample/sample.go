// Package sample has messages for the tests of package proto. What protoc-gen-hone makes of them is committed, and shows what its code looks like.
package sample

//go:generate go -C ../../../compat/proto run ./generate -root ../../proto/internal/sample -prefix hone/go/proto/internal/sample -o ../../proto/internal/sample sample.proto
