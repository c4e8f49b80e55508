package rpc_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/rpc"
	"hone/go/thrift"
)

func TestFunctionsAreCalledOverEveryWire(t *testing.T) {
	eachWire(t, func(t *testing.T, s *setting) {
		if alive, err := s.shopper.Alive(background); !alive || err != nil {
			t.Fatal("a function of the service that it extends:", alive, err)
		}
		for _, size := range []api.ItemID{0, 100, 70000, 3 << 20} {
			item, err := s.shopper.Find(background, size, nil)
			if err != nil || item.ID != size || len(item.Raw) != int(size) || item.Name != "none" {
				t.Fatal(size, item.GetID(), err)
			}
		}
		if n, err := s.shopper.Order(background, &api.Order{Items: []int64{1, 2}}, 2); err != nil || n != 2 {
			t.Fatal(n, err)
		}
		if all, err := s.shopper.All(background); err != nil || all == nil || len(all) != 0 {
			t.Fatal("nil is an empty result:", all, err)
		}
		if err := s.shopper.Forget(background, 9); err != nil {
			t.Fatal(err)
		}
		if id := <-s.forgotten; id != 9 {
			t.Fatal(id)
		}
		if alive, err := s.shopper.Alive(background); !alive || err != nil {
			t.Fatal("after a one-way call:", alive, err)
		}
	})
}

func TestErrorsComeToTheCallerOverEveryWire(t *testing.T) {
	eachWire(t, func(t *testing.T, s *setting) {
		_, err := s.shopper.Find(background, -1, &base.Context{Caller: "me"})
		var missing *base.NotFound
		if !errors.As(err, &missing) || missing.Key != "of me" {
			t.Fatal("a declared exception:", err)
		}
		for id, text := range map[api.ItemID]string{-2: "the shelf fell over", -3: "not you", -5: "the handler panicked"} {
			_, err = s.shopper.Find(background, id, nil)
			var told *rpc.Error
			var exception *thrift.ApplicationException
			if !errors.As(err, &told) || told.Stage != rpc.Answering || !errors.As(err, &exception) || !strings.Contains(err.Error(), text) {
				t.Fatal(id, err)
			}
			if !strings.HasPrefix(err.Error(), "Shop.find at "+s.address+": answered: ") {
				t.Fatal("which call, which address, which stage:", err)
			}
			if wire := s.client.Wire; id == -3 && wire <= rpc.TTHeaderCompact && told.Code != rpc.PermissionDenied {
				t.Fatal("a TTHeader carries the code:", told.Code)
			}
		}
		if _, err = s.shopper.Find(background, -4, nil); err == nil || !strings.Contains(err.Error(), "the answer has no result") {
			t.Fatal(err)
		}
		if _, err = s.shopper.Find(background, -6, nil); err == nil {
			t.Fatal("a nil exception is an error too")
		}
		err = s.client.Call(background, "Missing", nothing{}, &nothing{})
		if rpc.CodeOf(err) != rpc.Unimplemented || !strings.Contains(err.Error(), "unknown function Missing") {
			t.Fatal(err)
		}
		if alive, err := s.shopper.Alive(background); !alive || err != nil {
			t.Fatal("after errors:", alive, err)
		}
	})
}

// nothing is a struct without fields.
type nothing struct{}

func (nothing) WriteThrift(b []byte, off int) int          { return thrift.PutEnd(b, off) }
func (*nothing) ReadThrift(d *thrift.Decoder, off int) int { return d.Rest(nil, off, d.Key(off), 0, 0) }

func TestManyCallersShareAConnection(t *testing.T) {
	eachWire(t, func(t *testing.T, s *setting) {
		var callers sync.WaitGroup
		for caller := range 100 {
			callers.Add(1)
			go func() {
				defer callers.Done()
				for turn := range 30 {
					size := api.ItemID((caller*31 + turn*977) % 5000)
					item, err := s.shopper.Find(background, size, nil)
					if err != nil || item.ID != size || len(item.Raw) != int(size) {
						t.Error(size, item.GetID(), err)
						return
					}
				}
			}()
		}
		callers.Wait()
	})
}

