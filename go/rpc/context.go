package rpc

import (
	"context"
	"sync"
	"time"

	"hone/go/rpc/internal/h2"
)

// callContext is the context of a handler. It costs nothing until somebody asks whether it has ended: only then is a timer started, and
// the connection told to end the context.
type callContext struct {
	conn *serverConn
	call *Call
	// labels holds the labels of the function, for profiles.
	labels context.Context
	// stream is the stream whose end ends the call before its connection does; nil if there is none.
	stream   *h2.Stream
	deadline time.Time

	mu   sync.Mutex
	done chan struct{}
	err  error
	// after holds functions to run when the context ends.
	after map[*func()]struct{}
	timer *time.Timer
	// isWatched is true once the end of the connection ends the context.
	isWatched bool
}

// Deadline implements [context.Context].
func (c *callContext) Deadline() (time.Time, bool) { return c.deadline, !c.deadline.IsZero() }

// Done implements [context.Context].
func (c *callContext) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	done := c.doneLocked()
	c.watch()
	return done
}

func (c *callContext) doneLocked() <-chan struct{} {
	if c.done == nil {
		c.done = make(chan struct{})
		if c.err != nil {
			close(c.done)
		}
	}
	return c.done
}

// endWith ends the context when other is closed, unless done is closed first.
func (c *callContext) endWith(other, done <-chan struct{}) {
	select {
	case <-other:
		c.end(context.Canceled)
	case <-done:
	}
}

// watch makes the context end by its deadline and with its connection. It is called with the lock.
func (c *callContext) watch() {
	if c.isWatched || c.err != nil {
		return
	}
	c.isWatched = true
	if !c.deadline.IsZero() {
		c.timer = time.AfterFunc(time.Until(c.deadline), func() { c.end(context.DeadlineExceeded) })
	}
	if !c.conn.watch(c) {
		c.endLocked(context.Canceled)
	}
	if c.stream != nil {
		go c.endWith(c.stream.Done(), c.doneLocked())
	}
}

// Err implements [context.Context].
func (c *callContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		switch {
		case !c.deadline.IsZero() && !time.Now().Before(c.deadline):
			c.endLocked(context.DeadlineExceeded)
		case c.conn.isClosed() || c.stream != nil && c.stream.Err() != nil:
			c.endLocked(context.Canceled)
		}
	}
	return c.err
}

// AfterFunc runs a function in a goroutine of its own once the context ends. Package context looks for this method, and needs no
// goroutine for contexts that are derived from this one.
func (c *callContext) AfterFunc(run func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watch()
	if c.err != nil {
		go run()
		return func() bool { return false }
	}
	if c.after == nil {
		c.after = map[*func()]struct{}{}
	}
	key := &run
	c.after[key] = struct{}{}
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, waits := c.after[key]
		delete(c.after, key)
		return waits
	}
}

// Value implements [context.Context].
func (c *callContext) Value(key any) any {
	switch key.(type) {
	case callKey:
		return c.call
	case outgoingKey:
		if set := c.call.incoming(); len(set.lasting) > 0 {
			return outgoing{lasting: set.lasting}
		}
		return nil
	}
	// The labels for profiles: pprof.Do keeps them beside its own.
	return c.labels.Value(key)
}

// end ends the context, if it has not ended before.
func (c *callContext) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endLocked(err)
}

func (c *callContext) endLocked(err error) {
	if c.err != nil {
		return
	}
	c.err = err
	if c.done != nil {
		close(c.done)
	}
	if c.timer != nil {
		c.timer.Stop()
	}
	for run := range c.after {
		go (*run)()
	}
	c.after = nil
}

// finish ends the context when its handler has returned.
func (c *callContext) finish() {
	c.mu.Lock()
	isWatched := c.isWatched
	c.endLocked(context.Canceled)
	c.mu.Unlock()
	if isWatched {
		c.conn.unwatch(c)
	}
}
