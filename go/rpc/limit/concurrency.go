package limit

import (
	"fmt"
	"sync/atomic"
)

// Concurrency bounds how many calls, or connections, there are at once.
type Concurrency struct {
	limit, active atomic.Int64
}

// NewConcurrency bounds by a limit of at least 1.
func NewConcurrency(limit int) (*Concurrency, error) {
	c := new(Concurrency)
	return c, c.Set(limit)
}

// Set changes the limit. What is above a lower limit stays until it is released.
func (c *Concurrency) Set(limit int) error {
	if limit < 1 {
		return fmt.Errorf("limit: at most %d at once; write a number of at least 1", limit)
	}
	c.limit.Store(int64(limit))
	return nil
}

// Acquire is true if there is room for one more, which is then released by [Concurrency.Release], once.
func (c *Concurrency) Acquire() bool { return acquire(&c.active, c.limit.Load()) }

// Release gives back what [Concurrency.Acquire] let in.
func (c *Concurrency) Release() { c.active.Add(-1) }

// Active is how many there are now.
func (c *Concurrency) Active() int { return int(c.active.Load()) }

// acquire counts one more below a limit. It is a compare-and-swap, not an addition that is taken back: additions of goroutines that are
// refused would keep others out.
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
