package ours

import (
	"testing"

	"hone/go/internal/current"
)

func TestOursIsWhatHoneThriftMakes(t *testing.T) {
	current.Test(t, "hone/go/compat/kitex/ours")
}
