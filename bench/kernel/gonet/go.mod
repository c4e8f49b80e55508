module hone/bench/kernel

go 1.26
