package limit

import (
	"fmt"
	"sync/atomic"
)

// Concurrency bounds the number of calls, or connections, at a time.
type Concurrency struct {
	limit, active atomic.Int64
}

// NewConcurrency makes a bound with a limit of at least 1.
func NewConcurrency(limit int) (*Concurrency, error) {
	c := new(Concurrency)
	return c, c.Set(limit)
}

// Set changes the limit. Calls above a lower limit stay until they are released.
func (c *Concurrency) Set(limit int) error {
	if limit < 1 {
		return fmt.Errorf("limit: at most %d at once; write a number of at least 1", limit)
	}
	c.limit.Store(int64(limit))
	return nil
}

// Acquire reports whether there is room for one more call. The caller then calls [Concurrency.Release], once.
func (c *Concurrency) Acquire() bool { return acquire(&c.active, c.limit.Load()) }

// Release gives back the room that [Concurrency.Acquire] gave.
func (c *Concurrency) Release() { c.active.Add(-1) }

// Active returns the present number of calls or connections.
func (c *Concurrency) Active() int { return int(c.active.Load()) }

// acquire counts one more call, if their number is below a limit. It uses a compare-and-swap, not an addition that is taken back:
// additions of goroutines that are refused would keep others out.
func acquire(active *atomic.Int64, limit int64) bool {
	for {
		n := active.Load()
		if n >= limit {
			return false
		}
		if active.CompareAndSwap(n, n+1) {
			return true
		}
	}
}
