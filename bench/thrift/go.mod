module hone/bench/thrift

go 1.26.0

require (
	github.com/apache/thrift v0.13.0
	github.com/cloudwego/frugal v0.3.1
	github.com/cloudwego/gopkg v0.2.0
	github.com/cloudwego/thriftgo v0.4.5
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da
	hone/go v0.0.0-00010101000000-000000000000
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/bytedance/gopkg v0.1.4 // indirect
	github.com/dlclark/regexp2 v1.11.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace hone/go => ../../go
