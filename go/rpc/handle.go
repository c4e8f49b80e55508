package rpc

import (
	"context"
	"runtime/debug"

	"hone/go/thrift"
)

// answerer is a call whose handler can be run.
type answerer interface {
	serve(ctx context.Context) error
}

// handle runs a handler within the server's limits and interceptors; the limits come first.
func (s *Server) handle(ctx *callContext, call answerer) (err error) {
	defer recovered(&err, ctx.call.Method)
	if err := ctx.Err(); err != nil {
		return &Error{Code: CodeOf(err), Message: "the call had ended when its turn came"}
	}
	if s.admission == nil {
		return s.intercept(ctx, call)
	}
	return s.admission.around(func() error { return s.intercept(ctx, call) })
}

func (s *Server) intercept(ctx *callContext, call answerer) error {
	if s.chained == nil {
		return call.serve(ctx)
	}
	return s.chained(ctx, ctx.call, call.serve)
}

// recovered turns a panic into an error.
func recovered(err *error, method string) {
	if value := recover(); value != nil {
		*err = &thrift.PanicError{Method: method, Value: value, Stack: debug.Stack()}
	}
}
