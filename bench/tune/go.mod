module hone/bench/tune

go 1.26.0

require (
	github.com/bytedance/gopkg v0.1.4
	go.uber.org/automaxprocs v1.6.0
	hone/go v0.0.0-00010101000000-000000000000
)

replace hone/go => ../../go
