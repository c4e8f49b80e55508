// Package ours holds the output of protoc-gen-go-grpc for the service that tests call: package peer alone, for the messages of
// hone/go/internal/greeter; package both beside the code of protoc-gen-hone, whose services are then in package bothrpc. The packages below are not
// committed: "go generate ./ours" makes them, as go/run-tests does.
package ours

//go:generate go run ../generate -o . -prefix hone/go/compat/grpc/ours
