//go:build !race

// With the race detector, pools lose their contents now and then.

package link

import "testing"

func TestABufferIsGivenBackWithoutAnAllocation(t *testing.T) {
	give(take(0))
	if allocations := testing.AllocsPerRun(1000, func() { give(take(0)) }); allocations != 0 {
		t.Errorf("%g allocations", allocations)
	}
}
