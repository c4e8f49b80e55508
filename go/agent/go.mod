module hone/go/agent

go 1.24

require (
	hone/clients/go v0.0.0
	hone/go v0.0.0
)

replace (
	hone/clients/go => ../../clients/go
	hone/go => ../
)
