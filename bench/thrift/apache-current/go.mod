module hone/bench/thrift/apache-current

go 1.26.0

require (
	github.com/apache/thrift v0.25.0
	hone/bench/thrift v0.0.0
)

require hone/go v0.0.0 // indirect

replace hone/bench/thrift => ../

replace hone/go => ../../../go
