module hone/go/compat

go 1.26.0

require (
	github.com/apache/thrift v0.25.0
	github.com/cloudwego/gopkg v0.2.0
	hone/go v0.0.0
)

require (
	github.com/bytedance/gopkg v0.1.4 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace hone/go => ../
