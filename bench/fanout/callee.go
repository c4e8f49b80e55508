package main

import (
	"container/heap"
	"time"
)

// callee is a service whose CPUs are shared equally by its calls, as threads share those of a machine.
type callee struct {
	cpus int
	now  time.Duration
	// had is the CPU time of a call that has been present from the beginning. A call ends when had has grown by the call's work.
	had   float64
	calls works
	used  float64 // CPU time of all calls
}

// work is a call in the callee.
type work struct {
	call  *call
	end   float64 // of [callee.had]
	index int     // in the heap; -1 when it is done
}

// works is a heap of calls, the first to end first.
type works []*work

func (w works) Len() int           { return len(w) }
func (w works) Less(i, j int) bool { return w[i].end < w[j].end }
func (w works) Swap(i, j int) {
	w[i], w[j] = w[j], w[i]
	w[i].index, w[j].index = i, j
}
func (w *works) Push(x any) {
	x.(*work).index = len(*w)
	*w = append(*w, x.(*work))
}
func (w *works) Pop() any {
	last := (*w)[len(*w)-1]
	*w, last.index = (*w)[:len(*w)-1], -1
	return last
}

// busy returns the number of used CPUs.
func (c *callee) busy() int { return min(c.cpus, len(c.calls)) }

// advance moves the time to a later moment, which must not be after the end of the next call.
func (c *callee) advance(to time.Duration) {
	if n := len(c.calls); n > 0 {
		used := float64(to-c.now) * float64(c.busy())
		c.used += used
		c.had += used / float64(n)
	}
	c.now = to
}

// add begins a call.
func (c *callee) add(made *call) *work {
	w := &work{call: made, end: c.had + float64(made.work)}
	heap.Push(&c.calls, w)
	return w
}

// stop ends a call before it is done.
func (c *callee) stop(w *work) {
	if w.index >= 0 {
		heap.Remove(&c.calls, w.index)
	}
}

// nextEnd returns the time when the next call is done.
func (c *callee) nextEnd() time.Duration {
	if len(c.calls) == 0 {
		return never
	}
	left := max(c.calls[0].end-c.had, 0) * float64(len(c.calls)) / float64(c.busy())
	return c.now + time.Duration(left+0.5)
}

// done removes and returns the call that has ended.
func (c *callee) done() *call { return heap.Pop(&c.calls).(*work).call }
