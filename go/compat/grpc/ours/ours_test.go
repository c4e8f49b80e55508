package ours

import (
	"testing"

	"hone/go/internal/current"
)

func TestOursIsWhatThePluginsMake(t *testing.T) {
	current.Test(t, "hone/go/compat/grpc/ours")
}
