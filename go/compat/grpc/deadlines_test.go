package grpc

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hone/go/rpc"
)

// A server of grpc-go resets a call when its time is over, perhaps before the time is over by the caller's own clock.
func TestDeadlinesThatPassAreNoCancellations(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on a clock")
	}
	w := newWorld()
	_, address := setting{}.serveTheirs(t, w)
	c := setting{}.dialByOurs(t, address)
	for timeout, calls := range map[time.Duration]int{time.Millisecond: 2000, 5 * time.Millisecond: 1000, 50 * time.Millisecond: 200} {
		var others atomic.Int64
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range calls / 8 {
					ctx, cancel := context.WithTimeout(background, timeout)
					_, _, _, err := c.hello(ctx, wait)
					cancel()
					if rpc.CodeOf(err) != rpc.DeadlineExceeded || !errors.Is(err, context.DeadlineExceeded) {
						others.Add(1)
						t.Log(err)
					}
				}
			})
		}
		all.Wait()
		if got := others.Load(); got > 0 {
			t.Errorf("%d of %d calls with a timeout of %v end otherwise than with DeadlineExceeded", got, calls, timeout)
		}
	}
}
