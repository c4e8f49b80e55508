package gauge

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// tick is the interval at which due calls are handed out.
	tick = 100 * time.Microsecond
	// mostDue is the largest number of calls that wait for a caller.
	mostDue = 1 << 16
)

// arrivals returns a channel of the moments at which calls are due: a Poisson process of the given rate, the same for every load. Latency counts from
// these moments, so that a call which has to wait for earlier ones does not pass for a fast one. A call that is due while mostDue calls wait counts
// as unsent. The channel is closed when the context ends.
//
// The clock is a timer of the kernel that Go's poller waits for: the timers of Go's runtime are a millisecond late when nothing else runs.
func arrivals(ctx context.Context, perSecond float64, unsent *atomic.Int64) (<-chan time.Time, error) {
	timer, err := newTicker(tick)
	if err != nil {
		return nil, err
	}
	due := make(chan time.Time, mostDue)
	go func() {
		defer close(due)
		defer timer.Close()
		random := rand.New(rand.NewPCG(1, 2))
		next := time.Now()
		var ticks [8]byte
		for ctx.Err() == nil {
			if _, err := timer.Read(ticks[:]); err != nil {
				return
			}
			for now := time.Now(); !next.After(now); {
				select {
				case due <- next:
				default:
					unsent.Add(1)
				}
				next = next.Add(time.Duration(random.ExpFloat64() / perSecond * float64(time.Second)))
			}
		}
	}()
	return due, nil
}

func newTicker(period time.Duration) (*os.File, error) {
	descriptor, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("timerfd_create: %w", err)
	}
	every := unix.NsecToTimespec(int64(period))
	if err := unix.TimerfdSettime(descriptor, 0, &unix.ItimerSpec{Interval: every, Value: every}, nil); err != nil {
		unix.Close(descriptor)
		return nil, fmt.Errorf("timerfd_settime: %w", err)
	}
	return os.NewFile(uintptr(descriptor), "timer"), nil
}
