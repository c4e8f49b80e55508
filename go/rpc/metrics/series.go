package metrics

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"hone/go/rpc"
)

// mostSeries is how many series there may be. Calls of others are counted as those of service and function "other": the names of functions
// that are called are the callers', who could make up as many as they like.
const mostSeries = 10_000

// Key is what calls have in common that are counted together.
type Key struct {
	Side            rpc.Side
	Service, Method string
	// Code is that of the error in the place of which a fallback has answered, where IsFallback is true.
	Code       rpc.Code
	IsFallback bool
}

// KeyOf is the key of a call that ended so.
func KeyOf(call *rpc.Call, code rpc.Code) Key {
	if call.FallbackFor != nil && code == rpc.OK {
		return Key{call.Side, call.Service, call.Method, rpc.CodeOf(call.FallbackFor), true}
	}
	return Key{call.Side, call.Service, call.Method, code, false}
}

// Series is a T for each key: what counts these calls, such as a handle of a library for metrics. There are at most 10,000 of them, and a
// few for others. Several goroutines may use it.
type Series[T any] struct {
	build func(Key) *T
	byKey sync.Map
	count atomic.Int64
}

// NewSeries is empty: what counts the calls of a key is built when the first of them ends.
func NewSeries[T any](build func(Key) *T) *Series[T] { return &Series[T]{build: build} }

// Of gives what counts the calls of a key. Where there are too many keys already it is that of others.
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

// All are those that there are.
func (s *Series[T]) All() map[Key]*T {
	all := map[Key]*T{}
	s.byKey.Range(func(k, one any) bool {
		all[k.(Key)] = one.(*T)
		return true
	})
	return all
}

// Observe lets a call go on, and tells how long it took to what counts it. A call whose handler panics ended with [rpc.Internal]. A stream takes
// until it has ended, on the client too.
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

// observeStream is Observe for a stream that goes on; false where it does not.
func (s *Series[T]) observeStream(call *rpc.Call, began time.Time, observe func(*T, time.Duration)) bool {
	return call.OnStreamEnd(func(err error) { observe(s.Of(KeyOf(call, rpc.CodeOf(err))), time.Since(began)) })
}
