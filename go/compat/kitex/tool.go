//go:build tools

package kitex

// The compilers whose output the tests compare with, and their dependencies; their versions are those of go.mod.
import (
	_ "github.com/cloudwego/kitex/client"
	_ "github.com/cloudwego/kitex/server"
	_ "github.com/cloudwego/kitex/tool/cmd/kitex"
	_ "github.com/cloudwego/thriftgo"
)
