// Package ours holds the output of protoc-gen-go, protoc-gen-hone and vtprotobuf for the definitions of testdata, of the tests of
// google.golang.org/protobuf, and of OpenTelemetry. The packages below are not committed: "go generate ./ours" makes them, as go/run-tests does.
package ours

//go:generate go run ../generate -o . -prefix hone/go/compat/proto/ours
