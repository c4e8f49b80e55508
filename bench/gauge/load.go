package gauge

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Call makes one call, or passes one message of a stream, and returns an error for a wrong answer.
type Call func(ctx context.Context) error

// Load makes calls until it is stopped, and counts those that end while it counts. Failed calls always count.
type Load struct {
	Latency Histogram
	Done    atomic.Int64
	Errors  atomic.Int64
	// Unsent is the number of due calls for which no caller was free.
	Unsent atomic.Int64

	ctx     context.Context
	cancel  context.CancelFunc
	counts  atomic.Bool
	running sync.WaitGroup
	first   sync.Once
	err     error
}

// Start starts a load: for a rate of 0 each caller makes one call after the other, else all callers together make perSecond calls a second.
//
// # Errors
//
// The errors of the timer for a rate.
func Start(calls []Call, perSecond float64) (*Load, error) {
	l := new(Load)
	l.ctx, l.cancel = context.WithCancel(context.Background())
	if perSecond == 0 {
		for _, call := range calls {
			l.running.Go(func() {
				for l.ctx.Err() == nil {
					l.call(call, time.Now())
				}
			})
		}
		return l, nil
	}
	due, err := arrivals(l.ctx, perSecond, &l.Unsent)
	if err != nil {
		l.cancel()
		return nil, err
	}
	for _, call := range calls {
		l.running.Go(func() {
			for began := range due {
				l.call(call, began)
			}
		})
	}
	return l, nil
}

// Count counts calls for the time during.
func (l *Load) Count(during time.Duration) {
	l.counts.Store(true)
	time.Sleep(during)
	l.counts.Store(false)
}

// Stop ends new calls. Pending ones go on until [Load.Wait] returns.
func (l *Load) Stop() { l.cancel() }

// Wait waits until the last call has ended after [Load.Stop], and returns the error of the first failed call.
func (l *Load) Wait() error {
	l.running.Wait()
	return l.err
}

// call makes a call that begins, or should have begun, at a moment.
func (l *Load) call(call Call, began time.Time) {
	// The load's own context would end while the last calls are made.
	err := call(context.Background())
	if err != nil {
		l.Errors.Add(1)
		l.first.Do(func() { l.err = err })
		return
	}
	if l.counts.Load() {
		l.Latency.Record(time.Since(began))
		l.Done.Add(1)
	}
}
