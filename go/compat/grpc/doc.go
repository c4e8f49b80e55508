// Package grpc holds tests of package rpc and of the services that protoc-gen-hone writes, against grpc-go, grpcio for Python and grpcurl, in
// both directions. It is a module of its own, so that grpc-go is no dependency of programs that use package rpc. The tests of the wire below
// package rpc are in go/rpc/compat/grpc.
package grpc
