//go:build tools

package kitex

// The compiler whose output the tests compare with; its version is that of go.mod.
import _ "github.com/cloudwego/thriftgo"
