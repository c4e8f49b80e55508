package rpc

import (
	"context"
	"fmt"
	"sync"
	"time"

	"hone/go/rpc/policy/fanout"
	"hone/go/rpc/policy/limit"
)

// FanOut makes several calls to one service at a time for each request, but no more than the service answers without getting slow: it finds
// this number by their latency. All goroutines of a process share one FanOut for each service. It may make calls of any kind, by clients of this
// package and of others. docs/rpc/governance.md tells when to use it.
type FanOut struct {
	limit *fanout.Limit
	began time.Time
}

// NewFanOut makes a FanOut for calls to one service. The zero value of the options has the defaults.
func NewFanOut(options fanout.Options) (*FanOut, error) {
	made, err := fanout.New(options)
	if err != nil {
		return nil, err
	}
	return &FanOut{made, time.Now()}, nil
}

// Stats returns the present state of the limit.
func (f *FanOut) Stats() fanout.Stats { return f.limit.Stats() }

func (f *FanOut) now() time.Duration { return time.Since(f.began) }

// Do runs call for each index from 0 to below calls, each in a goroutine of its own, and returns once all have returned. The calls begin in
// order, as soon as there is room. After the first error no more calls begin, and the context of those under way is cancelled. A call that may
// fail without harm returns nil, unless its error is a timeout, which the limit must know of.
//
// # Errors
//
// The first error of a call; the context's error, if the context ends before all calls have begun; or an error with [ResourceExhausted] if the
// calls could not all end by the context's deadline: then none has begun. Without a deadline calls wait for room however long it takes.
func (f *FanOut) Do(ctx context.Context, calls int, call func(ctx context.Context, index int) error) error {
	if calls <= 0 {
		return nil
	}
	group, isLet := f.limit.Join(f.now(), f.deadline(ctx), calls)
	if !isLet {
		return f.refused(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var under sync.WaitGroup
	var failing sync.Once
	var failed error
	err := f.begin(ctx, group, calls, func(index int) {
		under.Go(func() {
			f.one(group, func() error {
				err := call(ctx, index)
				if err != nil {
					failing.Do(func() { failed = err })
					cancel()
				}
				return err
			})
		})
	})
	group.Leave(f.now())
	under.Wait()
	if failed != nil {
		return failed
	}
	return err
}

// begin begins calls as the limit lets them, until the context ends.
func (f *FanOut) begin(ctx context.Context, group *fanout.Group, calls int, one func(index int)) error {
	for index := range calls {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case _, isLet := <-group.Ready():
			if !isLet {
				return f.refused(ctx)
			}
			if ctx.Err() != nil {
				group.End(f.now(), 0, limit.Ignored)
				return context.Cause(ctx)
			}
			one(index)
		}
	}
	return nil
}

// one makes a call, and tells the limit how it ended.
func (f *FanOut) one(group *fanout.Group, call func() error) {
	began, end := f.now(), limit.Ignored
	// The limit must hear of the end even if the call panics or ends its goroutine.
	defer func() {
		now := f.now()
		group.End(now, now-began, end)
	}()
	switch CodeOf(call()) {
	case DeadlineExceeded, ResourceExhausted:
		end = limit.Dropped
	case Canceled, Unavailable:
	default:
		end = limit.Answered
	}
}

// deadline returns the deadline of a context in the time of the limit.
func (f *FanOut) deadline(ctx context.Context) time.Duration {
	deadline, has := ctx.Deadline()
	if !has {
		return fanout.NoDeadline
	}
	return deadline.Sub(f.began)
}

// refused returns the error of a fan-out in which no call has begun.
func (f *FanOut) refused(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	now := f.limit.Stats()
	return &Error{Code: ResourceExhausted, Message: fmt.Sprintf("the fan-out was not begun, since it would end after its deadline: %d calls are under way and %d wait; send less, or give it more time",
		now.Active, now.Waiting)}
}
