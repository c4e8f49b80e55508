package main

import (
	"testing"

	"hone/bench/rpc/harness/check"
)

func TestCallsAreAnswered(t *testing.T) {
	check.Answers(t, stack, "mux", "mux-frugal", "mux-apache", "pool", "pool-ttheader")
}
