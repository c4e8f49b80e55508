module hone/clients/go

go 1.23
