module hone/mesh/tests/spiffe

go 1.25.0

require github.com/spiffe/go-spiffe/v2 v2.6.0
