// Package ours holds what protoc-gen-go, protoc-gen-hone and vtprotobuf make of definitions: those of testdata, those of the tests of
// google.golang.org/protobuf, and OpenTelemetry's. The packages below are not committed: "go generate ./ours" makes them, as go/run-tests does.
package ours

//go:generate go run ../generate -o . -prefix hone/go/compat/proto/ours
