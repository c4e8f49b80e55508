module hone/mesh/tests/load

go 1.25.0
