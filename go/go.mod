module hone/go

go 1.24
