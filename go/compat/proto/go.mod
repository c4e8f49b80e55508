module hone/go/compat/proto

go 1.26.0

require (
	github.com/bufbuild/protocompile v0.14.1
	github.com/planetscale/vtprotobuf v0.6.0
	go.opentelemetry.io/proto/otlp v1.7.1
	google.golang.org/protobuf v1.36.12
	hone/go v0.0.0
)

require (
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sync v0.8.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace hone/go => ../../
