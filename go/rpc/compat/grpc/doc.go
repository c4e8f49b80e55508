// Package grpc holds tests of the gRPC wire against grpc-go, in both directions. It is a module of its own, so that programs that
// use package rpc do not depend on grpc-go. It lies below package rpc, so that it may test that package's internal packages.
package grpc
