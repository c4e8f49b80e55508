module shops

go 1.26.0

require hone/go v0.0.0

replace hone/go => ../../go
