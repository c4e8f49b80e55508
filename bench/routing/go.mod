module hone/bench/routing

go 1.26.0

require (
	hone/bench/gauge v0.0.0-00010101000000-000000000000
	hone/bench/rpc v0.0.0-00010101000000-000000000000
	hone/go v0.0.0-00010101000000-000000000000
)

require (
	github.com/google/pprof v0.0.0-20240727154555-813a5fbdbec8 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace (
	hone/bench/gauge => ../gauge
	hone/bench/rpc => ../rpc
	hone/go => ../../go
)