func TestACallEndsByItsDeadlineOnBothSides(t *testing.T) {
	for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.TTHeaderCompact} {
		s := set(t, "tcp", wire)
		err := s.shopper.Nothing(within(t, 50*time.Millisecond))
		if !errors.Is(err, context.DeadlineExceeded) || rpc.CodeOf(err) != rpc.DeadlineExceeded {
			t.Fatal(err)
		}
		// If the handler had not ended too, Shutdown would wait for it.
		if err := s.server.Shutdown(within(t, testPatience)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnAnswerThatComesTooLateIsNoOthers(t *testing.T) {
	s := set(t, "unix", rpc.TTHeader)
	for range 100 {
		ctx, cancel := context.WithCancel(background)
		result := make(chan error)
		go func() { result <- s.shopper.Nothing(ctx) }()
		<-s.entered
		cancel()
		if err := <-result; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		s.release <- struct{}{}
		if n, err := s.shopper.Order(background, &api.Order{Items: []int64{1, 2, 3}}, 5); err != nil || n != 3 {
			t.Fatal(n, err)
		}
	}
}

func TestTheEndOfAConnectionReachesHandlers(t *testing.T) {
	s := set(t, "tcp", rpc.TTHeader)
	result := make(chan error)
	go func() { result <- s.shopper.Nothing(background) }()
	<-s.entered
	s.client.Close()
	if err := <-result; rpc.CodeOf(err) != rpc.Unavailable {
		t.Fatal(err)
	}
	if err := s.server.Shutdown(within(t, testPatience)); err != nil {
		t.Fatal(err)
	}
}

func TestMetadataGoesOneHopOrAllTheWay(t *testing.T) {
	s := set(t, "tcp", rpc.TTHeader)
	ctx := rpc.WithMetadata(rpc.WithPropagated(background, "trace", "t1"), "only-here", "x")
	if _, err := s.shopper.Order(ctx, &api.Order{}, 1); err != nil {
		t.Fatal(err)
	}
	seen := <-s.seen
	if got := rpc.Incoming(seen).Get("only-here"); got != "x" {
		t.Fatal(got)
	}
	if got := rpc.Propagated(seen).Get("trace"); got != "t1" {
		t.Fatal(got)
	}
	// The handler makes a call of its own.
	if _, err := s.shopper.Order(seen, &api.Order{}, 1); err == nil {
		t.Fatal("the context of a call that has ended is used for another one")
	}
	if _, err := s.shopper.Order(context.WithoutCancel(seen), &api.Order{}, 1); err != nil {
		t.Fatal(err)
	}
	seen = <-s.seen
	if rpc.Propagated(seen).Get("trace") != "t1" || len(rpc.Incoming(seen)) != 0 {
		t.Fatal(rpc.Propagated(seen), rpc.Incoming(seen))
	}
}

func TestInterceptorsStandAroundCallsOnBothSides(t *testing.T) {
	var mu sync.Mutex
	var steps []string
	step := func(name string) rpc.Interceptor {
		return func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
			note := func(what string) {
				mu.Lock()
				steps = append(steps, what+" "+name+" "+call.Service+"."+call.Method)
				mu.Unlock()
			}
			note("into")
			defer note("out of")
			return next(ctx)
		}
	}
	s := set(t, "tcp", rpc.TTHeader, func(server *rpc.Server, client *rpc.Client) {
		server.Interceptors = []rpc.Interceptor{step("3"), step("4")}
		client.Interceptors = []rpc.Interceptor{step("1"), step("2")}
	})
	if _, err := s.shopper.Alive(background); err != nil {
		t.Fatal(err)
	}
	want := "into 1,into 2,into 3,into 4,out of 4,out of 3,out of 2,out of 1"
	mu.Lock()
	defer mu.Unlock()
	if got := strings.ReplaceAll(strings.Join(steps, ","), " Shop.alive", ""); got != want {
		t.Fatal(got)
	}
}

func TestAServerThatEndsLosesNoCall(t *testing.T) {
	for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.Framed} {
		s := set(t, "unix", wire)
		if _, err := s.shopper.Alive(background); err != nil {
			t.Fatal(err)
		}
		results := make(chan error, 50)
		calls := 50
		if wire == rpc.Framed {
			calls = 1 // they are answered one after the other
		}
		for range calls {
			go func() { results <- s.shopper.Nothing(background) }()
		}
		for range calls {
			<-s.entered
		}
		ended := make(chan error)
		go func() { ended <- s.server.Shutdown(within(t, testPatience)) }()
		close(s.release)
		for range calls {
			if err := <-results; err != nil {
				t.Fatal(wire, err)
			}
		}
		if err := <-ended; err != nil {
			t.Fatal(wire, err)
		}
	}
}
