module shops

go 1.24

require hone/go v0.0.0

replace hone/go => ../../go
