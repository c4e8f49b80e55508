package rpc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/discovery"
	"github.com/cloudwego/kitex/pkg/rpcinfo"
	"github.com/cloudwego/kitex/server"

	"hone/go/compat/kitex/ours/shop/api"
	"hone/go/compat/kitex/ours/shop/base"
	"hone/go/compat/kitex/shop"
	"hone/go/rpc"
	"hone/go/thrift"
)

// load makes calls from several goroutines until it is ended, and then reports a lost call.
type load struct {
	callers sync.WaitGroup
	mu      sync.Mutex
	moved   *sync.Cond
	// calls are the numbers of answered calls by caller.
	calls   []int
	isEnded bool
	lost    error
}

func startLoad(caller thrift.Caller, callers int, mayRepeat func(error) bool) *load {
	l := &load{calls: make([]int, callers)}
	l.moved = sync.NewCond(&l.mu)
	shopper := api.NewShopClient(caller)
	l.callers.Add(callers)
	for n := range callers {
		go func() {
			defer l.callers.Done()
			for id := api.ItemID(n); ; id = (id + 100) % 3000 {
				item, err := shopper.Find(background, id, &base.Context{Caller: "me"})
				for err != nil && mayRepeat(err) {
					item, err = shopper.Find(background, id, &base.Context{Caller: "me"})
				}
				if err != nil || item.ID != id {
					err = fmt.Errorf("item %d: %w", id, err)
				}
				if !l.note(n, err) {
					return
				}
			}
		}()
	}
	return l
}

// note counts a call of a caller, and reports whether the caller should go on.
func (l *load) note(caller int, err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls[caller]++
	if err != nil {
		l.lost, l.isEnded = err, true
	}
	l.moved.Broadcast()
	return !l.isEnded
}

// awaitCalls returns when each caller has been answered twice more, or a call was lost: the second of these calls began after now.
func (l *load) awaitCalls() {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := slices.Clone(l.calls)
	for caller := range l.calls {
		for l.calls[caller] < before[caller]+2 && !l.isEnded {
			l.moved.Wait()
		}
	}
}

func (l *load) end(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	l.isEnded = true
	l.mu.Unlock()
	l.callers.Wait()
	if l.lost != nil {
		t.Error(l.lost)
	}
}

// registry gives Kitex's clients the present addresses of the service for each call.
type registry struct {
	addresses atomic.Value
	discovery.SynthesizedResolver
}

func newRegistry(addresses ...string) *registry {
	r := &registry{}
	r.set(addresses...)
	// Kitex caches by the name of a target, which is therefore the addresses.
	r.TargetFunc = func(context.Context, rpcinfo.EndpointInfo) string { return r.addresses.Load().(string) }
	r.ResolveFunc = func(_ context.Context, target string) (discovery.Result, error) {
		var instances []discovery.Instance
		for address := range strings.SplitSeq(target, ",") {
			instances = append(instances, discovery.NewInstance("tcp", address, discovery.DefaultWeight, nil))
		}
		return discovery.Result{Cacheable: true, CacheKey: target, Instances: instances}, nil
	}
	// Kitex caches by the name of a resolver.
	name := r.addresses.Load().(string)
	r.NameFunc = func() string { return name }
	return r
}

func (r *registry) set(addresses ...string) { r.addresses.Store(strings.Join(addresses, ",")) }

func TestCallsOfKitexsClientsAreAnsweredWhileOurServerEnds(t *testing.T) {
	for name, options := range muxed {
		t.Run(name, func(t *testing.T) {
			handler := shop.NewHandler()
			address, ending := serve(t, services{"Shop": handler})
			shopper := api.NewShopClient(dialKitex(t, "Shop", address, options...))
			results := make(chan error, 20)
			for range cap(results) {
				go func() { results <- shopper.Nothing(background) }()
			}
			for range cap(results) {
				<-handler.Entered
			}
			ended := make(chan error)
			go func() { ended <- ending.Shutdown(background) }()
			close(handler.Release)
			for range cap(results) {
				if err := <-results; err != nil {
					t.Error(err)
				}
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// A server that is no longer in a registry ends without the loss of a call.
func TestOurServerEndsUnderTheLoadOfKitexsClientsAndLosesNoCall(t *testing.T) {
	for name, options := range muxed {
		t.Run(name, func(t *testing.T) {
			staying, _ := serve(t, services{"Shop": shop.NewHandler()})
			leaving, ending := serve(t, services{"Shop": shop.NewHandler()})
			registry := newRegistry(staying, leaving)
			caller := dialKitex(t, "Shop", "", append(options[:len(options):len(options)], client.WithResolver(registry))...)
			load := startLoad(caller, 20, never)
			load.awaitCalls()
			registry.set(staying)
			load.awaitCalls()
			if err := ending.Shutdown(background); err != nil {
				t.Error(err)
			}
			load.awaitCalls()
			load.end(t)
		})
	}
}

func TestCallsOfOursAreAnsweredWhileKitexsMuxServerEnds(t *testing.T) {
	handler := shop.NewHandler()
	address, stop := serveKitex(t, services{"Shop": handler}, server.WithMuxTransport())
	shopper := api.NewShopClient(dial(t, address, rpc.TTHeader))
	_, ended := entered(t, handler, shopper, background)
	stopped := make(chan struct{})
	go func() {
		stop()
		close(stopped)
	}()
	// The server announces that it leaves: later calls are not sent over the connection, and no other connection can be opened.
	for stage := rpc.Stage(0); stage != rpc.Connecting; {
		_, err := shopper.Alive(background)
		var told *rpc.Error
		if errors.As(err, &told) {
			stage = told.Stage
		}
	}
	close(handler.Release)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	<-stopped
}

// Kitex's server drops answers that are ready while it closes its queue of answers. Their calls end all the same, with an error that says so, and the
// next call goes to another server.
func TestKitexsMuxServerEndsUnderTheLoadOfOurClient(t *testing.T) {
	staying, _ := serveKitex(t, services{"Shop": shop.NewHandler()}, server.WithMuxTransport())
	leaving, stop := serveKitex(t, services{"Shop": shop.NewHandler()}, server.WithMuxTransport())
	load := startLoad(dial(t, "tcp://"+staying+",tcp://"+leaving, rpc.TTHeader), 20, func(err error) bool { return rpc.CodeOf(err) == rpc.Unavailable })
	load.awaitCalls()
	stop()
	load.awaitCalls()
	load.end(t)
}

func never(error) bool { return false }
