package metrics

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"hone/go/rpc"
)

// mostSeries is the largest number of series. Further calls are counted under the service and function "other": callers choose the
// names of functions that they call, and could make up as many as they like.
const mostSeries = 10_000

// Key is what calls have in common that are counted together.
type Key struct {
	Side            rpc.Side
	Service, Method string
	// Code is, where IsFallback is true, the code of the error that the fallback has replaced.
	Code       rpc.Code
	IsFallback bool
}

// KeyOf returns the key of a call that ended with this code.
func KeyOf(call *rpc.Call, code rpc.Code) Key {
	if call.FallbackFor != nil && code == rpc.OK {
		return Key{call.Side, call.Service, call.Method, rpc.CodeOf(call.FallbackFor), true}
	}
	return Key{call.Side, call.Service, call.Method, code, false}
}

// Series has a T for each key. The T counts the calls of that key: it may be a handle of a library for metrics. There are at most
// 10,000 of them, and a few for all other calls. Several goroutines may use a Series.
type Series[T any] struct {
	build func(Key) *T
	byKey sync.Map
	count atomic.Int64
}

// NewSeries makes an empty Series. The T of a key is built when the first call with that key ends.
func NewSeries[T any](build func(Key) *T) *Series[T] { return &Series[T]{build: build} }

// Of returns the T of a key. If there are too many keys already, it is the T of other calls.
func (s *Series[T]) Of(k Key) *T {
	if known, ok := s.byKey.Load(k); ok {
		return known.(*T)
	}
	if others := (Key{k.Side, "other", "other", k.Code, k.IsFallback}); s.count.Load() >= mostSeries && k != others {
		return s.Of(others)
	}
	made, wasKnown := s.byKey.LoadOrStore(k, s.build(k))
	if !wasKnown {
		s.count.Add(1)
	}
	return made.(*T)
}

// All returns every T with its key.
func (s *Series[T]) All() map[Key]*T {
	all := map[Key]*T{}
	s.byKey.Range(func(k, one any) bool {
		all[k.(Key)] = one.(*T)
		return true
	})
	return all
}

// Observe lets a call go on, and then calls observe with the T of the call and the time that it took. A call whose handler panics
// ended with [rpc.Internal]. A stream takes the time until it has ended, on the client too.
func (s *Series[T]) Observe(ctx context.Context, call *rpc.Call, next func(context.Context) error, observe func(*T, time.Duration)) error {
	began, code, isOpen := time.Now(), rpc.Internal, false
	defer func() {
		if !isOpen {
			observe(s.Of(KeyOf(call, code)), time.Since(began))
		}
	}()
	err := next(ctx)
	code = rpc.CodeOf(err)
	isOpen = err == nil && call.Stream != nil && s.observeStream(call, began, observe)
	return err
}

// observeStream is Observe for a stream that goes on. It returns false for any other call.
func (s *Series[T]) observeStream(call *rpc.Call, began time.Time, observe func(*T, time.Duration)) bool {
	return call.OnStreamEnd(func(err error) { observe(s.Of(KeyOf(call, rpc.CodeOf(err))), time.Since(began)) })
}
