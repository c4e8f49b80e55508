module hone/bench/fanout

go 1.26.0

require hone/go v0.0.0-00010101000000-000000000000

replace hone/go => ../../go
