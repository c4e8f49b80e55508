module hone/bench/shm

go 1.26.0

require (
	github.com/cloudwego/shmipc-go v0.2.0
	hone/bench/gauge v0.0.0-00010101000000-000000000000
	hone/go v0.0.0-00010101000000-000000000000
)

require (
	github.com/bytedance/gopkg v0.0.0-20220817015305-b879a72dc90f // indirect
	github.com/go-ole/go-ole v1.2.6 // indirect
	github.com/power-devops/perfstat v0.0.0-20210106213030-5aafc221ea8c // indirect
	github.com/shirou/gopsutil/v3 v3.22.1 // indirect
	github.com/yusufpapurcu/wmi v1.2.2 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace (
	hone/bench/gauge => ../gauge
	hone/go => ../../go
)
