//go:build tools

// Package tools keeps the versions of programs that the benchmarks run.
package tools

import (
	_ "github.com/cloudwego/thriftgo"
	_ "golang.org/x/perf/cmd/benchstat"
)
