//go:build tools

// Package tools keeps the versions of programs that the benchmarks run.
package tools

import (
	_ "github.com/cloudwego/kitex/tool/cmd/kitex"
	_ "google.golang.org/grpc/cmd/protoc-gen-go-grpc"
	_ "google.golang.org/protobuf/cmd/protoc-gen-go"
)
