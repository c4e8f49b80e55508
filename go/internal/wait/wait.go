// Package wait waits for a time that may be cut short.
package wait

import (
	"context"
	"time"
)

// For is true after a time, and false if ctx ends before. Where there is nothing to wait for it is true.
func For(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
