module hone/go/compat/grpc

go 1.26.0

require (
	golang.org/x/net v0.62.0
	google.golang.org/grpc v1.85.0
	hone/go v0.0.0
)

replace hone/go => ../../
