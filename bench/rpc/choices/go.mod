module hone/bench/rpc/choices

go 1.24
