// Package grpc holds tests of the gRPC wire against grpc-go, in both directions. It is a module of its own, so that grpc-go is no dependency
// of programs that use package rpc, and lies below that package, whose internal packages it tests.
package grpc
