package rpc

import (
	"context"
	"runtime/pprof"
)

// Profiles tell the CPU time of calls apart by labels of the goroutines that work on them: service and method. A goroutine has the labels of
// a call only while it works on that call: workers and readers, which work on many calls, have none between two of them. Work for many calls
// at once has none either, except the writing of gathered answers: it has the labels of the call whose worker writes them.

// labelsOf returns a context with the labels of a function.
func labelsOf(service, method string) context.Context {
	return pprof.WithLabels(context.Background(), pprof.Labels("service", service, "method", method))
}

// label gives the goroutine the labels of the call's function, if that is known.
func (c *callContext) label() {
	if c.labels != nil {
		pprof.SetGoroutineLabels(c.labels)
	}
}

// unlabel takes all labels from the goroutine.
func unlabel() { pprof.SetGoroutineLabels(context.Background()) }

// goUnlabelled starts a goroutine that outlives the call which needed it first: without the labels of that call, which it would inherit.
func goUnlabelled(run func()) {
	go func() {
		unlabel()
		run()
	}()
}
