module hone/go/compat/frugal

go 1.26.0

require (
	github.com/cloudwego/frugal v0.3.1
	hone/go v0.0.0
)

require (
	github.com/bytedance/gopkg v0.1.1 // indirect
	github.com/cloudwego/gopkg v0.1.2 // indirect
)

replace hone/go => ../../
