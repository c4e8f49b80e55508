module hone/bench/hub/programs

go 1.24
