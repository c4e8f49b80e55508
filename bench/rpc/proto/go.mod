module hone/bench/rpc/proto

go 1.26.0

require (
	google.golang.org/protobuf v1.36.12
	hone/go v0.0.0
	hone/go/compat/proto v0.0.0
)

require github.com/planetscale/vtprotobuf v0.6.0 // indirect

replace (
	hone/go => ../../../go
	hone/go/compat/proto => ../../../go/compat/proto
)
