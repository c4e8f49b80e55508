module hone/bench/kernel/gonet

go 1.26
