// Package wait waits for a time, or until a context ends.
package wait

import (
	"context"
	"time"
)

// For waits for d. It returns true after that time, or at once if d is not positive, and false if ctx ends earlier.
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
